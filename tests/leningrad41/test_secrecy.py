"""Fog of war as a promise: what the German may not know changes nothing that he can see, do or compute."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from ladoga.cli import main
from ladoga.games.leningrad41.state import BEHIND, GONE, POOL, UNDRAWN

from .made_up import german, soviet


def everything(view, rng_seed=5):
    """All that a view shows, allows and computes, as text."""
    rng = random.Random(rng_seed)
    orders = list(view.legal)
    chosen = rng.sample(orders, min(60, len(orders)))
    told = []
    for order in chosen:
        if order.verb in ("target", "add", "commit", "attack"):
            told.append(view.explain(order).as_json())
    for order in [order for order in chosen if order.verb == "move"][:2]:
        told.append({number: str(reached) for number, reached in view.reach(order.units).items()})
    numbers = sorted(view.map.grid.numbers)
    tries = [f"attack I/8M+II/8M {rng.choice(numbers)} assault" for _ in range(20)]
    tries += [f"move I/8M {rng.choice(numbers)}" for _ in range(20)]
    chance = view.chance
    return json.dumps(
        {
            "document": view.document(),
            "table": str(view.table()),
            "events": [str(event) for event in view.events],
            "mover": view.to_move,
            "prompt": view.prompt,
            "chance": None if chance is None else [str(pair) for pair in chance.outcomes],
            "legal": [str(order) for order in orders],
            "told": told,
            "refusals": [str(view.why_not(text)) for text in tries],
            "standing": str(view.standing),
            "zoc": sorted(view.zoc("soviet")),
            "imagined": view.imagine(random.Random(9)).document(),
        },
        sort_keys=True,
    )


def shuffled(pos, rng):
    """The same position as far as the German can tell: hidden identities dealt anew."""
    new = pos._copy()
    army = [p for p in pos.roster.of_command["42"] if pos.where[p] in (UNDRAWN, POOL, BEHIND)]
    hidden = [k for k, unit in enumerate(pos.behind) if unit >= 0]
    seen = [p for p in army if pos.shown >> p & 1]
    unseen = [p for p in army if not pos.shown >> p & 1]
    rng.shuffle(seen)
    rng.shuffle(unseen)
    nobody = sum(pos.where[p] != GONE and pos.behind[p - pos.roster.backs.start] < 0 for p in pos.roster.backs)
    dealt = rng.sample(seen + unseen[nobody:], len(hidden))
    for k, unit in zip(hidden, dealt, strict=True):
        new.behind[k] = unit
    for p in army:
        new.where[p] = BEHIND if p in dealt else POOL if pos.shown >> p & 1 else UNDRAWN
    return new


def battle(game, seed, orders):
    """A position some way into a random game."""
    rng = random.Random(seed)
    pos = game.start()
    for _ in range(orders):
        if pos.to_move is None:
            break
        pos = pos.play(pos.legal.random(rng))
    return pos


@pytest.mark.case("leningrad41", "6.5", "6.6", "7.3")
@pytest.mark.parametrize("seed", range(3))
def test_what_the_german_may_not_know_changes_nothing(game, seed):
    rng = random.Random(seed)
    pos = battle(game, seed, 330)
    checked = 0
    for number in range(500):
        if pos.to_move is None:
            break
        if number % 70 == 0 and any(unit >= 0 for unit in pos.behind):
            other = shuffled(pos, rng)
            for side in ("german", "observer"):
                assert everything(pos.view(side)) == everything(other.view(side))
            checked += 1
        pos = pos.play(pos.legal.random(rng))
    assert checked >= 3


@pytest.mark.case("leningrad41", "7.3", "19.2")
def test_a_hidden_draw_looks_the_same_whatever_is_drawn(place):
    units = {"x1": german("0504"), "x2": soviet("0101")}
    pos = place(units, "soviet-reinforcement", pending=[{"kind": "draw", "number": 1, "words": ["42"]}])
    first, second = pos.play("draw 181/42"), pos.play("draw 6NKVD/42")
    assert first.document() != second.document()
    assert everything(first.view("german")) == everything(second.view("german"))
    assert everything(first.view("observer")) == everything(second.view("observer"))
    assert pos.view("german").chance is None
    assert pos.view("soviet").chance is not None


@pytest.mark.case("leningrad41", "3.6", "6.6")
def test_nobody_can_know_the_first_thirty_six(game):
    pos = battle(game, 3, 90)
    backs = {k: v for k, v in pos.document()["units"].items() if k.startswith("back-")}
    assert len(backs) >= 20
    assert not any("is" in value for value in backs.values())  # they are drawn when they are flipped


@pytest.mark.case("leningrad41", "6.6")
def test_what_a_hidden_unit_may_be_is_told_alike_to_both_truths(place):
    units = {
        "back-1": {"hex": "0504", "is": "51T/42"},
        "back-2": {"hex": "0303"},
        "x1": german("0505"),
        "x2": german("0404"),
    }
    tank = place(units)
    rifle = place(units | {"back-1": {"hex": "0504", "is": "181/42"}})
    order = "attack x1+x2 0504 assault"
    assert tank.explain(order) != rifle.explain(order)
    assert tank.view("german").explain(order) == rifle.view("german").explain(order)
    hidden = tank.view("german").explain(order)
    assert len(hidden.modifiers) == 2  # perhaps armored
    assert sum(p for _, p in hidden.results) == 1


@pytest.mark.case("leningrad41", "6.6")
def test_an_imagined_position_is_whole_and_fits(game):
    for seed in range(2):
        pos = battle(game, seed, 500)
        view = pos.view("german")
        dream = view.imagine(random.Random(seed))
        assert not dream.masked
        assert everything(dream.view("german")) == everything(view)
        army = list(pos.roster.of_command["42"])
        assert sum(dream.where[p] == BEHIND for p in army) == sum(unit >= 0 for unit in dream.behind)
        assert sum(unit >= 0 for unit in dream.behind) == sum(unit >= 0 for unit in pos.behind)
        rng = random.Random(1)
        for _ in range(150):
            if dream.to_move is None:
                break
            dream = dream.play(dream.legal.random(rng))


@pytest.mark.case("leningrad41", "6.6", "7.3")
@pytest.mark.parametrize(("side", "told"), [("soviet", True), ("german", False), ("observer", False)])
def test_the_command_line_tells_a_side_what_that_side_may_know(place, capsys, tmp_path, side, told):
    draw = {"kind": "draw", "number": 1, "words": ["42"]}
    pos = place({"x2": soviet("0101")}, "soviet-reinforcement", pending=[draw])
    file = tmp_path / "position.json"
    file.write_text(json.dumps(pos.document()))
    assert main(["position", "leningrad41", str(file), "--side", side, "--json", "--play", "draw 181/42"]) == 0
    events = json.loads(capsys.readouterr().out)["results"][0]["events"]
    assert any("181/42" in event["text"] for event in events) == told


@pytest.mark.case("leningrad41", "3.6", "6.6", "7.3")
def test_an_arrival_is_reckoned_from_what_the_pool_can_hold(place):
    # 47 units were never seen, 36 of them are behind backs that nobody knows: the arrival is one of the 11 others or
    # the one that came back, a tank; of the 47 three are armored
    units = {f"back-{n}": {"hex": f"{n:02}01"} for n in range(1, 37)}
    units |= {"back-37": {"hex": "0104", "is": "181/42"}, "x1": german("0105", fire=20), "51T/42": {"at": "pool"}}
    view = place(units, size=(12, 40), shown=["51T/42"]).view("german")
    tank = Fraction(1, 12) + Fraction(11, 12) * Fraction(3, 47)
    assert dict(view.explain("attack x1 0104").results)["E"] == (1 - tank) * Fraction(4, 6) + tank * Fraction(2, 6)


@pytest.mark.case("leningrad41", "6.6", "19.2")
def test_what_a_side_has_seen_can_be_played_on(game):
    for seed in range(4):
        rng = random.Random(seed)
        pos = game.position(battle(game, seed, 700).view("german").document())
        assert pos.masked
        for _ in range(700):
            if pos.to_move is None:
                break
            pos = pos.play(pos.legal.random(rng))
        assert pos.turn > 2


@pytest.mark.case("leningrad41", "3.3", "6.6", "7.7")
def test_a_gun_that_began_face_up_is_behind_no_first_back(place):
    units = {"back-1": {"hex": "0605"}, "704/42": {"hex": "0101"}, "x1": german("0606"), "x3": german("0102", fire=50)}
    pos = place(units).play("attack x3 0101").play("die 1").play("attack x1 0605")
    assert len(pos.chance.outcomes) == 48  # 704/42 is in the pool, but was not when the first 36 were drawn
    assert pos.view("german").chance.outcomes == pos.chance.outcomes


@pytest.mark.case("leningrad41", "8.1", "9.1", "9.2")
def test_the_firer_does_not_know_where_the_unit_is_going(place):
    units = {"x1": german("0506"), "t": soviet("0503")}
    ways = ["0505-0504-0404-0405", "0505-0504-0604"]
    views = [place(units, "german-movement").play(f"move x1 {way}").view("soviet") for way in ways]
    first, second = views
    assert first.document() == second.document()
    assert [str(event) for event in first.events] == [str(event) for event in second.events]
    assert first.legal.random(random.Random(1)) in first.legal
    assert first.imagine(random.Random(1)).play("end").to_move == "german"
    whole = place(units, "german-movement").play(f"move x1 {ways[0]}")
    assert whole.view("german").document()["pending"][1]["path"] == ["0404", "0405"]
    assert whole.play("end").play("end").document()["units"]["x1"]["hex"] == "0405"
