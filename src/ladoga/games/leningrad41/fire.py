"""Fire: defensive (9.0), offensive (10.0), indirect (11.0), from the air (12.0) and from the sea (15.3).

A fire is composed (``target``, ``add``, ``commit``) or ordered at once (``attack``). Nothing is revealed
before it is committed; then the units in the target hex are flipped, each is rolled for, and rubble,
losses and advances follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...hexes import Hex, HexMask, mask_of, members, union
from ...kernel.events import Loss
from ...kernel.orders import Order
from ...kernel.position import Modifier, Refusal, first_case, forbid, refuse
from .command import air_refusal, defensive_refusal, ground_refusal, joiners
from .counters import GERMAN, SOVIET, Unit
from .derived import remembered
from .figures import ModifierEntry
from .ground import hexside
from .movement import stack_refusal
from .state import G_AIR, READY, S_FIRE, TIERS, Attack, Sent, State, Step, unknown

ARDOR, FERVOR = "ardor", "fervor"
CANCEL, COMMIT = Order("cancel"), Order("commit")


# Range and line of fire (10.6-10.9, 11.2) ----------------------------------------------------------------


@remembered
def spotted(pos: State, command: str) -> HexMask:
    """Every hex a face-up unit of a Soviet sub-command has a line of fire to within its range (11.2)."""
    hexes, units, field = 0, pos.roster.units, pos.ground.lines.field
    for piece in pos.on_map(SOVIET):
        unit = units[piece]
        if unit.command == command and unit.range > 0 and not unit.leader:
            hexes |= field(pos.where[piece], unit.range)
    return hexes


def range_refusal(pos: State, piece: int, target: Hex) -> Refusal | None:
    """Why a unit on the map may not fire at a hex: range (10.6), line of fire (10.7), spotting (11.2)."""
    unit, h, number = pos.unit(piece), pos.where[piece], pos.number(target)
    if h == target:
        return Refusal("10.6", f"{unit.id} is itself in {number}")
    if not pos.ground.within(h, unit.range) >> target & 1:
        return Refusal("10.6", f"{number} is beyond the range of {unit.id}")
    if (unit.indirect and unit.side == GERMAN) or pos.ground.lines.field(h, unit.range) >> target & 1:
        return None
    return first_case(
        (not unit.indirect, "10.7", "the line of fire of {} to {} is blocked", unit.id, number),
        (not spotted(pos, unit.command) >> target & 1, "11.2", "no unit of {} spots {}",
         pos.roster.titles[unit.command], number),
    )  # fmt: skip


@remembered
def guns(pos: State, side: int) -> list[tuple[int, HexMask]]:
    """For each ground unit with a fire factor, the hexes it may fire at (10.6, 10.7, 11.2)."""
    ground, units, where = pos.ground, pos.roster.units, pos.where
    found = []
    for piece in pos.on_map(side):
        unit = units[piece]
        if unit.fire <= 0:
            continue
        h = where[piece]
        if not unit.indirect:
            found.append((piece, ground.lines.field(h, unit.range)))
        elif side == GERMAN:
            found.append((piece, ground.within(h, unit.range) & ~(1 << h)))
        else:
            seen = ground.within(h, unit.range) & spotted(pos, unit.command) & ~(1 << h)
            found.append((piece, ground.lines.field(h, unit.range) | seen))
    return found


def fields(pos: State, side: int) -> list[tuple[int, HexMask]]:
    """For each ground unit that may still fire, the hexes it may fire at."""
    every, fired = guns(pos, side), pos.fired
    return [pair for pair in every if not fired >> pair[0] & 1] if fired else every


def markers(pos: State, side: int) -> list[int]:
    """Air markers and the fleet's guns that may be used now (12.2-12.6, 15.3)."""
    return [
        p for p in pos.roster.markers if pos.where[p] == READY and pos.roster.side[p] == side and not pos.fired >> p & 1
    ]


