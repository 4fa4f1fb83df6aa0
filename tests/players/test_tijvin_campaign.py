"""How the staff plans whole activations of Tijvin 1941."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ladoga
from ladoga.games.tijvin.position import TijvinPosition
from ladoga.hexes import Hex
from ladoga.kernel.position import Position
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.tijvin_staff.campaign import Campaign
from ladoga.players.doctrines.tijvin_staff.fit import Sample, explained, fitted
from ladoga.players.doctrines.tijvin_staff.flight import Cordon, cordon_of, cost_of_flight
from ladoga.players.doctrines.tijvin_staff.forecast import Measures
from ladoga.players.doctrines.tijvin_staff.lie import Lie
from ladoga.players.doctrines.tijvin_staff.pockets import Ring, cut_off
from ladoga.players.doctrines.tijvin_staff.seats import flock, seat_worth
from ladoga.players.fitting import played
from ladoga.players.general import GeneralPlayer
from ladoga.players.judgement import figures
from ladoga.players.staff import StaffPlayer
from ladoga.players.tuning import tuning

GAME = ladoga.load("tijvin-1941")


def situation(**keys: Any) -> TijvinPosition:
    keys.setdefault("turn", 3)
    given = {"game": "tijvin-1941", "map": {"blank": [14, 12], **keys.pop("map", {})}, **keys}
    position = GAME.position(given)
    assert isinstance(position, TijvinPosition)
    return position


def unit(side: str, hex_number: str, cf: int, kind: str = "infantry", efficiency: int = 1) -> dict[str, Any]:
    return {"side": side, "type": kind, "cf": cf, "efficiency": efficiency, "hex": hex_number}


def reading(p: TijvinPosition, side: str) -> Lie:
    return Lie(p, side, doctrine_of("tijvin-1941").style(p, side, tuning("tijvin-1941").side(side)), {})


def at(p: TijvinPosition, number: str) -> Hex:
    return p.ground.grid.hex(number)


@pytest.mark.case("tijvin-1941", "5")
@pytest.mark.case("tijvin-1941", "10")
def test_a_pocket_is_a_set_of_hexes() -> None:
    """Neither stack alone cuts off what stands on the west edge; both together do."""
    units = {"r": unit("soviet", "0106", 8), "a": unit("german", "0301", 8), "b": unit("german", "0303", 8)}
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    lie = reading(p, "german")
    closed = dict.fromkeys(members_around(p, "0106"), 8)
    assert cut_off(lie, closed) == pytest.approx(8 * lie.worth(p.roster.index["r"]))
    assert cut_off(lie, {}) == 0.0
    bodies = sum(1 << h for h in closed)
    pocket = Ring(lie, bodies, 0, 0).best()
    assert pocket is not None
    assert pocket.worth == pytest.approx(8 * lie.worth(p.roster.index["r"]))
    assert all(cut_off(lie, dict.fromkeys(pocket.hexes - {h}, 8)) < pocket.worth for h in pocket.hexes)


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_beaten_stack_loses_what_finds_no_room() -> None:
    """It gives way to where its friends are, out of zones if it can; where all is shut everybody is lost."""
    units = {"r": unit("soviet", "0606", 12), "s": unit("soviet", "0706", 15), "a": unit("german", "0505", 8)}
    p = situation(phase="german-combat", units=units, control="all")
    lie = reading(p, "german")
    around = members_around(p, "0606")
    assert cost_of_flight(lie, at(p, "0606"), cordon_of(lie, {at(p, "0505"): 8}), 10.0) == 0.0
    closed = Cordon(sum(1 << h for h in around), 0)
    assert cost_of_flight(lie, at(p, "0606"), closed, 10.0) == 10.0
    friends = 1 << at(p, "0706")
    assert cost_of_flight(lie, at(p, "0606"), Cordon(closed.stood & ~friends, 0), 10.0) == 5.0, "room for five"
    zoned = Cordon(0, sum(1 << h for h in around))
    assert cost_of_flight(lie, at(p, "0606"), zoned, 10.0) == 0.0, "friends lift the zone in which they stand"
    alone = situation(phase="german-combat", units={k: units[k] for k in "ra"}, control="all")
    assert cost_of_flight(reading(alone, "german"), at(p, "0606"), zoned, 10.0) == 1.0


def test_early_factors_count_for_more_than_cities() -> None:
    """Who has lost his army loses his cities too, so that a city is worth little long before the end (14)."""
    given, units = {"places": {"0505": ["major-city"]}}, {"a": unit("german", "0505", 5)}
    worth = [
        reading(situation(turn=turn, phase="german-movement", units=units, map=given), "german").cities.popitem()[1]
        for turn in (3, 10, 15)
    ]
    assert 4 * worth[0] < 2 * worth[1] < worth[2]


def members_around(p: TijvinPosition, number: str) -> list[Hex]:
    grid = p.ground.grid
    ring = grid.ring(1 << at(p, number))
    return [h for h in range(ring.bit_length()) if ring >> h & 1]


@pytest.mark.case("tijvin-1941", "11")
def test_threats_come_from_one_headquarters_at_a_time() -> None:
    """Twelve factors under one headquarters are more to be feared than six under each of two."""
    own = {"a": unit("german", "0505", 8, efficiency=2)}
    hqs = {"39-AK": {"hex": "0505"}, "54-Army": {"hex": "0805"}, "4-Army": {"hex": "0806"}}
    together = {**own, "r": {**unit("soviet", "0705", 6), "hq": "54-Army"}, "s": {**unit("soviet", "0704", 6),
                "hq": "54-Army"}}  # fmt: skip
    apart = {**together, "s": {**unit("soviet", "0704", 6), "hq": "4-Army"}}
    both, one = (
        reading(situation(phase="german-movement", units=units, hqs=hqs, control="all"), "german")
        for units in (together, apart)
    )
    h = at(both.p, "0505")
    assert both.threat(h)[0] == pytest.approx(12.0)
    assert 6.0 < one.threat(h)[0] < 12.0


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_headquarters_keeps_company() -> None:
    units = {"a": unit("german", "0505", 8, efficiency=2), "r": unit("soviet", "0805", 8)}
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    lie, q = reading(p, "german"), p.roster.hq_index["39-AK"]
    assert seat_worth(lie, at(p, "0505"), flock(lie, q)) > seat_worth(lie, at(p, "0605"), flock(lie, q)) + 5.0


@pytest.mark.case("tijvin-1941", "14")
def test_a_city_in_reach_is_not_left_empty_towards_the_end() -> None:
    """The only garrison stays although there is an enemy to strike; early on factors count for more."""
    given = {"places": {"0505": ["major-city"]}}
    units = {
        "a": unit("german", "0505", 5, efficiency=2), "r": unit("soviet", "0805", 9, "tank"),
        "s": unit("soviet", "0503", 1),
    }  # fmt: skip
    seats = {"39-AK": {"hex": "0404"}}
    p = situation(turn=14, phase="german-movement", units=units, hqs=seats, control="all", map=given)
    plan = Campaign(reading(p, "german")).plan()
    assert plan.where[p.roster.index["a"]] == at(p, "0505")


def test_a_general_repeats_himself() -> None:
    first, second = (_opening(GeneralPlayer(nodes=20)) for _ in range(2))
    assert first == second
    assert any(order.startswith("activate") for order in first)


def _opening(general: GeneralPlayer, orders: int = 40) -> list[str]:
    position: Position = GAME.start()
    rng, given = random.Random(3), list[str]()
    other = StaffPlayer()
    while len(given) < orders:
        mover = position.to_move
        assert mover is not None
        if mover == "chance":
            order = position.legal.random(rng)
        elif mover == "german":
            order = general.choose(position.view(mover), rng)
            assert general.reason or len(list(position.legal)) == 1
        else:
            order = other.choose(position.view(mover), rng)
        given.append(str(order))
        position = position.play(order)
    return given


@pytest.mark.case("tijvin-1941", "9")
@pytest.mark.case("tijvin-1941", "11.A")
def test_headquarters_share_the_army_out() -> None:
    """A second headquarters goes to those whom the first does not reach, whoever obeys whom now."""
    units = {"a": unit("soviet", "0505", 6), "b": unit("soviet", "0506", 6), "c": unit("soviet", "1205", 6)}
    hqs = {"54-Army": {"hex": "0505"}, "4-Army": {"hex": "0506"}}
    obeying = {name: {**one, "hq": "4-Army"} for name, one in units.items()}
    p = situation(phase="soviet-movement", units=obeying, hqs=hqs, control="all")
    lie, q = reading(p, "soviet"), p.roster.hq_index["4-Army"]
    assert seat_worth(lie, at(p, "0905"), flock(lie, q)) > seat_worth(lie, at(p, "0506"), flock(lie, q))


def _first(side: str, *, control: str, turn: int, passed: bool = False, acted: bool = False, far: bool = False) -> str:
    """What the staff does where both sides have a headquarters that can act, or the enemy has not."""
    other = "german" if side == "soviet" else "soviet"
    place = "1908" if far else "0608"
    seats: dict[str, Any] = {"54-Army": {"hex": place}, "39-AK": {"hex": "0309"}}
    seats["39-AK" if other == "german" else "54-Army"]["activated"] = acted
    units = {"286-DF": {"hex": place}, "10-Pz": {"hex": "0309"}}
    given = {"game": "tijvin-1941", "turn": turn, "units": units, "hqs": seats, "control": control}
    p: Position = GAME.position({**given, "phase": f"{other if passed else side}-activation"})
    if passed:
        p = p.play("pass")
    return str(StaffPlayer().choose(p.view(side), random.Random(1)))


@pytest.mark.case("tijvin-1941", "11.A")
def test_the_soviets_let_the_germans_act_first() -> None:
    """They answer when the Germans have done what they can, and are glad of a turn that ends before; only on the last
    one they cannot wait if they are losing."""
    assert _first("soviet", control="0309", turn=8) == "pass"
    assert _first("soviet", control="0309", turn=8, passed=True) == "pass"
    assert _first("soviet", control="0309", turn=8, acted=True) == "activate 54-Army"
    assert _first("soviet", control="0309", turn=15) == "pass"
    assert _first("soviet", control="all", turn=15) == "activate 54-Army"


@pytest.mark.case("tijvin-1941", "11.A")
def test_reserves_march_before_the_turn_is_given_away() -> None:
    """Two passes end a turn: four divisions stood where they had come in until the game was lost, turn after turn. To
    bring them up waits as well as a pass does."""
    assert _first("soviet", control="0309", turn=8, far=True) == "activate 54-Army"
    assert _first("soviet", control="0309", turn=8, passed=True, far=True) == "activate 54-Army"


@pytest.mark.case("tijvin-1941", "11.A")
def test_germans_who_are_winning_wait_near_the_end() -> None:
    """Before that they strike as long as they can."""
    assert _first("german", control="all", turn=8) == "activate 39-AK"
    assert _first("german", control="all", turn=14) == "pass"
    assert _first("german", control="0309", turn=14) == "activate 39-AK"


@pytest.mark.case("tijvin-1941", "5")
@pytest.mark.case("tijvin-1941", "10")
def test_a_unit_in_the_enemys_zone_opens_the_line() -> None:
    """Where nobody passes along the shore the 54 Army beside Sinyavino is cut off by one German stack in the neck of
    land; a unit in the neck feeds it."""
    p = ladoga.load("tijvin-1941", {"tables.yaml": {"coast": {"open": False}}}).start()
    assert isinstance(p, TijvinPosition)
    u = p.roster.index["254-ID"]
    p.restack(u, at(p, "0406"), "german")
    p.hexes[u] = at(p, "0406")
    p.disturb()
    lines = reading(p, "soviet").lines
    load = {at(p, "0303"): 17, at(p, "0304"): 16, at(p, "0507"): 5}
    assert sum(lines.cut_off(load).values()) == 33
    neck = lines.opening(load, p.ground.land)
    assert neck
    assert not lines.cut_off({**load, **dict.fromkeys(neck, 1)})
    assert lines.opening(load, 0) == ()


@pytest.mark.case("tijvin-1941", "11.H")
@pytest.mark.case("tijvin-1941", "15.1")
def test_headquarters_are_set_up_with_those_who_obey_them() -> None:
    """Nobody is assigned anew on turn 1, so a Soviet headquarters counts only its own in the set-up."""
    p = GAME.start()
    assert isinstance(p, TijvinPosition)
    while p.to_move != "soviet":
        p = p.play(StaffPlayer().choose(p.view("german"), random.Random(1)))
        assert isinstance(p, TijvinPosition)
    assert p.stage.startswith("set-up")
    q = p.roster.hq_index["52-Army"]
    own = {p.hexes[u] for u in p.roster.of["soviet"] if p.hq[u] == q and p.hexes[u] >= 0}
    assert set(flock(reading(p, "soviet"), q)) == own


@pytest.mark.case("tijvin-1941", "11.A")
def test_a_general_notes_the_time_he_took() -> None:
    """The time of a turn is shared by how many units have yet to act; what one does not need is left to the next."""
    position: Position = GAME.start()
    general, rng = GeneralPlayer(think=0.3), random.Random(5)
    other = StaffPlayer()
    while position.phase.id != "german-movement":
        mover = position.to_move
        assert mover is not None
        chosen = position.legal.random(rng) if mover == "chance" else other.choose(position.view(mover), rng)
        position = position.play(chosen)
    order = general.choose(position.view("german"), rng)
    assert position.why_not(order) is None
    turn, used = general.notes["searched"]
    assert turn == 1
    assert used > 0.0


@pytest.mark.case("tijvin-1941", "14")
def test_a_city_without_a_line_does_not_count_in_the_end() -> None:
    """On the last turn a stack with a zone beside an empty German city takes its points; Germans in it keep them."""
    given = {"places": {"0505": ["major-city"]}}
    units = {"s": unit("soviet", "0606", 8), "g": unit("german", "0203", 4)}
    p = situation(
        turn=15, phase="german-movement", map=given, units=units, hqs={"I-AK": {"hex": "0203"}}, control="all"
    )
    lie = reading(p, "german")
    city = at(p, "0505")
    assert list(lie.counted) == [city]
    assert lie.lines.cut_off(p.field("german").load) == {city: round(lie.counted[city])}
    assert not lie.lines.cut_off({city: 4})
    stack = {at(p, "0606"): 8}
    theirs = reading(p, "soviet")
    assert cut_off(theirs, stack) == pytest.approx(theirs.counted[city])
    earlier = situation(turn=14, phase="german-movement", map=given, units=units, control="all")
    assert not reading(earlier, "german").counted


def test_the_forecasts_weights_are_found_again_in_what_they_explain() -> None:
    """Where final points follow from two things that are seen, games enough tell their worth."""
    rng = random.Random(3)
    seen = [figures(Measures, level=1.0, foot=rng.uniform(0, 90), major=rng.uniform(0, 6)) for _ in range(2000)]
    samples = [Sample(rng.randint(1, 15), each, 0.1 * each.foot + 2.0 * each.major + 3.0) for each in seen]
    before = tuple((turn, figures(Measures)) for turn in (1, 8, 15))
    weights = fitted(samples, before)
    for _, found in weights:
        assert found.foot == pytest.approx(0.1, abs=0.02)
        assert found.major == pytest.approx(2.0, abs=0.2)
    assert explained(samples, weights) > 0.9 > explained(samples, before)


def test_games_that_were_kept_are_not_played_again(tmp_path: Path) -> None:
    asked = []

    def play(seed: int) -> list[Sample]:
        asked.append(seed)
        return [Sample(1, figures(Measures, level=1.0, foot=float(seed)), 2.0)]

    def read(told: list[Any]) -> Sample:
        return Sample(told[0], Measures(*told[1]), told[2])

    first = list(played(range(2), tmp_path / "games.jsonl", play, read))
    again = list(played(range(3), tmp_path / "games.jsonl", play, read))
    assert asked == [0, 1, 2]
    assert again[:2] == first
