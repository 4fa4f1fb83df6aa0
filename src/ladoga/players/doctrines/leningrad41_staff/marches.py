"""Marches: where each unit goes in a movement phase, sub-command after sub-command (8.0, 15.0)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from ....games.leningrad41 import movement, pontoons
from ....games.leningrad41.counters import GERMAN
from ....games.leningrad41.state import WAITING
from ....hexes import Hex, HexMask, members
from ....kernel.orders import Order
from ...lay import FAR
from ...words import Reason, Words
from .lie import Lie
from .line import plan, posts, reach
from .storms import Storm, Storms, pays
from .ways import Way, gauntlet, march, ways

STRIKING = ("LFR",)
"""Sub-commands that go for the objectives the enemy holds."""
ANEW = 4
"""How often a phase the posts of a line are given out anew."""
EXPOSED = 3.0
"""What it costs guns to stand next to the enemy."""
STAND_OFF = 10.0
"""Points from their work at which guns may stay."""
SHARE = 20.0
"""Fire of its guns that a sub-command can give to one assault."""
BOMBS = 0.5
"""How sure the enemy's bombers are taken to find guns."""
INERTIA = 0.2
"""What a march must be worth."""
FRONT = 5
"""Hexes nearest to the work that are looked at."""
TRIED = 4
"""Hexes whose way is looked at."""
LONE = 8.0
"""What it costs Manstein to stand alone where the enemy can come."""
NOT_IN = -1e6
"""What it is worth to stay off the map."""
STOPPED = 1.0
"""What it costs to be stopped on a motorized march."""