def marker_refusal(pos: State, piece: int, target: Hex) -> Refusal | None:
    """Why a marker may not be used against a hex (12.5, 12.6, 15.3)."""
    unit, enemy, number = pos.unit(piece), 1 - pos.roster.side[piece], pos.number(target)
    naval = unit.type == "naval-bombardment"
    return first_case(
        (not pos.occupied[enemy] >> target & 1, "15.3" if naval else "12.6",
         "{} attacks only hexes with enemy units", unit.id),
        (not pos.tiers[enemy * TIERS] >> target & 1, "14.6",
         "the leader alone in {} is not harmed by such fire", number),
        (unit.side == SOVIET and not spotted(pos, unit.command) >> target & 1, "15.3" if naval else "12.5",
         "no unit of {} spots {}", pos.roster.titles[unit.command], number),
    )  # fmt: skip


# Composing (10.2-10.5, 10.17, 10.19) -----------------------------------------------------------------------


def target_of(pos: State, hexes: Sequence[str]) -> Attack | Refusal:
    """The fire an order aims (10.2, 10.19): at units, at an empty structure, or at a bridge (two hexes)."""
    grid = pos.map.grid
    if not 1 <= len(hexes) <= 2 or any(number not in grid for number in hexes):
        return Refusal("10.2", "a fire has one target hex of the map, or the two hexes of a bridge")
    target = grid.hex(hexes[0])
    side = pos.side
    if pos.attacked >> target & 1:
        return Refusal("10.5", f"{hexes[0]} has been attacked in this phase")
    if len(hexes) == 2:
        return _bridge_target(pos, target, grid.hex(hexes[1]))
    if pos.phase_number == G_AIR and (pos.occupied[1 - side] & ~pos.tiers[(1 - side) * TIERS]) >> target & 1:
        return Refusal("14.6", f"the leader alone in {hexes[0]} is not harmed by such fire")
    if pos.occupied[1 - side] >> target & 1:
        return Attack("air" if pos.phase_number == G_AIR else "fire", target)
    return first_case(
        (pos.phase_number == G_AIR, "12.6", "air strikes attack only hexes with enemy units"),
        (pos.occupied[side] >> target & 1, "10.19", "{} holds friendly units", hexes[0]),
        (not pos.ground.built >> target & 1, "10.19", "{} holds no enemy and no structure", hexes[0]),
        (pos.rubble >> target & 1, "10.18", "{} is already rubble", hexes[0]),
    ) or Attack("structure", target)


def _bridge_target(pos: State, target: Hex, beyond: Hex) -> Attack | Refusal:
    first = pos.tables.bridge_demolition_from_turn
    printed = pos.map.grid.adjacent(target, beyond) and pos.ground.has_bridge(target, beyond)
    return first_case(
        (pos.phase_number == G_AIR, "10.17", "bridges are attacked by offensive fire only"),
        (pos.turn < first, "10.17", "bridges may be attacked from turn {}", first),
        (not printed, "10.17", "no bridge is printed there"),
        (not pos.ground.river(target, beyond), "10.17", "no river runs there"),
        (hexside(target, beyond) in pos.broken, "10.17", "that bridge is already demolished"),
    ) or Attack("bridge", target, beyond)


