"""A way named hex by hex (6.12): legal exactly when its single steps are, and it changes only what lies on it.

The situations are strewn at random over the parts of the maps where a way can go wrong: the city and its inset, the
great river, lakes, cities of value. What a way may be is worked out here step by step from the text, with the unit
set down anew for every step; the engine is asked for the whole way at once.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import ladoga

from .conftest import german, happened, refused, situation, soviet

SEEDS = int(os.environ.get("LADOGA_PATHS", "12"))
"""How many situations are strewn for each game and side; the long run sets more."""
WAYS = 16
"""Ways tried in each."""
PHASES = ("german-movement", "german-mechanized-movement", "soviet-movement")
ALLOWANCES = (1, 2, 3, 5, 8, 14)


# Single steps, as the text has them ---------------------------------------------------------------


class Walker:
    """A unit that goes from hex to hex, judged one step at a time."""

    def __init__(self, pos, unit: str) -> None:
        self.pos, self.unit = pos, unit
        self.index = pos.index[unit]
        self.document = pos.document()
        self.enemy = "soviet" if pos.to_move == "german" else "german"
        self.zone, self.rigid = pos.zoc(self.enemy), pos.rigid_zone(self.enemy)
        ground, spec = pos.ground, pos.roster[self.index]
        self.prices = ground.ways(spec.side, spec.column).prices
        self.summons = ground.numbers(ground.fringe_inset) if pos.to_move == "german" and pos.summons_due else ()

    def at(self, hex_: str):
        """The same situation with the unit in another hex, not moved."""
        units = {name: dict(entry) for name, entry in self.document["units"].items()}
        units[self.unit].pop("waiting", None)
        units[self.unit] |= {"hex": hex_, "supply": "out" if self.pos.is_out(self.index) else "in"}
        return self.pos.game.position({**self.document, "units": units})

    def joined(self, a: str, b: str) -> bool:
        """Whether two hexes are one place on the two maps (8.34)."""
        hex_ = self.pos.ground.grid.hex
        return bool(self.pos.ground.links.get(hex_(a), 0) >> hex_(b) & 1)

    def price(self, a: str, b: str, behind: list[str]) -> Fraction | None:
        """Points for one step: terrain, and 3 to leave a zone (9.4); nothing where it takes a whole allowance."""
        hex_ = self.pos.ground.grid.hex
        price = self.prices[hex_(a)].get(hex_(b))
        if price is None:
            return None
        return Fraction(price, 6) + (3 if set(behind) & self.zone else 0)

    def stops(self, hex_: str) -> bool:
        """Whether a unit that has come to a hex goes no further (9.2, 8.33)."""
        return hex_ in self.rigid or hex_ in self.summons

    def verdict(self, path: list[str]) -> tuple[bool, Fraction, set[str]]:
        """Whether the steps are legal, what they cost, and the hexes they mark.

        A single hex that is more than a unit can pay takes all its points (6.13, 6.33).
        """
        start = self.pos.document()["units"][self.unit]["hex"]
        here, behind, steps, cost = start, [start], 0, Fraction(0)
        whole = False
        marked: set[str] = set()
        nothing = False, cost, marked
        for number in path:
            if number not in self.pos.ground.grid or (self.stops(here) and (steps or here != start)):
                return nothing
            if whole:  # over the great river, and no further (6.33)
                return nothing
            linked = self.joined(here, number)
            if not linked and not self.pos.ground.grid.adjacent(*map(self.pos.ground.grid.hex, (here, number))):
                return nothing
            after = self.step([*behind, number])
            if after is None:
                return nothing
            marked |= set(after.document()["german-held"]) ^ set(self.document["german-held"])
            if not linked:
                steps += 1
                price = self.price(here, number, behind)
                whole = whole or price is None
                cost += price or 0
            here, behind = number, [*behind, number] if linked else [number]
        if not steps:
            return here != start, cost, marked
        only_one = self.pos.is_out(self.index)
        allowance = Fraction(self.pos.roster[self.index].movement, 6)
        afford = not whole and cost <= allowance
        return steps == 1 or (afford and not only_one), cost if afford else allowance, marked

    def step(self, hexes: list[str]):
        """The position after one step, transfers before it included, from a hex in which nothing went before."""
        pos = self.at(hexes[0])
        if hexes[0] == hexes[-1]:  # transferred there and back: nothing has happened yet
            return pos
        order = f"move {self.unit} {'-'.join(hexes)}"
        return pos.play(order) if pos.why_not(order) is None else None


# Situations and ways ------------------------------------------------------------------------------


def strewn(game, phase: str, rng: random.Random):
    """A unit of the phasing side with friends and enemies about it, somewhere it matters."""
    side = phase.partition("-")[0]
    ground = game.position({"game": game.id, "phase": "german-movement", "turn": 4}).ground
    land = ground.numbers(ground.land)
    watched = ground.numbers(game.watched(ground) | ground.linked | ground.interior)
    for _ in range(200):
        centre = rng.choice(watched if rng.random() < 0.7 else land)
        near = ground.numbers(ground.grid.within(ground.grid.mask([centre]), 3) & ground.land)
        places = iter(rng.sample(near, min(len(near), 8)))
        own, other = (german, soviet) if side == "german" else (soviet, german)
        units = {}
        for name, make in (("x", own), ("f", own), ("e", other), ("d", other), ("c", other)):
            place = next(places, None)
            if place is None or (name != "x" and rng.random() < 0.3):
                continue
            units[name] = make(place, rng.choice(("8-A", "4-B", "1-C")), movement=rng.choice(ALLOWANCES))
        if side == "german" and (phase == PHASES[1] or rng.random() < 0.3):
            units["x"]["type"] = "panzer"
        elif rng.random() < 0.3:
            units["x"]["type"] = "hq" if side == "german" else rng.choice(("guerrilla", "worker"))
        units["x"]["supply"] = "out" if rng.random() < 0.1 else "in"
        try:
            pos = situation(game, phase, units, map=None, **{"german-held": rng.sample(near, 2)})
        except ladoga.BadDocument:  # a stack or a hex that the game does not allow
            continue
        if pos.to_move == side and pos.phase.id == phase:
            return pos
    raise AssertionError("no situation found")


def ways(pos, rng: random.Random):
    """Ways for a unit: strolls that double back, with jumps, the edge of the map and enemies in them."""
    ground = pos.ground
    land = ground.numbers(ground.land)
    start = pos.document()["units"]["x"]["hex"]
    for _ in range(WAYS):
        path = [start]
        for _ in range(rng.randint(1, 5)):
            h = ground.grid.hex(path[-1])
            beside = [ground.number(n) for n in ground.grid.neighbours(h) if n >= 0]
            beside += 2 * ground.numbers(ground.links.get(h, 0))
            draw = rng.random()
            if draw < 0.12:
                path.append(rng.choice(path))
            elif draw < 0.2:
                path.append(rng.choice(land))
            elif draw < 0.22:
                path.append("9999")
            else:
                path.append(rng.choice(beside))
            if path[-1] == "9999":
                break
        if rng.random() < 0.3 and len(path) > 2:
            path.append(path[1])
        yield path[1:]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.case("assault-*", "6.12", "9.2", "11.21", "6.13", "9.4")
def test_a_way_is_legal_exactly_when_its_steps_are(game, phase, seed):
    rng = random.Random(f"{game.id} {phase} {seed}")
    pos = strewn(game, phase, rng)
    walker = Walker(pos, "x")
    start, reach = pos.document()["units"]["x"]["hex"], pos.reach("x")
    for path in ways(pos, rng):
        order = f"move x {'-'.join([start, *path])}"
        legal, cost, marked = walker.verdict(path)
        refusal = pos.why_not(order)
        assert (refusal is None) == legal, (order, refusal, cost, pos.document())
        if legal:
            assert pos.cost(order) == cost
            assert path[-1] == start or reach[path[-1]].cost <= cost, (order, pos.document())
            _changes_only_what_lies_on_it(pos, order, [start, *path], marked)


def _told(pos) -> dict[str, Any]:
    """A document without the supply status, which is written down only where it is not the usual one."""
    document = pos.document()
    for entry in document["units"].values():
        entry.pop("supply", None)
    return document


def _changes_only_what_lies_on_it(pos, order: str, path: list[str], marked: set[str]) -> None:
    played = pos.play(order)
    assert played.out == pos.out
    before, after = _told(pos), _told(played)
    assert after["units"].pop("x") == {**before["units"].pop("x"), "hex": path[-1], "moved": True}
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    assert changed <= {"german-held", "captured", "pending", "marching", "spent"}
    for key in ("german-held", "captured"):
        assert set(before[key]) ^ set(after[key]) <= set(path)
    assert set(before["german-held"]) ^ set(after["german-held"]) == marked


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.case("assault-leningrad", "6.13", "6.33", "8.34")
@pytest.mark.case("assault-stalingrad", "6.13", "8.34")
def test_every_hex_in_reach_has_a_legal_way_at_its_price(game, phase, seed):
    rng = random.Random(f"reach {game.id} {phase} {seed}")
    pos = strewn(game, phase, rng)
    walker = Walker(pos, "x")
    reach = pos.reach("x")
    for number in rng.sample(sorted(reach), min(len(reach), 6)):
        found = reach[number]
        legal, cost, _ = walker.verdict(list(found.path[1:]))
        assert legal, (number, found, pos.document())
        assert cost == found.cost == pos.cost(f"move x {number}"), (number, found, pos.document())
        assert pos.why_not(f"move x {'-'.join(found.path)}") is None


ARRIVALS = {"assault-leningrad": ("58ID", 5, "entry-a"), "assault-stalingrad": ("384ID", 3, "entry-w")}


def landed(game, rng: random.Random):
    """A German division that waits at the edge of the map, with friends and enemies at its entry area."""
    unit, turn, area = ARRIVALS[game.id]
    ground = game.ground(game.map)
    near = ground.numbers(ground.grid.within(ground.place(area), 3) & ground.land)
    edge = ground.numbers(ground.place(area))
    places = iter([*rng.sample(edge, 3), *rng.sample(near, 5)])
    units = {unit: {"waiting": True}}
    for name in ("f", "e", "d", "c", "b"):
        place = next(places)
        if rng.random() < 0.8 and place not in {entry.get("hex") for entry in units.values()}:
            make = german if name == "f" else soviet
            units[name] = make(place, rng.choice(("8-A", "4-B", "1-C")))
    return situation(game, "german-movement", units, map=None, turn=turn), unit, edge, near


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.case("assault-*", "16.14", "16.15", "6.12")
def test_a_way_onto_the_map_is_its_entry_hex_and_the_steps_from_there(game, seed):
    """The entry hex is the first hex of movement; what is left of the points is there for the steps."""
    rng = random.Random(f"enter {game.id} {seed}")
    pos, unit, edge, near = landed(game, rng)
    allowance = Fraction(pos.roster[pos.index[unit]].movement, 6)
    for _ in range(WAYS):
        path = [rng.choice(edge if rng.random() < 0.9 else near)]
        for _ in range(rng.randint(0, 4)):
            h = pos.ground.grid.hex(path[-1])
            beside = [pos.ground.number(n) for n in pos.ground.grid.neighbours(h) if n >= 0]
            path.append(rng.choice(near) if rng.random() < 0.1 else rng.choice(beside))
        legal = _may_enter(pos, unit, edge, path, allowance)
        refusal = pos.why_not(f"enter {unit} {'-'.join(path)}")
        if len(path) > 1:
            assert (refusal is None) == legal, (path, refusal, pos.document())
        if legal:
            after = pos.play(f"enter {unit} {'-'.join(path)}").document()["units"][unit]
            assert (after["hex"], after["moved"]) == (path[-1], True)


def _may_enter(pos, unit: str, edge: list[str], path: list[str], allowance: Fraction) -> bool:
    """The entry hex free and in the area, then every step by itself with the points that are left."""
    ground = pos.ground
    held = {entry["hex"] for entry in pos.document()["units"].values() if "hex" in entry}
    if path[0] not in edge or path[0] in held:
        return False
    column = pos.roster[pos.index[unit]].column
    spent = min(Fraction(ground.entry_price(ground.grid.hex(path[0]), column), 6), allowance)
    walker = Walker(pos, unit)
    for here, number in pairwise(path):
        if walker.stops(here) or not ground.grid.adjacent(*map(ground.grid.hex, (here, number))):
            return False
        price = walker.price(here, number, [here])
        if price is None or walker.step([here, number]) is None:
            return False
        spent += price
        if spent > allowance:
            return False
    return True


# What went wrong once -----------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "6.12")
def test_a_way_that_ends_where_its_first_step_leads_is_walked_to_the_end(leningrad):
    units = {"x": german("2023", "8-A", 6), "e": soviet("0611", "1-C")}
    pos = situation(leningrad, "german-movement", units, map=None)
    assert refused(pos, "move x 2022-0401-0312-0611-2022") == "6.12"
    assert refused(pos, "move x 2022-2023-2022-2023-2022-2023-2022-2023-2022") == "6.13"


@pytest.mark.case("assault-*", "9.2")
def test_a_rigid_zone_stops_a_unit_that_comes_back_to_where_it_began(game):
    """It may leave the zone it begins in; when it enters it again it stops there."""
    pos = situation(game, "german-movement", {"x": german("0505", movement=30), "e": soviet("0504", "4-A")})
    assert pos.why_not("move x 0505-0506") is None
    assert pos.why_not("move x 0505-0506-0505") is None
    assert refused(pos, "move x 0505-0506-0505-0506") == "9.2"


@pytest.mark.case("assault-*", "6.12", "7.5")
def test_a_unit_may_come_back_to_its_hex(game):
    """It is not in its own way; whoever joined the hex it left would be."""
    pos = situation(game, "german-movement", {"x": german("0505", movement=8), "f": german("0507")})
    after = pos.play("move x 0505-0506-0505")
    assert after.document()["units"]["x"] == {**pos.document()["units"]["x"], "moved": True}
    assert refused(pos, "move x 0505-0506-0507") == "7.1"


@pytest.mark.case("assault-leningrad", "11.21", "8.34")
def test_out_of_supply_a_transfer_is_no_hex_and_a_second_hex_is_one_too_many(leningrad):
    """The fringe hexes of the two maps are one place: one hex of march, with a transfer before or after it."""
    pos = situation(leningrad, "german-movement", {"x": german("0520", supply="out")}, map=None)
    fringe = pos.ground.numbers(pos.ground.links[pos.ground.grid.hex("0420")])
    assert pos.why_not(f"move x 0420-{fringe[0]}") is None
    assert fringe[0] in pos.reach("x")
    inside = next(n for n in pos.ground.numbers(pos.ground.interior) if pos.ground.grid.adjacent(
        pos.ground.grid.hex(n), pos.ground.grid.hex(fringe[0])))  # fmt: skip
    assert refused(pos, f"move x 0420-{fringe[0]}-{inside}") == "11.21"


@pytest.mark.case("assault-leningrad", "11.21", "8.33")
def test_out_of_supply_the_summons_gives_no_second_hex(leningrad):
    units = {"x": german("0520", supply="out", movement=8), "e": soviet("0320", "4-B")}
    pos = situation(leningrad, "german-movement", units, map=None)
    fringe = pos.ground.numbers(pos.ground.links[pos.ground.grid.hex("0420")])
    pos = pos.play(f"move x 0420-{fringe[0]}")
    assert pos.to_move == "soviet"
    far = max(pos.legal.of("e"), key=lambda order: pos.ground.grid.distance(
        *map(pos.ground.grid.hex, (order.hexes[0], fringe[0]))))  # fmt: skip
    pos = pos.play(far).play("end")
    inside = [n for n in pos.ground.numbers(pos.ground.interior) if pos.ground.grid.adjacent(
        pos.ground.grid.hex(n), pos.ground.grid.hex(fringe[0]))]  # fmt: skip
    assert refused(pos, f"move x {fringe[0]}-{inside[0]}") == "11.21"
    assert not pos.reach("x")


@pytest.mark.case("assault-leningrad", "18.21")
def test_a_guerrilla_that_must_get_away_may_not_walk_home(leningrad):
    units = {"G": soviet("0520", "1-C", 8, "guerrilla")}
    pos = situation(leningrad, "soviet-movement", units, map=None, turn=1, options={"guerrillas-away": True})
    assert refused(pos, "move G 0520-0521-0520") == "18.21"


# A move by destination ----------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "17.25", "6.12")
@pytest.mark.parametrize(
    ("start", "through", "city"),
    [("1003", "1103-1202-1201", "1202"), ("2007", "2107-2106-2105", "2107"), ("2914", "3013-3113-3112", "3113")],
)
def test_a_move_by_destination_goes_round_a_city_that_would_have_to_be_held(leningrad, start, through, city):
    """An equally cheap way that does not capture it is taken; named hex by hex the other one is walked."""
    pos = situation(leningrad, "german-movement", {"x": german(start, movement=8)}, map=None)
    goal = through[-4:]
    assert city not in pos.reach("x")[goal].path
    after = pos.play(f"move x {goal}")
    assert city not in after.document()["captured"]
    assert "must now stay" not in happened(after)
    assert city in pos.play(f"move x {through}").document()["captured"]


@pytest.mark.case("assault-leningrad", "17.25", "6.12")
def test_a_move_by_destination_says_when_it_had_to_go_through_such_a_city(leningrad):
    units = {"x": german("1001", movement=8)}
    pos = situation(leningrad, "german-movement", units, map=None)
    assert "1202" in pos.reach("x")["1203"].path
    after = pos.play("move x 1203")
    assert "1202" in after.document()["captured"]
    assert "x went through Kirishi 1202, where a division must now stay" in happened(after)
    held = situation(leningrad, "german-movement", units, map=None, captured=["1202"], **{"german-held": ["1202"]})
    assert "must now stay" not in happened(held.play("move x 1203"))
    assert "must now stay" not in happened(pos.play("move x 1202"))
