"""Whole games at random: they end, orders and documents agree, records replay to the bit."""

import lzma
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import ladoga
from ladoga.games.tijvin.ground import Ground

SETTINGS = [
    ("historical", {}),
    ("historical", {"fog-of-war": True}),
    ("what-if", {"minimum-hq": True}),
    ("what-if", {"fog-of-war": True, "sinyavino": True, "minimum-hq": True}),
    ("german-offensive", {}),
    ("german-offensive", {"fog-of-war": True}),
]


def check(game, position, rng):
    """The listed orders are legal and different; the document reads back to the same position."""
    document = position.document()
    assert game.position(document).document() == document
    listed = [str(o) for o in position.legal]
    assert listed
    assert len(set(listed)) == len(listed)
    for text in rng.sample(listed, min(4, len(listed))):
        assert text in position.legal
        assert str(game.parse(text)) == text


@pytest.mark.case("tijvin-1941", "6", "6.2.3", "6.2.4")
@pytest.mark.parametrize(
    ("scenario", "options"), SETTINGS, ids=lambda v: v if isinstance(v, str) else "+".join(v) or "plain"
)
def test_random_games_end(game, scenario, options):
    rng = random.Random(f"{scenario}{sorted(options)}")
    position, count = game.start(scenario, options), 0
    while position.to_move is not None:
        if count % 23 == 0:
            check(game, position, rng)
        for side in game.sides:
            assert not position.occupied(side) & ~position.ground.land
        assert not position.occupied("german") & position.occupied("soviet")
        position = position.play(position.legal.random(rng))
        count += 1
        assert count < 20_000
    assert position.outcome.level in ("strategic", "tactical", "draw")
    assert position.turn == game.scenarios[scenario].turns
    assert all(0 <= cf <= unit.cf for cf, unit in zip(position.cf, position.roster.units, strict=True))


NONSENSE = (
    "move 227-ID 0101", "attack 10-Pz 0505", "target 0204", "activate 39-AK", "activate 4-Army", "pass", "end",
    "commit",
    "add Luft-1", "lose 227-ID", "retreat 292-DF 0809", "advance 10-Pz 0809", "stand", "yield", "efficiency 2",
    "assign 227-ID 39-AK", "replace 227-ID", "replace 292-DF 0809", "enter 259-DF 2018", "place I-AK 0204", "die 3",
    "move 39-AK 0612", "move nobody 0404", "attack 10-Pz 9999", "activate 10-Pz+76-Mot", "place 227-ID 0204",
)  # fmt: skip


@pytest.mark.case("tijvin-1941", "6")
def test_orders_that_were_not_offered_are_refused_with_a_case_and_change_nothing(game):
    rng = random.Random(9)
    position = game.start("historical")
    refused = 0
    for step in range(700):
        if position.to_move is None:
            break
        if step % 6 == 0:
            for text in NONSENSE:
                why = position.why_not(text)
                if why is None:
                    position.play(text)
                    continue
                refused += 1
                assert why.case in game.cases
                assert why.message
                before = position.digest()
                with pytest.raises(ladoga.Illegal):
                    position.play(text)
                assert position.digest() == before
        position = position.play(position.legal.random(rng))
    assert refused > 1000


@pytest.mark.case("tijvin-1941", "6")
def test_the_same_orders_lead_to_the_same_position(game):
    rng = random.Random(4)
    position, orders = game.start("german-offensive"), []
    while position.to_move is not None:
        order = position.legal.random(rng)
        orders.append(str(order))
        position = position.play(order)
    again = game.start("german-offensive")
    for text in orders:
        again = again.play(text)
    assert again.digest() == position.digest()
    assert again.outcome == position.outcome


def test_every_refusal_and_event_names_a_known_case(game):
    rng = random.Random(2)
    position = game.start("german-offensive")
    while position.to_move is not None:
        assert position.phase.case in game.cases
        assert all(event.case in game.cases and event.text for event in position.events)
        position = position.play(position.legal.random(rng))