def joined(pos: State, attack: Attack, name: str) -> Attack | Refusal:
    """The fire with one more unit in it."""
    piece, side = pos.piece(name), pos.side
    if piece is None or pos.roster.side[piece] != side:
        return Refusal("10.1", f"{name} is not a unit of yours")
    unit = pos.unit(piece)
    refusal = first_case(
        (unit.back, "6.6", "{} must be flipped before it attacks", name),
        (piece in attack.units, "10.2", "{} already takes part", name),
        (pos.fired >> piece & 1, "10.2" if unit.ground else "12.6", "{} has fired in this phase", name),
        (unit.fire <= 0, "10.1", "{} has no fire factor", name),
    )
    if refusal is not None or not unit.ground:
        return refusal or _marker_joined(pos, attack, piece)
    in_the_air = attack.kind == "air"
    refusal = first_case(
        (in_the_air and not attack.units, "10.1",
         "{} fires in the offensive fire phase, not among the air strikes", name),
        (in_the_air, "12.7" if side == GERMAN else "12.9", "air strikes are not combined with ground fire"),
        (attack.kind == "naval", *FLEET_ALONE),
        (pos.where[piece] < 0, "10.1", "{}", pos.absent(piece)),
    )  # fmt: skip
    pieces = (*attack.units, piece)
    refusal = refusal or range_refusal(pos, piece, attack.target) or ground_refusal(pos, side, pieces)
    return refusal or attack._replace(units=pieces)


FLEET_ALONE = Refusal("15.3", "naval bombardment is not combined with any other fire")


def _marker_joined(pos: State, attack: Attack, piece: int) -> Attack | Refusal:
    unit, pieces = pos.unit(piece), (*attack.units, piece)
    naval = unit.type == "naval-bombardment"
    refusal = first_case(
        (pos.where[piece] != READY, "15.3" if naval else "12.2" if unit.side == GERMAN else "12.4",
         "{} is not available", unit.id),
        (attack.kind in ("bridge", "structure"), "15.3" if naval else "12.6",
         "{} attacks only hexes with enemy units", unit.id),
        (naval and len(pieces) > 1, *FLEET_ALONE),
        (unit.side == GERMAN and pos.phase_number != G_AIR, "12.3",
         "German air strikes are made in the air strike phase"),
    )  # fmt: skip
    refusal = refusal or (None if naval else air_refusal(pos, unit.side, pieces))
    refusal = refusal or marker_refusal(pos, piece, attack.target)
    return refusal or attack._replace(kind="naval" if naval else "air", units=pieces)


def assaulters(pos: State, attack: Attack) -> list[int]:
    """Units of a fire that may close assault (10.15, 10.16): capable, adjacent, and able to cross."""
    if attack.kind != "fire" or pos.ground.sea >> attack.target & 1:
        return []
    return [p for p in attack.units if pos.unit(p).assault and can_cross(pos, p, attack.target)]


def can_cross(pos: State, piece: int, target: Hex) -> bool:
    """Whether a unit may assault or advance into an adjacent hex (10.16)."""
    h = pos.where[piece]
    if not next_to(pos, piece, target) or pos.ground.sea_between(h, target):
        return False
    return pos.ground.river(h, target) != "major" or pos.bridged(h, target, pos.roster.side[piece])


def next_to(pos: State, piece: int, h: Hex) -> bool:
    """Whether a unit stands next to a hex."""
    return pos.where[piece] >= 0 and pos.map.grid.adjacent(pos.where[piece], h)


def fanatics(pos: State, attack: Attack) -> bool:
    """Whether adjacent fanatical units make at least half of the strength (17.1, 17.2)."""
    near = [pos.unit(p) for p in attack.units if next_to(pos, p, attack.target)]
    zealous = [u for u in near if (u.command == "SST" if u.side == GERMAN else u.traits & {"komsomol", "nkvd"})]
    return 2 * sum(unit.fire for unit in zealous) >= strength(pos, attack) > 0