class Marches:
    """A movement phase. What must be remembered from order to order is kept in the staff's notes."""

    def __init__(self, lie: Lie, notes: dict[str, Any]) -> None:
        self.lie, self.p = lie, lie.p
        moment = (lie.p.turn, lie.p.phase_number)
        if notes.get("march") != moment:
            notes.clear()
            planned = Storms(lie) if lie.storms else None
            self._begin(notes, planned.storms if planned is not None else [])
            notes["line"], notes["posts"] = plan(lie) if lie.line else (0, {})
        self.done: set[int] = notes["done"]
        self.engaged: dict[tuple[Hex, str], list[int]] = notes["engaged"]
        self.goals: dict[str, HexMask] = notes["goals"]
        self.queue: list[int] = notes["queue"]
        self.line: HexMask = notes["line"]
        self.notes = notes
        self.reason: Reason = ""
        self._guns: dict[str, list[tuple[int, HexMask]]] = {}
        """Fire and reach of the guns of a sub-command."""

    def _begin(self, notes: dict[str, Any], storms: list[Storm]) -> None:
        """Note down the plan of a phase."""
        posts = {q: h for storm in storms for q, h in storm.posts}
        seats = dict(seat for storm in storms for seat in storm.seat)
        notes.update(march=(self.p.turn, self.p.phase_number), done=set(), engaged={}, goals={}, anew=ANEW, last=-1)
        notes.update(storms=posts, seats=seats, queue=self._queue(posts), faces={}, wards={})
        notes["parties"] = {q: storm for storm in storms if storm.guns or len(storm.posts) > 1 for q, _ in storm.posts}

    # Whose turn it is -------------------------------------------------------------------------------

    def _queue(self, storms: Collection[int]) -> list[int]:
        """Units by sub-command, those with a part in a storm first, then those in front; corps troops and leaders
        last."""
        lie, p = self.lie, self.p
        far = lie.march(lie.missing or lie.theirs)
        roster = p.roster
        coming = [q for q in movement.waiting(p) if roster.side[q] == lie.side]
        mine = [*p.on_map(lie.side), *coming]

        def distance(piece: int) -> float:
            return far.get(p.where[piece], FAR)

        lead: dict[int, float] = {}
        for piece in mine:
            command = roster.command[piece]
            lead[command] = min(lead.get(command, FAR), distance(piece))

        def rank(piece: int) -> tuple[bool, bool, float, int, bool, float, int]:
            unit = lie.units[piece]
            command = roster.command[piece]
            ready = piece in storms
            return unit.leader, unit.command == "56", lead[command], command, not ready, distance(piece), piece

        return sorted(mine, key=rank)

    def order(self) -> Order | None:
        """The next march, or nothing when everybody stands where he should."""
        p = self.p
        moving = p.moving
        if moving is not None and moving.piece not in self.queue:
            self._turned_over(moving.piece)
        if moving is not None and moving.left > 0 and moving.piece not in self.done and p.where[moving.piece] >= 0:
            order = self._best(moving.piece)
            if order is not None:
                return order
            self._settle(moving.piece)
        while self.queue:
            piece = self.queue[0]
            order = None
            here = p.where[piece] >= 0 or p.where[piece] == WAITING
            if here and piece not in self.done and movement.block(p, piece) is None:
                order = self._best(piece)
            if order is not None:
                self.notes["last"] = piece
                return order
            self._settle(self.queue.pop(0))
        return None

    def _turned_over(self, piece: int) -> None:
        """A unit that was fired at has shown its face (6.6): what its back was told holds for it."""
        back = self.notes["last"]
        if back < 0 or not self.lie.units[back].back or self.p.where[back] >= 0:
            return
        self.notes["last"] = -1
        self.notes["faces"][back] = piece
        for told in ("storms", "posts", "wards"):
            if back in self.notes[told]:
                self.notes[told][piece] = self.notes[told].pop(back)

    def _called_off(self, piece: int) -> bool:
        """Whether the storm in which a unit has a part is not worth it any more, since others of its party fell."""
        faces, p, lie = self.notes["faces"], self.p, self.lie
        was = next((back for back, face in faces.items() if face == piece), piece)
        storm = self.notes["parties"].get(was)
        if storm is None:
            return False
        party = {faces.get(q, q): h for q, h in storm.posts}
        left = {q: h for q, h in party.items() if p.where[q] >= 0 or p.where[q] == WAITING}
        if len(left) == len(party):
            return False
        left = {q: h for q, h in left.items() if q not in self.done or p.where[q] == h}
        guns = [q for q in storm.guns if p.where[q] >= 0]
        return not pays(lie, storm.target, left, guns)

    def _settle(self, piece: int) -> None:
        """A unit stays where it is: note what it can storm from there."""
        self.done.add(piece)
        h = self.p.where[piece]
        unit = self.lie.face(piece)
        if h < 0 or unit is None or unit.leader or unit.indirect:
            return
        gain, target = max(((self._gain(piece, h, t), t) for t in self._targets(h)), default=(0.0, -1))
        if gain > 0:
            self.engaged.setdefault((target, unit.command), []).append(piece)

    # Where to ---------------------------------------------------------------------------------------

    def _goal(self, command: str) -> HexMask:
        """What a sub-command marches towards, chosen once a phase; a Soviet looks anew for each unit."""
        lie = self.lie
        if lie.side != GERMAN:
            return self._needs(command)
        if command not in self.goals:
            self.goals[command] = self._axis(command)
        goal = self.goals[command]
        return (goal & ~lie.held if lie.thorough else goal) or lie.missing or lie.theirs

    def _axis(self, command: str) -> HexMask:
        """The nearest objectives that other sub-commands do not already march on."""
        lie, p = self.lie, self.p
        if command == "56":
            return lie.missing
        places = [p.where[q] for q in p.roster.of_command[command] if p.where[q] >= 0]
        start = sum(1 << h for h in set(places)) or p.ground.entry[GERMAN]
        far = lie.march(start)
        taken = list(self.goals.values())

        def rank(h: Hex) -> tuple[float, Hex]:
            return far.get(h, FAR) + 5.0 * sum(goal >> h & 1 for goal in taken), h

        return sum(1 << h for h in sorted(members(lie.missing), key=rank)[:4])

    def _needs(self, command: str) -> HexMask:
        """Objectives that want a garrison: empty ones the enemy can reach, and those he left; the Front
        Reserve goes for those he holds too."""
        lie, p = self.lie, self.p
        empty = p.ground.objective & ~p.occupied[0] & ~p.occupied[1]
        needs = sum(1 << h for h in members(empty) if not lie.held >> h & 1 or lie.threat(h) >= 0.5)
        if command in STRIKING or lie.closing:
            needs |= lie.missing
        return needs or p.ground.objective & lie.watched or lie.held or lie.theirs

    def _best(self, piece: int) -> Order | None:
        """The march that gains most, if any does; who waits must come in."""
        lie, p = self.lie, self.p
        unit = lie.units[piece]
        here = p.where[piece]
        if unit.leader:
            return self._leader(piece)
        post = self.notes["storms"].get(piece)
        if post is not None and (post == here or not self._called_off(piece)):
            order = self._to(piece, post, "Forms up for the storm at")
            if order is not None or post == here:
                return order
        if self.line and here >= 0 and not unit.indirect:
            order, holds = self._into_line(piece)
            if order is not None or holds:
                return order
        ward = self.notes["wards"].get(piece)
        if ward is not None and not p.occupied[lie.side] >> ward & 1:
            order = self._to(piece, ward, "Garrisons")
            if order is not None:
                return order
        if ward is not None and ward == here:
            return None
        far = lie.march(self._goal(unit.command))
        stay = self._score(piece, here, far) if here >= 0 else NOT_IN
        rated: list[tuple[float, Hex, Way]] = []
        found = self._ways(piece)
        for way in found:
            new = way[2]
            hexes = new & (p.ground.objective | lie.watched)
            if here < 0:
                hexes |= new & p.ground.entry[lie.side]
            nearest = sorted(members(new & ~hexes), key=lambda h: (far.get(h, FAR), h))[:FRONT]
            rated += [(self._score(piece, h, far), h, way) for h in (*members(hexes), *nearest)]
        rated.sort(key=lambda entry: (-entry[0], entry[1]))
        best, value = None, stay + INERTIA
        for score, h, way in rated[:TRIED]:
            if score <= value:
                break
            score -= self._toll(piece, way, h)
            if score > value:
                best, value = (h, way), score
        metro = self._metro(piece, value) if here >= 0 else None
        if metro is not None:
            return metro
        if best is None:
            return self._pontoon(piece, far) if here >= 0 else None
        h, way = best
        self.reason = partial(_going, unit.id, h, self._ground(h) if here >= 0 else "in")
        if way[0] == movement.SAIL:
            return Order("sail", (unit.id,), (p.number(h),))
        return march(p, piece, way, h)

    def _ground(self, h: Hex) -> str:
        """What a hex is: an objective that is to be taken, one of ours, or any other."""
        return "taken" if self.lie.missing >> h & 1 else "kept" if self.p.ground.objective >> h & 1 else ""

    def _to(self, piece: int, post: Hex, why: str) -> Order | None:
        """The march of a unit to its post, if it can go there."""
        p = self.p
        for way in ways(p, piece):
            if way[2] >> post & 1:
                self.reason = lambda say: f"{why} {say.place(post)}"
                return march(p, piece, way, post)
        return None

    def _into_line(self, piece: int) -> tuple[Order | None, bool]:
        """The march to a unit's post in the line, and whether it has one where it stands."""
        lie, p = self.lie, self.p
        here = p.where[piece]
        if self.line >> here & 1 and min(lie.stack(here, lie.side)) == piece:
            return None, True
        for _ in range(2):
            post = self.notes["posts"].get(piece)
            if post is not None and not p.occupied[lie.side] >> post & 1:
                order = self._to(piece, post, "Closes the line at")
                if order is not None:
                    return order, False
            if not self._gaps(piece) or not self.notes["anew"]:
                break
            self._post_anew()
        return None, False

    def _gaps(self, piece: int) -> HexMask:
        """Gaps in the line for which no other unit is told off."""
        p = self.p
        gaps = self.line & ~p.occupied[self.lie.side]
        for other, h in self.notes["posts"].items():
            if other != piece and other not in self.done and p.where[other] >= 0:
                gaps &= ~(1 << h)
        return gaps

    def _post_anew(self) -> None:
        """Other units for the gaps or, where there are not enough, another line."""
        lie, notes = self.lie, self.notes
        notes["anew"] -= 1
        notes["posts"] = posts(lie, self.line, reach(lie, self.done))
        if len(notes["posts"]) < (self.line & ~self.p.occupied[lie.side]).bit_count():
            notes["line"], notes["posts"] = plan(lie, self.done)
            self.line = notes["line"]

    def _ways(self, piece: int) -> list[Way]:
        """How a unit can go, and where to."""
        p = self.p
        found = ways(p, piece)
        if p.where[piece] >= 0 and "marine" in self.lie.units[piece].traits and movement.sail_refusal(p, piece) is None:
            done = sum(new for _, _, new in found)
            hexes = movement.sail_hexes(p, piece) & p.ground.objective & ~done
            found.append((movement.SAIL, movement.spread(p, piece, movement.SAIL), hexes))
        return found

    def _toll(self, piece: int, way: Way, h: Hex) -> float:
        """What the way to a hex costs: fire on the unit, and being stopped by it."""
        lie = self.lie
        fires = gauntlet(self.p, piece, way[1], h, lie.watched)
        alive = 1.0
        for step in fires:
            alive *= 1.0 - lie.ambush(step, piece)
        stopped = STOPPED if way[0] == movement.MOTORIZED and any(step != h for step in fires) else 0.0
        return lie.safety * lie.toll * (1.0 - alive) * lie.worth(piece) + stopped

    # What a hex is worth ----------------------------------------------------------------------------

    def _score(self, piece: int, h: Hex, far: dict[Hex, float]) -> float:
        lie, p = self.lie, self.p
        unit = lie.face(piece)
        guns = unit is not None and unit.indirect
        distance = far.get(h, FAR)
        value = -lie.w.pull * lie.push * min(60.0, max(0.0, distance - STAND_OFF) if guns else distance)
        if p.ground.objective >> h & 1:
            if not lie.held >> h & 1:
                value += lie.objective
            if not lie.closing:
                others = min(2, sum(q != piece for q in lie.stack(h, lie.side)))
                value += (lie.w.first, lie.w.second, 0.0)[others] * lie.threat(h) * lie.objective / 10.0
        if not lie.closing:
            value -= lie.safety * self._risk(piece) * (2.0 if guns else 1.0) * lie.worth(piece) * lie.reply(h)
        if guns:
            return value - EXPOSED * (lie.watched >> h & 1) - self._bombs(piece, h)
        if lie.watched >> h & 1:
            storm = max((self._gain(piece, h, t) for t in self._targets(h)), default=0.0)
            value += lie.attack * self._lure(piece) * storm
        return value

    def _bombs(self, piece: int, h: Hex) -> float:
        """What Soviet guns fear from the air, which reaches everywhere."""
        lie = self.lie
        if lie.side == GERMAN:
            return 0.0
        return BOMBS * lie.worth(piece) * lie.chance(SHARE, lie.shelter(h, lie.side) + lie.rubble(h))

    def _reserve(self, piece: int) -> bool:
        """The Front Reserve strikes back where 42nd Army holds."""
        return self.lie.units[piece].command in STRIKING

    def _risk(self, piece: int) -> float:
        return self.lie.w.risk_reserve if self._reserve(piece) else self.lie.w.risk

    def _lure(self, piece: int) -> float:
        return self.lie.w.lure_reserve if self._reserve(piece) else self.lie.w.lure

    def _targets(self, h: Hex) -> list[Hex]:
        return list(members(self.lie.near(h) & self.lie.prey))

    def _gain(self, piece: int, h: Hex, target: Hex) -> float:
        """What a unit adds to the storm of a hex from another."""
        lie, p = self.lie, self.p
        unit = lie.face(piece)
        if unit is not None and not unit.assault and unit.range < 1:
            return 0.0
        river = p.ground.river(h, target)
        if river == "major" and not p.bridged(h, target, lie.side):
            return 0.0
        command = lie.units[piece].command
        party = [q for q in self.engaged.get((target, command), ()) if q != piece and p.where[q] >= 0]
        if lie.side != GERMAN and len(party) >= p.tables.command.soviet:
            return 0.0
        force = sum(lie.fire(q) for q in party)
        engineers = any(lie.units[q].engineer for q in party)
        share = self._share(command, target)
        before = self._prospect(target, force + share, engineers) if party else 0.0
        mine = unit is not None and unit.engineer
        after = self._prospect(target, force + lie.fire(piece) + share, engineers or mine, river)
        return max(0.0, after - before)

    def _share(self, command: str, target: Hex) -> float:
        """Fire that a sub-command's guns have left for one more assault."""
        lie, p = self.lie, self.p
        known = self._guns.get(command)
        if known is None:
            placed = [(lie.units[q], p.where[q]) for q in p.roster.of_command[command] if p.where[q] >= 0]
            known = [(u.fire, p.ground.within(h, u.range)) for u, h in placed if u.indirect]
            self._guns[command] = known
        guns = sum(points for points, field in known if field >> target & 1)
        busy = sum(1 for t, c in self.engaged if c == command and t != target)
        return max(0.0, min(SHARE, guns - SHARE * busy))

    def _prospect(self, target: Hex, points: float, engineers: bool, river: str = "") -> float:
        """What a storm is worth, its column taken as not quite sure yet."""
        lie, p = self.lie, self.p
        chart = p.tables.modifiers
        drm = lie.rubble(target) + chart.close_assault.drm + (0 if engineers else lie.shelter(target, lie.enemy))
        drm += {"major": chart.assault_major_river.drm, "minor": chart.assault_minor_river.drm}.get(river, 0)
        chance = sum(lie.chance(points + more, drm) for more in (-4.0, 0.0, 4.0)) / 3.0
        troops = lie.stack(target, lie.enemy) or list(p.stacks.get(target, ()))
        worth = sum(lie.worth(q) for q in troops)
        ground = lie.objective if p.ground.objective >> target & 1 else lie.w.ground
        return chance * worth + chance ** len(troops) * ground

    # Special movers ---------------------------------------------------------------------------------

    def _leader(self, piece: int) -> Order | None:
        """To his place in a storm; else where most units that can fight are in reach of his voice, not in the first
        line."""
        lie, p = self.lie, self.p
        here = p.where[piece]
        seat = self.notes["seats"].get(piece)
        if seat is not None and (here == seat or lie.stack(seat, lie.side)):
            return self._to(piece, seat, "Leads the storms from") if here != seat else None
        radius = lie.units[piece].radius
        line = lie.ours & lie.watched
        best, value, found = here, self._place(piece, here, line) + 1.0 if here >= 0 else NOT_IN, None
        worth_a_look = lie.ours | lie.grid.within(line, radius) | p.ground.entry[lie.side] | self.refuge
        for way in ways(p, piece):
            for h in members(way[2] & worth_a_look):
                rating = self._place(piece, h, line)
                if rating > value:
                    best, value, found = h, rating, way
        if found is None:
            return None
        self.reason = lambda say: (
            f"{say.units((lie.units[piece].id,))} goes to where the fighting is, {say.place(best)}"
        )
        return march(p, piece, found, best)

    @property
    def refuge(self) -> HexMask:
        """Where else a leader may look for a place."""
        return 0

    def _place(self, piece: int, h: Hex, line: HexMask) -> float:
        """What a place is worth to a leader."""
        lie = self.lie
        covered = self.p.ground.within(h, lie.units[piece].radius)
        force = sum(lie.fire(q) for there in members(covered & line) for q in lie.stack(there, lie.side))
        shy = LONE if lie.side == GERMAN else 0.0
        alone = 0.0 if lie.stack(h, lie.side) else 50.0 if lie.watched >> h & 1 else shy * lie.threat(h)
        return force - (8.0 if lie.watched >> h & 1 else 0.0) - alone

    def _metro(self, piece: int, value: float) -> Order | None:
        """A Metro move to an objective the enemy took and left, if it is worth the risk (15.5)."""
        lie, p = self.lie, self.p
        if "komsomol" not in lie.units[piece].traits or movement.metro_refusal(p, piece) is not None:
            return None
        hexes = movement.metro_hexes(p, piece) & lie.missing
        table = p.tables.metro
        here = p.where[piece]
        alone = len(lie.stack(here, lie.side)) == 1
        gain = len(table.moves) / 6 * (lie.objective - (lie.w.first * lie.threat(here) if alone else 0.0))
        gain -= len(table.lost) / 6 * lie.worth(piece)
        if not hexes or gain <= INERTIA or gain < value:
            return None
        best = min(members(hexes))
        self.reason = lambda say: f"Tries the tunnels to {say.place(best)}"
        return Order("metro", (lie.units[piece].id,), (p.number(best),))

    def _pontoon(self, piece: int, far: dict[Hex, float]) -> Order | None:
        """An engineer that stays bridges the river towards the work (8.10)."""
        lie, p = self.lie, self.p
        unit = lie.units[piece]
        if not unit.bridges or any(q == piece for q, _ in p.pontoons):
            return None
        here = p.where[piece]
        choices = [
            h
            for h in pontoons.choices(p, piece)
            if p.ground.river(here, h) == "major" and far.get(h, FAR) + 6.0 < far.get(here, FAR)
        ]
        if not choices:
            return None
        best = min(choices, key=lambda h: (far.get(h, FAR), h))
        self.reason = lambda say: f"Bridges the river towards {say.place(best)}"
        return Order("bridge", (unit.id,), (p.number(best),))


def _going(unit: str, h: Hex, how: str, say: Words) -> str:
    """What a march is for: to come in, for an objective that is to be taken or kept, or to stand better."""
    if how in ("taken", "kept"):
        return f"{'Goes for' if how == 'taken' else 'Garrisons'} {say.place(h)}"
    if how:
        return f"Brings {say.units((unit,))} in at {say.place(h)}"
    return f"Moves {say.units((unit,))} to {say.place(h)}: it stands better there"