def test_charts_and_tables_are_complete(game):
    assert {chart.case for chart in game.charts()} <= set(game.cases)
    assert all(len(row) == len(chart.head) for chart in game.charts() for row in chart.rows)
    table = game.start("historical").table()
    boxes = {box.id for box in table.boxes}
    for counter in table.counters:
        assert bool(counter.hex) != bool(counter.box)
        assert not counter.box or counter.box in boxes


def test_reach_lists_the_moves_of_a_unit(game):
    rng = random.Random(8)
    position = game.start("historical")
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(rng))
    for name in (position.roster.units[u].id for u in range(71) if position.active >> u & 1):
        listed = {o.hexes[0] for o in position.legal.of(name)}
        assert listed <= set(position.reach(name))


REPLAY = """
import random, ladoga
game = ladoga.load("tijvin-1941")
rng, position, count = random.Random(3), game.start("german-offensive", {"fog-of-war": True}), 0
while position.to_move is not None and count < 400:
    position, count = position.play(position.legal.random(rng)), count + 1
print(position.digest())
"""


def test_positions_do_not_depend_on_the_hash_seed():
    digests = set()
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run([sys.executable, "-c", REPLAY], env=env, capture_output=True, text=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.case("tijvin-1941", "13.IV")
def test_in_every_battle_the_loser_loses_more_and_exactly_what_is_due(game):
    rng = random.Random(8)
    position, battles = game.start("what-if"), 0
    while position.to_move is not None:
        following = position.play(position.legal.random(rng))
        told = next((e for e in following.events if e.kind == "casualties"), None)
        if told is not None:
            attack, defence = told.facts
            winner = position.battle.winner
            battles += 1
            assert attack < defence if winner == "attacker" else winner != "defender" or defence < attack
        position = following
    assert battles > 10


@pytest.mark.case("tijvin-1941", "4", "6.2.1")
def test_after_every_segment_the_stacking_limit_holds(game):
    rng = random.Random(7)
    position = game.start("historical")
    while position.to_move is not None:
        if not position.phase.id.endswith(("-movement", "-combat")):
            assert all(load <= 20 for side in game.sides for load in position.field(side).load.values())
        position = position.play(position.legal.random(rng))


def perft(position, depth):
    """Legal orders at a depth, chance outcomes counted like orders."""
    if depth == 0 or position.to_move is None:
        return 1
    return sum(perft(position.play(order), depth - 1) for order in position.legal)


PERFT = {
    "game": "tijvin-1941",
    "turn": 5,
    "phase": "german-activation",
    "map": {"blank": [5, 5], "hexes": {"0303": "swamp"}, "hexsides": {"0302/0303": ["minor-river", "road"]}},
    "units": {
        "10-Pz": {"hex": "0302"},
        "21-ID": {"hex": "0202"},
        "292-DF": {"hex": "0304"},
        "883-Art": {"hex": "0304"},
    },
    "hqs": {"39-AK": {"hex": "0202"}, "4-Army": {"hex": "0505"}},
}


@pytest.mark.case("tijvin-1941", "6.2.1", "12", "13.I")
def test_counts_of_legal_orders_in_a_small_position(game):
    position = game.position(PERFT)
    counts = [perft(position, depth) for depth in (1, 2, 3)]
    assert counts == [2, 45, 970]


@pytest.mark.case("tijvin-1941", "6")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("golden", {"stand", "hq-lost", "hq-returns", "rebuilt", "command-roll", "phase passed", "advances"}),
        ("golden-fog", {"asked", "stopped", "assigned", "support", "passes", "rebuilt"}),
    ],
)
def test_the_recorded_games_replay_to_the_bit(game, name, told):
    """Fifteen turns of two greedy players, and fifteen of free set-up at random under fog, on the map of version 0.2. A
    change of the rules or of the figures that touches any of it shows here first."""
    packed = (Path(__file__).parent / f"{name}.record.xz").read_bytes()
    record = ladoga.Record.parse(lzma.decompress(packed).decode())
    last = record.check()
    assert last.digest() == record.digest
    assert (last.turn, last.to_move) == (game.turns, None)
    assert told <= {event.kind for _, position in record.positions() for event in position.events}