def declared(pos: State, attack: Attack, words: Sequence[str]) -> Attack | Refusal:
    """The fire as committed: plain, or a close assault, fanatical or not."""
    if not attack.units:
        return Refusal("10.3", "no unit fires")
    fanatic_word = ARDOR if pos.side == GERMAN else FERVOR
    if not set(words) <= {"assault", fanatic_word} or len(set(words)) != len(words):
        return Refusal("10.15", f"a fire is plain, 'assault' or 'assault {fanatic_word}', not {' '.join(words)!r}")
    assault, fanatic = "assault" in words, fanatic_word in words
    case = "17.1" if pos.side == GERMAN else "17.2"
    if assault and not assaulters(pos, attack):
        return _no_assault(pos, attack)
    return first_case(
        (fanatic and not assault, case, "only a close assault can be fanatical"),
        (fanatic and not pos.options.fanaticism, case, "fanaticism is an optional rule that is not in use"),
        (fanatic and not fanatics(pos, attack), case,
         "too little of the strength comes from fanatical units next to the target"),
        (not assault and attack.kind in ("fire", "air", "naval") and not defenders(pos, attack), "14.6",
         "a leader alone can be harmed only by a close assault"),
    ) or attack._replace(assault=assault, fanatic=fanatic)  # fmt: skip


def _no_assault(pos: State, attack: Attack) -> Refusal:
    near = [p for p in attack.units if pos.unit(p).assault and next_to(pos, p, attack.target)]
    return first_case(
        (attack.kind == "bridge", "10.17", "only fire at units can be a close assault"),
        (attack.kind == "structure", "10.19", "only fire at units can be a close assault"),
        (attack.kind == "naval", "15.3", "the fleet bombards and never close assaults"),
        (attack.kind == "air", "12.7" if pos.side == GERMAN else "12.9",
         "no ground unit takes part to close assault"),
        (near, "10.16", "no close assault over a major river without a bridge, nor over the sea"),
    ) or Refusal("10.15", "a close assault needs an assault-capable unit next to the target")  # fmt: skip


def composed(pos: State, order: Order) -> Attack | Refusal:
    """The whole fire an ``attack`` order describes."""
    whole = _composed(pos, order, order.hexes)
    if len(order.hexes) == 2 and isinstance(whole, Refusal) and whole.case in _OTHER_END:
        return _composed(pos, order, order.hexes[::-1])
    return whole


_OTHER_END = frozenset({"10.5", "10.6", "10.7", "11.2"})
"""Why a fire at one end of a bridge may fail where one at its other end need not: a bridge is named by its two
hexes either way round (10.17)."""


def _composed(pos: State, order: Order, hexes: Sequence[str]) -> Attack | Refusal:
    attack = target_of(pos, hexes)
    names: Sequence[str] = order.units
    if pos.phase_number == G_AIR:  # markers first
        names = sorted(names, key=lambda name: pos.roster.index.get(name, -1) not in pos.roster.markers)
    for name in names:
        if isinstance(attack, Refusal):
            return attack
        attack = joined(pos, attack, name)
    return attack if isinstance(attack, Refusal) else declared(pos, attack, order.words)


def aim_of(pos: State, order: Order) -> Attack | Refusal:
    """The fire a ``target`` order aims, within reach of somebody; at the nearer end of a bridge (10.17)."""
    forbid(pos.attack is not None, "10.2", "one fire at a time")
    hexes = order.hexes
    attack = target_of(pos, hexes)
    if isinstance(attack, Attack) and within_reach(pos, attack):
        return attack
    if len(hexes) == 2 and (isinstance(attack, Attack) or attack.case in _OTHER_END):
        other = target_of(pos, hexes[::-1])
        if isinstance(other, Attack) and within_reach(pos, other):
            return other
    if isinstance(attack, Refusal):
        return attack
    return _out_of_reach(pos, attack.target, "-".join(hexes))


def _out_of_reach(pos: State, target: Hex, number: str) -> Refusal:
    """Why nobody can fire at a target (10.2, 10.6, 12.6, 14.6)."""
    able, all_guns = (union(field for _, field in guns_of(pos, pos.side)) for guns_of in (fields, guns))
    return first_case(
        (pos.phase_number == G_AIR, "12.6", "no air strike marker is left in this phase"),
        (able >> target & 1, "14.6", "a leader alone can be harmed only by a close assault"),
        (all_guns >> target & 1, "10.2", "the units that could fire at {} have fired in this phase", number),
    ) or Refusal("10.6", f"no unit of yours can fire at {number}")


