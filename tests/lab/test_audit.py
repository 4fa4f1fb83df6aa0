"""The audit: what a side leaves undone is counted, and nothing else."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ladoga
from ladoga.cli import main
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Position
from ladoga.lab.audit import Auditor, Ledger
from ladoga.lab.simulate import Match, play_match
from ladoga.players import make


def leningrad(phase: str, units: dict[str, Any], turn: int = 5) -> Position:
    return ladoga.load("leningrad-1979").position(
        {"game": "leningrad-1979", "turn": turn, "phase": phase, "units": units}
    )


def soviet(h: str, attack: int = 4, defence: int = 3) -> dict[str, Any]:
    return {"side": "soviet", "type": "infantry", "attack": attack, "defence": defence, "movement": 5, "hex": h}


def step(auditor: Auditor, position: Position, order: str | Order) -> Position:
    given = position.game.grammar.parse(order) if isinstance(order, str) else order
    if position.chance is None:
        auditor.ordered(position, given)
    after = position.play(given)
    auditor.played(position, after)
    return after


def through_the_turn(position: Position, auditor: Auditor) -> Position:
    """To the end of the turn, where everybody does as little as possible."""
    turn = position.turn
    while position.turn == turn and position.to_move is not None:
        ending = next((o for o in position.legal if o.verb == "end"), None)
        position = step(auditor, position, ending or position.legal.random(random.Random(1)))
    return position


def test_an_attack_at_bad_odds_is_one_of_negative_worth() -> None:
    units = {"1": {"hex": "1212"}, "x": soviet("1312", 9, 9), "y": soviet("1312", 9, 9)}
    at = leningrad("german-combat", units)
    auditor = Auditor(at)
    for order in ("target 1312", "add 1", "commit"):
        at = step(auditor, at, order)
    german = auditor.ledgers["german"]
    assert (german.attacks, german.negative) == (1, 1)
    assert auditor.ledgers["soviet"].attacks == 0


def test_an_attack_that_the_rules_compel_is_nobodys_mistake() -> None:
    """Soviets next to Germans attack on turn 1, however bad the odds are (17.3)."""
    units = {"x": soviet("0312", 1, 1), **{unit: {"hex": "0211"} for unit in ("1", "11", "21")}}
    at = leningrad("soviet-combat", units, turn=1)
    auditor = Auditor(at)
    for order in ("target 0211", "add x", "commit"):
        at = step(auditor, at, order)
    ledger = auditor.ledgers["soviet"]
    assert (ledger.attacks, ledger.negative, ledger.compelled) == (1, 0, 1)


def test_guns_that_support_a_defence_are_no_attack() -> None:
    """Tijvin's defender commits his support with the same word with which an attack is committed (13 II e)."""
    units = {
        "g": {"side": "german", "type": "infantry", "cf": 12, "efficiency": 2, "hex": "0505"},
        "r": {"side": "soviet", "type": "infantry", "cf": 6, "efficiency": 1, "hex": "0605"},
        "b": {"side": "soviet", "type": "artillery", "cf": 1, "efficiency": 1, "support": 1, "hex": "0605"},
    }
    given = {"game": "tijvin-1941", "turn": 3, "phase": "german-combat", "map": {"blank": [14, 12]}, "units": units}
    at = ladoga.load("tijvin-1941").position({**given, "control": "all"})
    auditor = Auditor(at)
    for order in ("attack g 0605", "add b", "commit"):
        at = step(auditor, at, order)
    assert auditor.ledgers["german"].attacks == 1
    assert auditor.ledgers["soviet"].attacks == 0


def test_a_good_attack_that_is_not_made_is_left() -> None:
    party = {unit: {"hex": "1212"} for unit in ("1", "11", "21")}
    at = leningrad("german-combat", {**party, "x": soviet("1312", 1, 1)})
    auditor = Auditor(at)
    step(auditor, at, "end")
    assert auditor.ledgers["german"].left == 1


def test_who_stands_far_from_everything_and_does_nothing_is_idle() -> None:
    at = leningrad("german-movement", {"1": {"hex": "0513"}, "11": {"hex": "1212"}, "x": soviet("1312")})
    auditor = Auditor(at)
    through_the_turn(at, auditor)
    german = auditor.ledgers["german"]
    assert (german.units, german.idle) == (2, 1)


def test_reserves_that_could_come_in_and_do_not_are_counted() -> None:
    """And those that come in are not."""
    played = play_match(Match("leningrad-1979", {"german": "staff", "soviet": "staff"}, 2), 0, audit=True)
    both = {side: Ledger.from_json(found) for side, found in played.audit.items()}
    assert both["soviet"].reserves > 30
    assert both["soviet"].never == 0


def test_a_headquarters_alone_with_the_enemy_near_is_a_lone_one() -> None:
    units = {"HQ41": {"hex": "1025"}, "HQ56": {"hex": "2008"}, "6/11": {"hex": "2008"}, "1TD": {"hex": "1024"}}
    at = ladoga.load("assault-leningrad").position(
        {"game": "assault-leningrad", "turn": 4, "phase": "german-combat", "units": units}
    )
    auditor = Auditor(at)
    through_the_turn(at, auditor)
    german = auditor.ledgers["german"]
    assert german.headquarters >= 2 * german.looks
    assert german.lone == german.looks


def test_ledgers_are_added_up_and_read_back() -> None:
    one = Ledger(looks=2, idle=3, offers={"air": [2, 1]})
    one.add(Ledger(looks=1, units=4, offers={"air": [1, 0], "fort": [1, 1]}))
    assert one == Ledger(looks=3, units=4, idle=3, offers={"air": [3, 1], "fort": [1, 1]})
    assert Ledger.from_json(json.loads(json.dumps(one.as_json()))) == one
    assert any("air 1 of 3" in line for line in one.lines(2))


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_an_audit_changes_nothing_of_a_game(game_id: str) -> None:
    """The first turn of every game: the audit looks on, and the players order the same."""
    ends = []
    for audited in (False, True):
        position: Position = ladoga.load(game_id).start()
        auditor = Auditor(position)
        seats = {side: make("staff") for side in position.game.sides}
        dice = random.Random(3)
        for _ in range(120):
            mover = position.to_move
            assert mover is not None
            order = (
                position.legal.random(dice) if mover == "chance" else seats[mover].choose(position.view(mover), dice)
            )
            position = step(auditor, position, order) if audited else position.play(order)
        ends.append(position.digest())
    assert ends[0] == ends[1]


def test_the_command_reports_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", "leningrad-1979", "--games", "1", "--german", "staff", "--soviet", "staff", "--audit"]
    assert main(call) == 0
    text = capsys.readouterr().out
    assert text.count("attacks of negative worth") == 2
    assert main([*call, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["audit"]
    assert [sorted(set(one) - {"game"}) for one in found] == [["german", "soviet"]]