@pytest.mark.case("tijvin-1941", "6")
def test_the_phases_of_a_turn_are_listed_in_their_order(game):
    listed = [phase.id for phase in game.phases]
    rng = random.Random(6)
    for scenario in game.scenarios:
        position, last = game.start(scenario), (0, -1)
        while position.to_move is not None:
            word = position.phase.id
            if word in listed and listed.index(word) < listed.index("german-activation"):
                assert (position.turn, listed.index(word)) >= last or position.turn >= 7, "the Soviets come first then"
                last = (position.turn, listed.index(word))
            else:
                assert word in listed or "set-up" in word
            position = position.play(position.legal.random(rng))
    assert len(set(listed)) == len(listed)


def answers(position):
    """What a position answers to every question whose answer is remembered between orders."""
    told = [sorted(map(str, position.legal)), position.prompt, position.standing]
    for side in position.game.sides:
        told += [sorted(position.zoc(side)), position.occupied(side), sorted(position.field(side).load.items())]
    names = [counter.id for counter in position.table().counters if counter.hex]
    told += [(name, position.supply(name), sorted(position.reach(name))) for name in names]
    told += [sorted(position.reach(name).items()) for name in names[:: len(names) // 4 or 1]]
    return told


@pytest.mark.parametrize(
    ("scenario", "options"), SETTINGS, ids=lambda v: v if isinstance(v, str) else "+".join(v) or "plain"
)
def test_what_is_remembered_between_orders_is_what_a_fresh_position_finds(game, scenario, options):
    """Along a random game, every so often: the same position read anew from its document, with another map
    object, answers the same."""
    rng = random.Random(f"anew {scenario}{sorted(options)}")
    position, count = game.start(scenario, options), 0
    while position.to_move is not None:
        if count % 131 == 0 and position.to_move != "chance":
            anew = game.position(position.document())
            anew.ground = Ground(anew.map, anew.tables)
            assert answers(position) == answers(anew), position.document()
        position = position.play(position.legal.random(rng))
        count += 1
    assert count > 131


def test_events_speak_of_one_or_of_several(situation, g, s, play):
    """One unit attacks, two attack; a side has a capital letter."""
    units = {"a": g("0504", 9, hq="I-AK"), "b": g("0504", 9, hq="I-AK"), "r": s("0505", 4, hq="4-Army")}
    position = situation(phase="german-combat", units=units)
    assert play(position, "attack a 0505").events[0].text == "a attacks 0505"
    assert play(position, "attack a+b 0505").events[0].text == "a and b attack 0505"
    hqs = {"I-AK": {"hex": "0504"}, "4-Army": {"hex": "0505"}}
    position = situation(phase="german-activation", units=units, hqs=hqs)
    assert play(position, "pass").events[0].text == "The German player passes"


def test_charts_tell_the_figures_that_are_played_with():
    """An owner who corrects a table reads his own figures in the chart beside the map."""
    corrected = ladoga.load("tijvin-1941", {"tables.yaml": {
        "turns": {"frozen": 9},
        "casualties": {"loser": 2, "magnitude": [{"at_least": 10, "losses": 3}]},
        "replacements": {"bonus": {"german": [{"first": 1, "last": 3, "points": 5}]}},
        "minimum_headquarters": 12,
    }})  # fmt: skip
    notes = {chart.id: chart.notes for chart in corrected.charts()}
    assert notes["terrain"][0] == "From turn 9 swamp is clear and minor rivers cost nothing."
    assert notes["casualties"] == [
        "Factors of the weaker side: 10 to 20: 3 more.",
        "The loser loses 2 more than the winner, 3 more if doubled, 4 more if tripled.",
    ]
    assert notes["replacements"][0] == "German: 5 more on turns 1 to 3."
    assert "below 12 factors" in corrected.options["minimum-hq"].text