# Strength, modifiers, chances (10.3, 10.10-10.13, 10.16, 10.20, 12.8, 12.10) -----------------------------------


def strength(pos: State, attack: Attack) -> int:
    """The attacking fire strength (10.3)."""
    return sum(pos.unit(p).fire for p in attack.units)


def defenders(pos: State, attack: Attack) -> list[int]:
    """The units a fire strikes: in offensive fire all, leaders only in a close assault (10.2, 14.6)."""
    side = firing_side(pos, attack)
    stack = pos.stacks.get(attack.target, ())
    return [p for p in stack if pos.roster.side[p] != side and (attack.assault or not pos.unit(p).leader)]


def firing_side(pos: State, attack: Attack) -> int:
    """The side that fires."""
    return 1 - pos.side if attack.kind == "defensive" else pos.side


def _modifier(entry: ModifierEntry, counts: bool = True) -> Modifier:
    return Modifier(entry.title, entry.drm, entry.case, counts)


def modifiers(pos: State, attack: Attack, defender: Unit | None, *, flak: bool = False) -> list[Modifier]:
    """Every die roll modifier of a fire at one defender, or at a structure or bridge (10.10); ``flak``
    says that a face-down unit of the hex is anti-aircraft."""
    chart, h = pos.tables.modifiers, attack.target
    if attack.kind in ("bridge", "structure"):
        return _demolition(pos, attack)
    assert defender is not None
    objective, soviet = pos.ground.objective >> h & 1, defender.side == SOVIET
    negated = attack.assault and any(pos.unit(p).engineer for p in assaulters(pos, attack))
    pierced = any(pos.unit(p).anti_armor for p in attack.units)
    by_air = attack.kind == "air"
    rows = (
        (objective, chart.objective, not negated),
        (not objective and pos.ground.urban >> h & 1, chart.urban, not negated),
        (soviet and pos.ground.fortified >> h & 1, chart.fortified, not negated),
        (pos.rubble >> h & 1, chart.rubble, True),
        (defender.armored, chart.armored, not pierced),
        (attack.assault, chart.close_assault, True),
    )
    result = [_modifier(entry, counts) for applies, entry, counts in rows if applies]
    result += _over_water(pos, attack) if attack.assault else []
    if attack.fanatic:
        result.append(_modifier(chart.fanaticism)._replace(case=chart.fanaticism.case if soviet else "17.2"))
    if by_air and any("rudel" in pos.unit(p).traits for p in attack.units):
        result.append(_modifier(chart.rudel))
    if by_air and (flak or _flak(pos, attack)):
        result.append(_modifier(chart.anti_aircraft))
    return result


def _over_water(pos: State, attack: Attack) -> list[Modifier]:
    """The worst river that an assaulting unit crosses (10.16)."""
    rivers = {pos.ground.river(pos.where[p], attack.target) for p in assaulters(pos, attack)}
    chart = pos.tables.modifiers
    if "major" in rivers:
        return [_modifier(chart.assault_major_river)]
    return [_modifier(chart.assault_minor_river)] if "minor" in rivers else []


def _flak(pos: State, attack: Attack) -> bool:
    """Whether a face-up anti-aircraft unit of the defender is in or next to the hex (12.10)."""
    enemy = 1 - firing_side(pos, attack)
    near = pos.ground.within(attack.target, pos.tables.anti_aircraft_reach) & pos.occupied[enemy]
    return any("anti-aircraft" in pos.unit(p).traits for h in members(near) for p in pos.stacks[h])


