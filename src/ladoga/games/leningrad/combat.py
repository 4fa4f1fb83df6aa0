"""Chapters 8 and 9: who may attack whom, and at what odds; with armor (12), air (13) and forts (15)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.errors import Illegal
from ...kernel.names import ordinal
from ...kernel.orders import Order
from ...kernel.position import Explanation, Modifier, Refusal, allows, first_case, forbid, refuse
from ...kernel.sequence import Planned
from ...kernel.tables import odds_index, odds_name
from . import air, surprise
from .edition import GERMAN, SOVIET
from .fight import Fight
from .orders import air_word, named_hex, named_hexes, named_slots, named_unit, not_mine, why_all_water
from .pieces import Slot
from .position import LeningradPosition

K = TypeVar("K")

MEANING = {
    "-": "no effect",
    "1": "one step lost or all retreat one hex",
    "2": "two steps lost, all retreat two hexes, or one step and one hex",
    "E": "all eliminated",
}


# Who may attack whom (8.0) ------------------------------------------------------------------------


def why_not_attackable(pos: LeningradPosition, h: Hex) -> Refusal | None:
    """Why the units in a hex may not be attacked in this phase (8.1, 8.2)."""
    name = pos.ground.names[h]
    if pos.side_at(h) != 1 - pos.mover:
        return Refusal("8.0", f"there is no enemy unit in {name}")
    fresh = [slot for slot in pos.at[h] if not pos.displaced >> slot & 1]
    if not fresh or any(pos.defended >> slot & 1 for slot in fresh):
        return Refusal("8.2", f"the units in {name} have been attacked in this phase")
    return None


def targets_of(pos: LeningradPosition, slot: Slot) -> HexMask:
    """Enemy hexes a unit is next to and that may still be attacked (8.1)."""
    near = pos.ground.around[pos.hexes[slot]] & pos.crowd[1 - pos.pieces[slot].side][0]
    if not near or not pos.defended:
        return near
    return sum([1 << h for h in members(near) if why_not_attackable(pos, h) is None])


def can_attack(pos: LeningradPosition, side: int) -> bool:
    """Whether any attack is possible in a combat phase (8.1)."""
    near = pos.ground.zone(pos.crowd[1 - side][0]) & pos.crowd[side][0]
    return any(targets_of(pos, slot) for h in members(near) for slot in pos.at[h] if not pos.attacked >> slot & 1)


def able(pos: LeningradPosition, targets: Iterable[Hex]) -> list[Slot]:
    """Units that may join an attack on all these hexes: next to each, not yet used (8.2, 8.5)."""
    mask = pos.crowd[pos.mover][0]
    for target in targets:
        mask &= pos.ground.around[target]
    return [slot for h in members(mask) for slot in pos.at[h] if not pos.attacked >> slot & 1]


def check_target(pos: LeningradPosition, fight: Fight | None, h: Hex) -> None:
    """Refuse a hex that may not become a target of the attack being composed (8.0, 8.5)."""
    refuse(why_not_attackable(pos, h))
    name, so_far, attackers = pos.ground.names[h], fight.targets if fight else (), fight.attackers if fight else ()
    forbid(h in so_far, "8.5", "{} is a target already", name)
    units = able(pos, (*so_far, h))
    if not units:
        forbid(not so_far and pos.ground.around[h] & pos.crowd[pos.mover][0], "8.2",
               "the units next to {} have attacked in this phase", name)  # fmt: skip
        raise Illegal("8.5" if so_far else "8.1", f"no unit is next to {_all(pos, (*so_far, h))} and free to attack")
    for slot in attackers:
        forbid(slot not in units, "8.5", "{} is not next to {}", pos.name(slot), name)
    refuse(why_stranded(pos, (*so_far, h), units))


def why_no_attacker(pos: LeningradPosition, targets: tuple[Hex, ...], slot: Slot) -> Refusal | None:
    """Why a unit may not join an attack (8.1, 8.2, 8.5)."""
    at, names, name = pos.hexes[slot], pos.ground.names, pos.name(slot)
    far = [h for h in targets if at >= 0 and not pos.ground.around[at] >> h & 1]
    case = "8.1" if len(targets) == 1 else "8.5"
    return (
        not_mine(pos, (slot,), pos.mover)
        or first_case((pos.attacked >> slot & 1, "8.2", "{} has attacked in this phase", name))
        or (why_all_water(pos, at, far[0]) or Refusal(case, f"{name} is not next to {names[far[0]]}") if far else None)
    )


def could_join(pos: LeningradPosition, name: str, target: Order) -> bool:
    """Whether a unit could attack what an order aims at."""
    targets = (*(pos.fight.targets if pos.fight else ()), pos.ground.grid.hex(target.hexes[0]))
    return why_no_attacker(pos, targets, pos.slot(name)) is None


def _all(pos: LeningradPosition, targets: Iterable[Hex]) -> str:
    *others, last = [pos.ground.names[h] for h in targets]
    return f"{', '.join(others)} and {last}" if others else last


# Forced attacks (17.3) ------------------------------------------------------------------------------


def must_attack(pos: LeningradPosition, slot: Slot) -> bool:
    """Whether a Soviet unit still owes its turn-1 attack and can make one (17.3)."""
    return not pos.attacked >> slot & 1 and bool(targets_of(pos, slot))


def why_stranded(pos: LeningradPosition, targets: Iterable[Hex], units: Iterable[Slot]) -> Refusal | None:
    """On turn 1 no attack may leave a Soviet unit without one of its own (17.3)."""
    if not pos.surprised(pos.mover):
        return None
    taken, joined = mask_of(targets), set(units)
    slot = surprise.first_of_whom(
        pos, lambda slot: slot not in joined and must_attack(pos, slot) and not targets_of(pos, slot) & ~taken
    )
    return None if slot is None else Refusal("17.3", f"{pos.name(slot)} must attack too, and has no other target")


def why_not_end(pos: LeningradPosition) -> Refusal | None:
    """Every Soviet unit next to a German attacks on turn 1 (17.3)."""
    slot = surprise.first_of_whom(pos, lambda slot: must_attack(pos, slot))
    if slot is None:
        return None
    return Refusal("17.3", f"{pos.name(slot)} in {pos.ground.names[pos.hexes[slot]]} must attack")


# Composing an attack (8.5, 9.1) -------------------------------------------------------------------


def targeted(pos: LeningradPosition, order: Order) -> Fight | Refusal:
    """An attack on a hex, or the attack in hand with a hex more (8.5)."""
    h, fight = named_hex(pos, order), pos.fight
    check_target(pos, fight, h)
    return replace(fight, targets=(*fight.targets, h)) if fight else Fight(False, pos.mover, (h,))


def joined(pos: LeningradPosition, order: Order) -> Fight:
    """The attack in hand with a unit more (8.1)."""
    fight, slot = in_hand(pos), named_unit(pos, order)
    forbid(slot in fight.attackers, "8.2", "{} takes part already", pos.name(slot))
    refuse(why_no_attacker(pos, fight.targets, slot))
    return with_unit(fight, slot)


def with_unit(fight: Fight, slot: Slot) -> Fight:
    """An attack with a unit more."""
    return replace(fight, attackers=tuple(sorted((*fight.attackers, slot))))


def supported(pos: LeningradPosition, order: Order) -> Fight:
    """The attack in hand with more air units (13.1)."""
    fight, said = in_hand(pos), order.words[0]
    forbid(said not in ("1", "2") or int(said) <= fight.air, "13.1", "name more air units than before, one or two")
    refuse(air.why_no_air(pos, fight.side, int(said)))
    return replace(fight, air=int(said))


def more_air(pos: LeningradPosition) -> range:
    """How many air units a German attack may have from now on (13.1)."""
    fight = in_hand(pos)
    return range(fight.air + 1, air.ready(pos) + 1) if fight.side == GERMAN else range(0)


def composed(pos: LeningradPosition, order: Order) -> Fight | Refusal:
    """A whole attack in one order, held to the same rules as one composed step by step."""
    slots, hexes, air_units = named_slots(pos, order), named_hexes(pos, order), air_word(order)
    for h in hexes:
        refuse(why_not_attackable(pos, h))
    for slot in slots:
        refuse(why_no_attacker(pos, hexes, slot))
    refuse(air.why_no_air(pos, pos.mover, air_units))
    fight = Fight(False, pos.mover, ())
    for h in hexes:
        check_target(pos, fight if fight.targets else None, h)
        fight = replace(fight, targets=(*fight.targets, h))
    fight = replace(fight, attackers=slots, air=air_units)
    return why_no_commit(pos, fight) or fight


def why_no_commit(pos: LeningradPosition, fight: Fight) -> Refusal | None:
    """Why the attack as composed cannot be made yet."""
    if not fight.attackers:
        return Refusal("9.1", "name the units that attack first")
    return why_stranded(pos, fight.targets, fight.attackers)


def in_hand(pos: LeningradPosition) -> Fight:
    """The fight in hand."""
    fight: Fight = pos.agenda[0].matter
    return fight


def worth_targeting(pos: LeningradPosition) -> HexMask:
    """Enemy hexes next to units that could attack all targets so far (8.5)."""
    side, fight = pos.mover, pos.fight
    near = pos.crowd[side][0]
    for target in fight.targets if fight is not None else ():
        near &= pos.ground.around[target]
    return pos.ground.zone(near) & pos.crowd[1 - side][0]


def targets(pos: LeningradPosition) -> Iterator[Order]:
    """``target HEX``."""
    for h in members(worth_targeting(pos)):
        if allows(check_target, pos, pos.fight, h):
            yield Order("target", (), (pos.ground.names[h],))


def joining(pos: LeningradPosition) -> list[Slot]:
    """Units that may still join the attack in hand."""
    fight = in_hand(pos)
    return [slot for slot in able(pos, fight.targets) if slot not in fight.attackers]


def compose(pos: LeningradPosition, fight: Fight) -> None:
    """The attack is put together like this so far."""
    if pos.fight is None:
        pos.interrupt("compose", fight.side, fight)
    else:
        pos.hold(fight)


def announce(pos: LeningradPosition, fight: Fight) -> None:
    """The attack is announced and cannot be taken back (9.1, 14.1); defending Germans may add air units (13.1)."""
    fight = manned(pos, fight)
    air.join(pos, fight.air, "attack")
    if pos.game.edition.tables.rebuilding.broken_by_combat:
        pos.disturb((*fight.attackers, *fight.defenders))
        for slot in (*fight.attackers, *fight.defenders):
            pos.fought |= 1 << slot if pos.pieces[slot].side == GERMAN else 0
    if not fight.overrun:
        verb = "attacks" if len(fight.attackers) == 1 else "attack"
        pos.tell("attack", "9.1", "{0} {1} {2}", pos.names(fight.attackers), verb, _all(pos, fight.targets))
        pos.attacked |= mask_of(fight.attackers)
        pos.defended |= mask_of(fight.defenders)
    defended_from_the_air = fight.side == SOVIET and air.ready(pos)
    at, side = ("air", GERMAN) if defended_from_the_air else ("odds", fight.side)
    if pos.fight is None:
        pos.interrupt(at, side, fight)
    else:
        pos.go(at, side, fight)


def manned(pos: LeningradPosition, fight: Fight) -> Fight:
    """The fight with its defenders: all in the target hexes but those that retreated into them (8.4)."""
    there = [slot for target in fight.targets for slot in pos.at[target]]
    aside = [] if fight.overrun else [slot for slot in there if pos.displaced >> slot & 1]
    defenders = tuple([slot for slot in there if slot not in aside])
    return replace(
        fight,
        defenders=defenders,
        bystanders=tuple(aside),
        origins=tuple([pos.hexes[slot] for slot in fight.attackers]),
        posts=tuple([pos.hexes[slot] for slot in defenders]),
    )


# Odds (9.0) ---------------------------------------------------------------------------------------


def strength(pos: LeningradPosition, slot: Slot, attacking: bool) -> int:
    """Attack or defence strength of a revealed unit, always whole (8.6)."""
    spec = pos.spec(slot)
    assert spec is not None
    return spec.face(pos.steps[slot])[0 if attacking else 1]


def corps_in_one_hex(pos: LeningradPosition, slots: Iterable[Slot]) -> list[str]:
    """German panzer corps all of whose units are among these and stacked in one hex (12.1): as many as are printed, or
    made up for this position if they are more."""
    names: dict[str, list[Slot]] = {}
    for slot in slots:
        if pos.corps(slot):
            names.setdefault(pos.corps(slot), []).append(slot)
    made_up = [piece.spec.corps for piece in pos.pieces[len(pos.game.roster) :] if piece.spec is not None]
    return [corps for corps, present in names.items() if len({pos.hexes[s] for s in present}) == 1
            and len(present) == max(len(pos.game.corps.get(corps, ())), made_up.count(corps))]  # fmt: skip


def _armor(pos: LeningradPosition, slots: Iterable[Slot]) -> bool:
    """Whether a revealed armor unit (not a mechanized one) is among these (12.2)."""
    return any(spec is not None and spec.type == "armor" for spec in map(pos.spec, slots))


def shifts(pos: LeningradPosition, fight: Fight, drawn_armor: bool = False) -> list[Modifier]:
    """Every column shift of 9.6 that touches this fight; rightward shifts are positive.

    ``drawn_armor`` tells whether an untried Soviet participant is taken to be armor.
    """
    case = pos.game.edition.case
    ground, tables = pos.ground, pos.game.edition.tables
    defending = 1 - fight.side
    found: list[Modifier] = []

    def shift(label: str, amount: int, number: str, counts: bool = True) -> None:
        found.append(Modifier(label, amount, case(number), counts))

    if fight.overrun:
        shift("Overrun", tables.overrun.shift, "7.1")
    if any(not pos.supplied(slot) for slot in fight.attackers):
        shift("Attacker out of supply", -2, "11.2")
    if any(not pos.supplied(slot) for slot in fight.defenders):
        shift("Defender out of supply", 2, "11.2")
    terrain = [(tables.terrain[ground.terrain_at(h)].shift, h) for h in fight.targets]
    if defending == GERMAN:
        useless = [h for _, h in terrain if ground.soviet_cities >> h & 1]
        terrain = [(n, h) for n, h in terrain if h not in useless]
        if useless:
            shift("Soviet city: helps Soviet defenders only", 0, "9.6", counts=False)
    best, where = max(terrain, default=(0, -1))
    if best:
        shift(f"Defender in {ground.terrain_at(where).replace('-', ' ')} {ground.names[where]}", -best, "9.6")
    fortified = [h for h in fight.targets if pos.forts >> h & 1]
    if fortified and defending == SOVIET:
        shift(f"Fort in {_all(pos, fortified)}", -1, "15.1")
    _river_shift(pos, fight, shift)
    outside = [s for s in fight.defenders if not (defending == GERMAN and ground.soviet_cities >> pos.hexes[s] & 1)]
    if _armor(pos, outside) or (drawn_armor and defending == SOVIET):
        shift("Defending armor", -1, "12.2")
    elif _armor(pos, fight.defenders):
        shift("Defending armor in a Soviet city", -1, "12.3", counts=False)
    for corps in corps_in_one_hex(pos, fight.defenders):
        in_city = any(ground.soviet_cities >> pos.hexes[s] & 1 for s in fight.defenders if pos.corps(s) == corps)
        shift(f"Defending {ordinal(corps)} Panzer Corps", -1, "12.3" if in_city else "12.1", counts=not in_city)
    if fight.guard_air:
        shift("Air units in defence", -fight.guard_air, "13.1")
    if _armor(pos, fight.attackers) or (drawn_armor and fight.side == SOVIET):
        _armor_shift(pos, fight, shift)
    for corps in corps_in_one_hex(pos, fight.attackers):
        shift(f"Attacking {ordinal(corps)} Panzer Corps", 1, "12.1")
    if fight.air:
        shift("Air units in attack", fight.air, "13.1")
    if fight.side == SOVIET:
        extra = surprise.bonus(pos, fight.overrun)
        if extra:
            shift("Soviet counterattack", extra, "17.4")
    return found


def _armor_shift(pos: LeningradPosition, fight: Fight, shift: Callable[..., None]) -> None:
    """Attacking armor: one column against unfortified clear terrain, behind rivers too (12.2)."""
    if pos.options.armor_attacks == "clear":
        terrain, ground = pos.game.edition.tables.terrain, pos.ground
        counts = all(terrain[ground.terrain_at(h)].open and not pos.forts >> h & 1 for h in fight.targets)
        only = "unfortified clear terrain"
    else:
        counts, only = not any(pos.forts >> h & 1 for h in fight.targets), "unfortified hexes"
    shift("Attacking armor" if counts else f"Attacking armor: only against {only}", 1, "12.2", counts)


def _river_shift(pos: LeningradPosition, fight: Fight, shift: Callable[..., None]) -> None:
    """One column left if all attackers strike across rivers (9.6, note 3)."""
    crossings = [
        pos.ground.map.has_side("river", pos.hexes[slot], target)
        for slot in fight.attackers
        for target in fight.targets
    ]
    if crossings and all(crossings):
        shift("Defender behind a river", -1, "9.6")
    elif any(crossings):
        shift("River: not all attack across it", -1, "9.6", counts=False)


def column(pos: LeningradPosition, fight: Fight) -> int:
    """The odds step after all shifts, when everybody is revealed (9.0)."""
    return odds_index(*strengths(pos, fight)) + net_shift(pos, fight)


def strengths(pos: LeningradPosition, fight: Fight) -> tuple[int, int]:
    """What all attackers and all defenders bring to a fight (9.1)."""
    attack = sum([strength(pos, slot, True) for slot in fight.attackers])
    return attack, sum([strength(pos, slot, False) for slot in fight.defenders])


def net_shift(pos: LeningradPosition, fight: Fight) -> int:
    """All shifts that count, taken together (9.6)."""
    return sum([int(m.amount) for m in shifts(pos, fight) if m.counts])


# Explanation --------------------------------------------------------------------------------------


BEFORE_THE_DIE = ("compose", "air", "reveal", "roll")


def _in_mind(pos: LeningradPosition, order: Order) -> Fight:
    """The fight an order would make; ``Illegal`` if it may not be made."""
    fight, case = pos.fight if pos.agenda and pos.agenda[0].at in BEFORE_THE_DIE else None, pos.case("9.1")
    whole = order.verb in ("attack", "overrun")
    forbid(not whole and (fight is None or order.verb not in ("target", "add", "air", "commit")), case,
           "{} is not an attack", order)  # fmt: skip
    if order.verb != "commit":
        refuse(pos.why_not(order))
        planned = pos.plan(order)
        assert isinstance(planned, Planned)
        fight = planned.plan
    assert fight is not None
    forbid(not fight.attackers, case, "name the units that attack first")
    return fight if fight.defenders else manned(pos, fight)


def totals(pos: LeningradPosition, slots: Iterable[Slot], attacking: bool) -> dict[tuple[int, bool], int]:
    """Total strength of units and "an untried one is armor", each with the number of draws that lead to it (14.0)."""
    units, known = pos.game.edition.units, 0
    hidden: dict[tuple[bool, bool], list[Slot]] = {}
    for slot in slots:
        if pos.untried(slot):
            hidden.setdefault((pos.pieces[slot].mobile, pos.pieces[slot].recycled), []).append(slot)
        else:
            known += strength(pos, slot, attacking)
    result = Tally({(known, False): 1})
    for group in hidden.values():
        specs = [units[name] for name in pos.pool(group[0])]
        values = tuple([(spec.attack if attacking else spec.defence, spec.type == "armor") for spec in specs])
        combined: Tally[tuple[int, bool]] = Tally()
        for (total, armor), ways in result.items():
            for (more, more_armor), more_ways in _sums(values, len(group)).items():
                combined[total + more, armor or more_armor] += ways * more_ways
        result = combined
    return result


@lru_cache(maxsize=1000)
def _sums(values: tuple[tuple[int, bool], ...], count: int) -> dict[tuple[int, bool], int]:
    """Sums of ``count`` values drawn without replacement and whether any was armor, with the number of draws."""
    ways = Tally({(0, 0, False): 1})
    for value, armor in values:
        for (drawn, total, any_armor), n in list(ways.items()):
            if drawn < count:
                ways[drawn + 1, total + value, any_armor or armor] += n
    return {(total, armor): n for (drawn, total, armor), n in ways.items() if drawn == count}


def explain(pos: LeningradPosition, order: Order) -> Explanation:
    """An attack before it is made: strengths, shifts with their cases, exact odds of every result."""
    fight = _in_mind(pos, order)
    attack = totals(pos, fight.attackers, attacking=True)
    defence = totals(pos, fight.defenders, attacking=False)
    edition = pos.game.edition
    by_armor = {armor: shifts(pos, fight, armor) for armor in (False, True)}
    nets = {armor: sum(int(m.amount) for m in found if m.counts) for armor, found in by_armor.items()}
    initial, final, columns, codes = Tally[int](), Tally[int](), Tally[str](), Tally[str]()
    for (strong, attack_armor), n in attack.items():
        for (weak, defence_armor), m in defence.items():
            start = odds_index(strong, weak)
            index = start + nets[attack_armor or defence_armor]
            initial[start] += n * m
            final[index] += n * m
    for index, ways in final.items():
        columns[edition.column_name(index)] += ways
        for face in range(1, 7):
            codes["/".join(edition.result(index, face))] += ways
    likely_armor = sum((p for part in (attack, defence) for (_, armor), p in _shares(part) if armor), Fraction(0))
    modifiers = by_armor[False] if likely_armor < Fraction(1, 2) else by_armor[True]
    notes = []
    if 0 < likely_armor < 1 and nets[False] != nets[True]:
        notes.append(f"An untried unit may turn out to be armor, which shifts the column ({edition.case('12.2')}).")
    hidden = [pos.name(slot) for slot in pos.hidden(fight)]
    if hidden:
        notes.append(f"Untried: {', '.join(hidden)}. Revealed once the attack is announced ({edition.case('14.1')}).")
    aside = [pos.name(slot) for slot in fight.bystanders]
    if aside:
        who = f"{', '.join(aside)} retreated here in this phase"
        notes.append(f"{who}: no strength, and lost if the defenders lose steps or retreat ({edition.case('8.4')}).")
    asked = pos.fight is not None and pos.agenda[0].at != "compose"
    guard = air.ready(pos) if fight.side == SOVIET and not asked else 0
    if guard:
        ready = "An air unit" if guard == 1 else f"Up to {guard} air units"
        notes.append(f"{ready} may still join the defence, one column left each ({edition.case('13.1')}).")
    order_of = {name: number for number, name in enumerate(edition.tables.results.columns)}
    title = "Overrun of" if fight.overrun else "Attack on"
    return Explanation(
        order=order,
        title=f"{title} {_all(pos, fight.targets)}",
        attack=_values(attack),
        defence=_values(defence),
        modifiers=tuple(modifiers),
        initial=tuple((odds_name(k), p) for k, p in sorted(_shares(initial))),
        columns=tuple(sorted(_shares(columns), key=lambda item: order_of[item[0]])),
        results=tuple(sorted(_shares(codes), key=lambda item: (-item[1], item[0]))),
        meaning={code: f"defender: {MEANING[code[0]]}; attacker: {MEANING[code[-1]]}" for code in codes},
        table="results",
        notes=tuple(notes),
    )


def _shares(ways: Mapping[K, int]) -> list[tuple[K, Fraction]]:
    """Numbers of ways as probabilities."""
    every = sum(ways.values())
    return [(key, Fraction(n, every)) for key, n in ways.items()]


def _values(distribution: Mapping[tuple[int, bool], int]) -> tuple[tuple[int, Fraction], ...]:
    plain: Tally[int] = Tally()
    for (value, _), ways in distribution.items():
        plain[value] += ways
    return tuple(sorted(_shares(plain)))
