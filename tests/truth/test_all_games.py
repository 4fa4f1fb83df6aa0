"""What must be true of every game, whatever its rules: checked along random games."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction

import pytest

import ladoga
from ladoga.cli.coverage import covered_cases
from ladoga.kernel.position import CHANCE
from ladoga.lab.simulate import Match, digest, play_match, simulate

GAMES = ladoga.game_ids()
CASES = covered_cases()


def walk(game, seed, *, most=4000, scenario=None, options=None):
    """Positions of a random game, each with the order that is played next."""
    rng = random.Random(seed)
    position = game.start(scenario, options)
    for _ in range(most):
        if position.to_move is None:
            return
        order = position.legal.random(rng)
        yield position, order
        position = position.play(order)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_case_is_held_by_a_test(game_id):
    game = ladoga.load(game_id)
    missing = [number for number in game.cases if number not in CASES.get(game_id, set())]
    assert not missing


@pytest.mark.parametrize("game_id", GAMES)
def test_random_games_end(game_id):
    for index in range(2):
        played = play_match(Match(game_id, {}, seed=41), index)
        assert not played.error
        assert played.level


@pytest.mark.parametrize("game_id", GAMES)
def test_orders_and_positions_round_trip(game_id):
    game = ladoga.load(game_id)
    rng = random.Random(3)
    for number, (position, order) in enumerate(walk(game, 7, most=1200)):
        assert game.parse(str(order)) == order
        if number % 40 == 0:
            document = position.document()
            assert json.loads(json.dumps(document)) == document, "plain values only"
            again = game.position(document)
            assert again.document() == document
            assert again.to_move == position.to_move
            some = list(position.legal)
            assert some, "no dead ends"
            for sample in rng.sample(some, min(6, len(some))):
                assert sample in again.legal
                assert game.parse(str(sample)) == sample


@pytest.mark.parametrize("game_id", GAMES)
def test_documents_are_refused_in_the_same_words_everywhere(game_id):
    game = ladoga.load(game_id)
    side, phase = game.sides[0], next(phase.id for phase in game.phases if phase.id.endswith("movement"))
    printed = next(iter(game.units))
    field = {"game": game_id, "turn": 2, "phase": phase, "map": {"blank": [9, 7]}}
    assert game.position(field).document()["map"] == {"blank": [9, 7]}
    for change, message in (
        ({"turn": 99}, f"^turn: the game has turns 1 to {game.turns}$"),
        ({"phase": "tea"}, "^phase: there is no phase 'tea'; phases: .*-movement"),
        ({"units": {printed: {"hex": "0909"}}}, f"^units.{printed}.hex: the map has no hex '0909'$"),
        ({"units": {printed: {"hex": "0403", "side": side}}}, "side and figures; a made-up one takes another name$"),
        ({"units": {"x1": {"hex": "0403"}}}, "^units.x1: not a unit of the game; a made-up one needs side"),
    ):
        with pytest.raises(ladoga.BadDocument, match=message):
            game.position(field | change)


@pytest.mark.parametrize("game_id", GAMES)
def test_play_never_changes_the_position_it_is_called_on(game_id):
    game = ladoga.load(game_id)
    for number, (position, order) in enumerate(walk(game, 11, most=1500)):
        if number % 50 == 0:
            before = position.digest()
            following = position.play(order)
            for _ in range(5):
                if following.to_move is None:
                    break
                following = following.play(following.legal.random(random.Random(number)))
            assert position.digest() == before


@pytest.mark.parametrize("game_id", GAMES)
def test_every_order_is_explained_or_refused(game_id):
    """Whatever is asked of whatever moment, the answer is in numbers or says why there are none."""
    game = ladoga.load(game_id)
    stock: list[ladoga.Order] = [ladoga.Order(verb) for verb in game.grammar.verbs]
    rng = random.Random(23)
    explained = 0
    for number, (position, order) in enumerate(walk(game, 29, most=1500)):
        stock.append(order)
        if number % 7 and position.chance is None:
            continue
        for side in (*game.sides, "observer"):
            for asked in (ladoga.Order("commit"), *rng.sample(stock, 3)):
                with suppress(ladoga.LadogaError):
                    explained += bool(position.view(side).explain(asked).results)
    assert explained


@pytest.mark.parametrize("game_id", GAMES)
def test_events_are_told_in_one_style(game_id):
    """A capital letter, or the name of what it happened to, first; no full stop, since they are set in lists."""
    told = {event.template for position, _ in walk(ladoga.load(game_id), 31) for event in position.events}
    assert [text for text in told if not (text[0] == "{" or text[0].isupper()) or text.endswith(".")] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_chance_is_exact(game_id):
    game = ladoga.load(game_id)
    seen = 0
    for position, _ in walk(game, 13, most=1500):
        chance = position.chance
        if chance is not None:
            seen += 1
            assert sum(p for _, p in chance.outcomes) == Fraction(1)
            assert len({order for order, _ in chance.outcomes}) == len(chance.outcomes)
            assert position.to_move == CHANCE
    assert seen


@pytest.mark.parametrize("game_id", GAMES)
def test_orders_out_of_turn_or_never_offered_are_refused(game_id):
    """Orders legal elsewhere in the game, or made of pieces of such orders, are refused where they are not
    offered; a refusal names a case of the game and changes nothing."""
    game = ladoga.load(game_id)
    rng = random.Random(17)
    stock: list[ladoga.Order] = []
    tries = 0
    for number, (position, order) in enumerate(walk(game, 19, most=1500)):
        if number % 5 == 0:
            stock.append(order)
        if number % 50 or len(stock) < 10:
            continue
        offered = set(position.legal)
        before = position.digest()
        for _ in range(60):
            one, two = rng.choice(stock), rng.choice(stock)
            mixed = ladoga.Order(one.verb, rng.choice([one, two]).units, rng.choice([one, two]).hexes, one.words)
            refusal = position.why_not(mixed)
            tries += 1
            if mixed in offered:
                assert refusal is None
            if refusal is not None:
                assert refusal.case in game.cases, f"{mixed}: {refusal}"
                assert refusal.message
                with pytest.raises(ladoga.Illegal):
                    position.play(mixed)
        assert position.digest() == before
    assert tries >= 300


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_drawn_at_random_is_legal(game_id):
    """``play`` does not check an order that ``legal.random`` drew, so it is checked here: by its text, for a position
    may know the order itself."""
    game = ladoga.load(game_id)
    for number, (position, order) in enumerate(walk(game, 29, most=1500)):
        if number % 3 == 0:
            assert position.why_not(game.parse(str(order))) is None, f"{order}: {position.why_not(str(order))}"


def test_only_the_order_drawn_goes_unchecked():
    position = ladoga.load("leningrad-1979").start()
    position.legal.random(random.Random(1))
    with pytest.raises(ladoga.Illegal):
        position.play("end")


@pytest.mark.parametrize("game_id", GAMES)
def test_views_read_like_positions(game_id):
    game = ladoga.load(game_id)
    for number, (position, _) in enumerate(walk(game, 23, most=900)):
        if number % 60 == 0:
            for side in (*game.sides, "observer"):
                view = position.view(side)
                assert view.phase == position.phase
                assert view.to_move == position.to_move
                view.table()
                view.document()
                assert list(view.legal) == [] or view.to_move == side
                imagined = view.imagine(random.Random(number))
                assert imagined.to_move == position.to_move


@pytest.mark.parametrize("game_id", GAMES)
def test_a_view_answers_what_a_position_answers(game_id):
    """Every side can be asked, also while somebody else is to move."""
    game = ladoga.load(game_id)
    position = game.start()
    for side in (*game.sides, "observer"):
        view = position.view(side)
        assert (view.scenario, view.options, view.seats) == (position.scenario, position.options, position.seats)
        assert view == position.view(side)
        assert hash(view) == hash(position.view(side))
        assert len(view.digest()) == 64
        if side != position.to_move:
            assert view.legal.count() == 0
            assert not view.legal
            assert next(iter(position.legal)) not in view.legal
            assert view.legal.of(next(iter(game.units))) == []
            with pytest.raises(ladoga.LadogaError, match=f"{position.to_move} is to move"):
                view.legal.random(random.Random(0))


@pytest.mark.parametrize("game_id", GAMES)
def test_positions_and_views_say_what_they_are(game_id):
    position = ladoga.load(game_id).start()
    shown = f"<{game_id}: turn {position.turn}, {position.phase.id}, {position.to_move} to move>"
    assert repr(position) == shown
    assert repr(position.view("german")) == f"<german's view of {shown}>"
    assert repr(position.map) == f"<GameMap: {len(list(position.map.grid.numbers))} hexes>"


@pytest.mark.parametrize("game_id", GAMES)
def test_reach_lists_the_hexes_of_the_moves(game_id):
    """What reach says and what may be ordered are the same; who is unknown is named."""
    game = ladoga.load(game_id)
    asked = 0
    for number, (position, _) in enumerate(walk(game, 29, most=700)):
        if "movement" not in position.phase.id or position.to_move not in game.sides or number % 7:
            continue
        moves: dict[str, set[str]] = {}
        for order in position.legal:
            if order.verb == "move" and len(order.units) == 1:
                moves.setdefault(order.units[0], set()).add(order.hexes[-1])
        for unit, hexes in moves.items():
            assert set(position.reach(unit)) == hexes, unit
            asked += 1
    assert asked
    with pytest.raises(ladoga.LadogaError, match="there is no unit 'nobody'"):
        position.reach("nobody")
    with pytest.raises(ladoga.LadogaError, match="there is no unit 'nobody'"):
        position.supply("nobody")


@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_can_be_drawn_when_the_game_is_over(game_id):
    game = ladoga.load(game_id)
    for position, order in walk(game, 31):
        last = position.play(order)
    assert last.to_move is None
    assert list(last.legal) == []
    with pytest.raises(ladoga.LadogaError, match="over"):
        last.legal.random(random.Random(0))


@pytest.mark.parametrize("game_id", GAMES)
def test_records_replay_and_are_verified(game_id, tmp_path):
    played = play_match(Match(game_id, {}, seed=43), 0, keep_record=True)
    file = tmp_path / "game.ladoga"
    file.write_text(played.record, encoding="utf-8")
    record = ladoga.Record.read(file)
    assert record.check().digest() == played.fingerprint
    assert ladoga.Record.parse(record.text()).text() == record.text()
    at = next(n for n, (_, p) in enumerate(record.positions()) if p.chance is not None)
    chance = [p for _, p in record.positions()][at].chance
    other = next(o for o, _ in chance.outcomes if o != record.orders[at])
    forged = ladoga.Record(record.header, [*record.orders[:at], other])
    with pytest.raises(ladoga.BadRecord, match=f"event {at + 1}"):
        forged.check()


@pytest.mark.parametrize("game_id", GAMES)
def test_replay_is_the_same_under_any_hash_seed(game_id):
    program = (
        "from ladoga.lab.simulate import Match, play_match\n"
        f"print(play_match(Match({game_id!r}, {{}}, seed=47), 1).fingerprint)"
    )
    prints = set()
    for seed in ("0", "1234"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        prints.add(done.stdout)
    assert len(prints) == 1


def test_simulations_do_not_depend_on_the_order_of_games():
    match = Match(GAMES[0], {}, seed=5)
    played = list(simulate(match, 3))
    assert digest(played) == digest(reversed(played))
    again = list(simulate(match, 3, skip=[0]))
    assert {p.fingerprint for p in again} == {p.fingerprint for p in played[1:]}