def _demolition(pos: State, attack: Attack) -> list[Modifier]:
    """The modifiers of bridge and structure attacks (10.17, 10.19)."""
    chart, h = pos.tables.modifiers, attack.target
    if attack.kind == "bridge":
        major = pos.ground.river(h, attack.beyond) == "major"
        result = [_modifier(chart.bridge_major if major else chart.bridge_minor)]
    else:
        objective = pos.ground.objective >> h & 1
        result = [_modifier(chart.structure_objective if objective else chart.structure_urban)]
    near = 1 << h | pos.map.grid.ring(1 << h)  # the other end of a bridge too
    if any("engineer" in pos.unit(p).type and near >> pos.where[p] & 1 for p in attack.units):
        result.append(_modifier(chart.demolition_engineer)._replace(case=result[0].case))
    return result


def net(modifiers_of: Sequence[Modifier]) -> int:
    """The sum of the modifiers that count."""
    return int(sum(m.amount for m in modifiers_of if m.counts))


def eliminates(pos: State, points: int, drm: int, face: int) -> bool:
    """Whether a die eliminates for a fire strength and modifiers (10.3)."""
    table = pos.tables.combat
    return face + drm <= table.eliminated_on[table.column(points)]


# Orders of the fire phases -------------------------------------------------------------------------------------


def firing_phase_markers(pos: State) -> list[int]:
    """Markers for this phase: German air in its own phase, Soviet air and fleet in the fire phase."""
    return markers(pos, pos.side) if pos.phase_number in (G_AIR, S_FIRE) else []


def targets(pos: State) -> list[Order]:
    """Everything that can be fired at."""
    aimed = aimable(pos)
    return [*_bridge_orders(pos, aimed), *pos.ground.targets(_target_hexes(pos, aimed))]


def _target_hexes(pos: State, aimed: HexMask) -> HexMask:
    """The hexes that can be fired at, of those that units may aim at; bridges apart."""
    side = pos.side
    enemies = pos.occupied[1 - side] & ~pos.attacked
    troops = enemies & pos.tiers[(1 - side) * TIERS]
    if pos.phase_number == G_AIR:
        return troops if markers(pos, side) else 0
    empty = pos.ground.built & ~(pos.rubble | pos.attacked | pos.occupied[GERMAN] | pos.occupied[SOVIET])
    leaders = mask_of(h for h in members(aimed & enemies & ~troops) if stormable(pos, h))
    spots = union(spotted(pos, pos.unit(piece).command) for piece in firing_phase_markers(pos))
    return aimed & (troops | empty) | leaders | spots & troops


def stormable(pos: State, target: Hex) -> bool:
    """Whether a unit that has not fired could close assault a hex, as a lone leader requires (14.6)."""
    able = [p for p, _ in fields(pos, pos.side) if pos.unit(p).assault]
    return not pos.ground.sea >> target & 1 and any(can_cross(pos, p, target) for p in able)


def aimable(pos: State) -> HexMask:
    """Every hex some ground unit of the side may still fire at in this phase."""
    able = fields(pos, pos.side) if pos.phase_number != G_AIR else []
    return union(field for _, field in able) & ~pos.attacked


def _bridge_orders(pos: State, aimed: HexMask) -> list[Order]:
    ends = {*members(aimed & pos.ground.bridge_ends)}
    if not ends or pos.turn < pos.tables.bridge_demolition_from_turn:
        return []
    return [order for edge, target, order in pos.ground.bridges if target in ends and edge not in pos.broken]


def additions(pos: State, attack: Attack) -> Iterator[Order]:
    """Units that may join the fire being composed."""
    side = pos.side
    if attack.kind not in ("air", "naval"):
        bit = 1 << attack.target
        able = [p for p, field in fields(pos, side) if field & bit and p not in attack.units]
        for piece in joiners(pos, side, attack.units, able):
            yield Order("add", (pos.unit(piece).id,))
    for piece in firing_phase_markers(pos):
        if not isinstance(joined(pos, attack, pos.unit(piece).id), Refusal):
            yield Order("add", (pos.unit(piece).id,))


def within_reach(pos: State, attack: Attack) -> bool:
    """Whether anybody can fire at a target."""
    if attack.kind == "fire" and not pos.tiers[(1 - pos.side) * TIERS] >> attack.target & 1:
        return stormable(pos, attack.target)
    if any(field >> attack.target & 1 for _, field in fields(pos, pos.side)) and pos.phase_number != G_AIR:
        return True
    if attack.kind in ("bridge", "structure"):
        return False
    return any(marker_refusal(pos, p, attack.target) is None for p in firing_phase_markers(pos))


def declarations(pos: State, attack: Attack) -> Iterator[Order]:
    """The ways to commit the fire being composed."""
    if not attack.units:
        return
    fanatic = ARDOR if pos.side == GERMAN else FERVOR
    for words in ((), ("assault",), ("assault", fanatic)) if pos.options.fanaticism else ((), ("assault",)):
        if not isinstance(declared(pos, attack, words), Refusal):
            yield Order("commit", words=words)


def busy(pos: State) -> bool:
    """Whether there is anything to fire at."""
    aimed = aimable(pos)
    return bool(_target_hexes(pos, aimed)) or bool(_bridge_orders(pos, aimed))


def aims(pos: State) -> list[tuple[int, HexMask]]:
    """Every unit and marker that may be used in this phase, and the hexes it may be used against."""
    if pos.phase_number == G_AIR:
        return [(p, -1) for p in markers(pos, GERMAN)]
    airborne = [(p, spotted(pos, pos.unit(p).command)) for p in firing_phase_markers(pos)]
    return fields(pos, pos.side) + airborne


ONE_AT_A_TIME = Refusal("10.2", "finish or cancel the fire being composed first")


def added(pos: State, order: Order) -> Attack | Refusal:
    """The fire being composed with one unit more."""
    if pos.attack is None:
        return unknown(order, pos)
    forbid(len(order.units) != 1, "10.4", "add units one by one")
    return joined(pos, pos.attack, order.units[0])


# Fanatical losses (17.3) and advance after combat (10.15) ----------------------------------------------------------


PRICE_FIRST = Refusal("17.3", "one of the close assaulting units must be lost")
ADVANCE_FIRST = Refusal("10.15", "advance, or end, before the next combat")


def price_orders(pos: State) -> list[Order]:
    """The assaulting units one of which is lost."""
    return [Order("lose", (pos.unit(piece).id,)) for piece in assaulters(pos, pos.fire)]


def price(pos: State, order: Order) -> int | Refusal:
    """The unit that is lost (17.3)."""
    piece = pos.piece(order.units[0]) if len(order.units) == 1 else None
    return PRICE_FIRST if piece is None or piece not in assaulters(pos, pos.fire) else piece


def pay(pos: State, piece: int) -> None:
    """Eliminate the unit (17.3)."""
    pos.pop()
    pos.attack = pos.fire._replace(units=tuple(p for p in pos.fire.units if p != piece))
    name = pos.unit(piece).id
    pos.tell("result", "17.3", "{} is lost in the assault", name, side=pos.side, fact=Loss(name, 1))
    pos.eliminate(piece)


def advancers(pos: State, step: Step) -> list[int]:
    """Units that may advance into the vacated hex (10.15, 10.16), within stacking."""
    return [p for p in assaulters(pos, pos.fire) if not pos.barred(p) >> step.hex & 1]


def advances(pos: State) -> list[Order]:
    """Who may advance."""
    there = (pos.number(pos.step.hex),)
    return [Order("advance", (pos.unit(piece).id,), there) for piece in advancers(pos, pos.step)]


def advance_of(pos: State, order: Order) -> Sent | Refusal:
    """One of the units that assaulted, to the vacated hex (10.15, 10.16)."""
    if len(order.units) != 1:
        return ADVANCE_FIRST
    piece, h = pos.piece(order.units[0]), pos.step.hex
    if piece is None or piece not in assaulters(pos, pos.fire):
        forbid(piece in pos.fire.units and pos.unit(piece).assault and next_to(pos, piece, h), "10.16",
               "no bridge carries {} over the water", order.units[0])  # fmt: skip
        return Refusal("10.15", f"{order.units[0]} did not take part in the close assault")
    forbid(order.hexes != (pos.number(h),), "10.15", "units advance into {}", pos.number(h))
    return stack_refusal(pos, piece, h) if pos.barred(piece) >> h & 1 else Sent(piece, h)


def advance(pos: State, sent: Sent) -> None:
    """Advance one unit; more may follow (10.15)."""
    step = pos.step
    pos.shift(*sent)
    pos.take_control(*sent)
    name = pos.unit(sent.piece).id
    pos.tell("advance", "10.15", "{} advances to {}", name, pos.number(sent.hex), side=pos.side)
    if not advancers(pos, step):
        pos.pop()


# Defensive fire (9.0) ------------------------------------------------------------------------------------------------


def firers(pos: State, step: Step) -> list[int]:
    """Units that may fire at a moving unit: capable and adjacent (9.2-9.4)."""
    h = pos.where[step.piece]
    side = 1 - pos.roster.side[step.piece]
    near = pos.map.grid.ring(1 << h) & pos.occupied[side]
    return [p for there in members(near) for p in pos.stacks[there] if pos.unit(p).fires_defensively]


class Volley(NamedTuple):
    """A defensive fire, and the face-down units that are to join it."""

    attack: Attack
    hidden: tuple[int, ...] = ()


def parted(pos: State, attack: Attack) -> Volley:
    """A defensive fire as composed: those who fire, and those who are flipped first to do so (6.6)."""
    up = tuple(p for p in attack.units if not pos.unit(p).back)
    return Volley(attack._replace(units=up), tuple(p for p in attack.units if pos.unit(p).back))


def volley(pos: State, step: Step, names: Sequence[str]) -> Attack | Refusal:
    """The defensive fire with these units in it; face-down ones are flipped when it is made (6.6)."""
    attack = pos.attack or Attack("defensive", pos.where[step.piece])
    side = 1 - pos.roster.side[step.piece]
    able = firers(pos, step)
    for name in names:
        piece = pos.piece(name)
        if piece is None or pos.roster.side[piece] != side:
            return Refusal("9.2", f"{name} is not a unit of yours on the map")
        refusal = first_case(
            (pos.where[piece] < 0, "9.2", "{}", pos.absent(piece)),
            (piece in attack.units, "9.2", "{} already takes part", name),
            (not pos.unit(piece).fires_defensively, "9.3", "{} cannot fire defensively", name),
            (piece not in able, "9.4", "{} is not next to the moving unit", name),
        )
        attack = attack._replace(units=(*attack.units, piece))
        refusal = refusal or defensive_refusal(pos, side, attack.units)
        if refusal is not None:
            return refusal
    return attack


def gunners(pos: State) -> Iterator[Order]:
    """Who may join the defensive fire."""
    for piece in firers(pos, pos.step):
        name = pos.unit(piece).id
        if not isinstance(volley(pos, pos.step, (name,)), Refusal):
            yield Order("add", (name,))


FIRE_OR_END = Refusal("9.2", "fire at the moving unit, or end")
NO_ASSAULT = Refusal("9.5", "defensive fire is never a close assault")


def made(pos: State, order: Order) -> Attack | Refusal:
    """The defensive fire as it was composed."""
    refuse(NO_ASSAULT if order.words else None)
    return pos.attack if pos.attack is not None and pos.attack.units else Refusal("9.2", "no unit fires")


def made_at_once(pos: State, order: Order) -> Attack | Refusal:
    """A whole defensive fire in one order, at the hex in which the unit is."""
    refuse(NO_ASSAULT if order.words else None)
    where = pos.number(pos.where[pos.step.piece])
    forbid(order.hexes != (where,), "9.2", "defensive fire is resolved in {}", where)
    return volley(pos, pos.step, order.units)
