"""The charts of an edition, drawn up from its data."""

from __future__ import annotations

from ...kernel.table import Chart
from .edition import Edition


def charts(edition: Edition) -> list[Chart]:
    """The combat results table, the shifts, the terrain effects chart, the schedule and the points, in our words."""
    case = edition.case
    results = edition.tables.results
    rows = [[str(face), *row] for face, row in enumerate(results.rows, 1)]
    terrain = [
        [kind.replace("-", " "), line.infantry, line.armor, f"{line.shift} left" if line.shift else "-"]
        for kind, line in edition.tables.terrain.items()
    ]
    river = "doubles the cost of the hex" if edition.tables.river == "double" else "1 point more"
    fort = "doubles the cost for Germans" if edition.tables.fort == "double" else "2 points more for Germans"
    overrun, bonus = edition.tables.overrun, edition.tables.bonus
    shifts = [
        ["Overrun", f"{-overrun.shift} left", case("7.1")],
        ["Attacker out of supply", "2 left", case("11.2")],
        ["Defender out of supply", "2 right", case("11.2")],
        ["Defender's terrain, best hex", "see terrain", case("9.6")],
        ["Soviet defender in a fort", "1 left", case("15.1")],
        ["All attackers across rivers", "1 left", case("9.6")],
        ["Armor in the defence", "1 left", case("12.2")],
        ["Each whole panzer corps in the defence", "1 left", case("12.1")],
        ["Each air unit", "1 for the Germans", case("13.1")],
        ["Armor attacking unfortified clear terrain", "1 right", case("12.2")],
        ["Each whole panzer corps attacking", "1 right", case("12.1")],
        [f"Soviet counterattack, turn {bonus.turn}", f"{bonus.shift} right", case("17.4")],
    ]
    return [
        Chart("results", "Combat results", case("9.5"), ["Die", *results.columns], rows,
              ["Defender before the slash, attacker after it.",
               "E: all eliminated. 1: one step, or all retreat one hex. 2: two steps, or two hexes, or one of each."]),
        Chart("shifts", "Column shifts", case("9.6"), ["When", "Columns", "Case"], shifts,
              ["Shifts add up; terrain, forts and rivers count once, however many hexes are attacked.",
               f"A Soviet city shelters Soviets only; Germans get none for armor or corps there ({case('12.3')})."]),
        Chart("terrain", "Terrain", case("4.9"), ["Terrain", "Infantry", "Armor, mech.", "Defender"], terrain,
              ["Road: only through a road hexside.", f"River hexside: {river}.", f"Empty fort: {fort}.",
               "All-sea and all-lake hexsides bar the way.", *_surcharges(edition)]),
        _schedule(edition),
        _points(edition),
    ]  # fmt: skip


def _surcharges(edition: Edition) -> list[str]:
    """What overruns (7.3) and leaving a zone (6.1, 6.2) cost, for the notes of a chart."""
    overrun, leaving = edition.tables.overrun, edition.tables.disengagement
    flat = f"{overrun.flat} points"
    dear = f"{overrun.plus} points more than to enter, {overrun.plus_german_turn_1} for Germans on turn 1"
    return [
        f"Overrun: {dear if overrun.flat is None else flat}.",
        f"Disengaging: {leaving.german_armor} more for German armor and mechanized, {leaving.soviet} for others.",
    ]


def _schedule(edition: Edition) -> Chart:
    """The reinforcements turn by turn (16.0): a line for all that come to one place."""
    scenario, case = edition.scenario, edition.case
    coming: dict[tuple[int, str, str], list[str]] = {}
    for arrival in sorted(scenario.arrivals, key=lambda arrival: (arrival.turn, arrival.side)):
        coming.setdefault((arrival.turn, arrival.side, _entry(arrival.entry)), []).append(
            ", ".join(arrival.units)
            or (f"{arrival.infantry} infantry" if arrival.infantry else f"{arrival.armor} armored")
        )
    air = ", ".join(f"{units} from turn {turn}" for turn, units in scenario.air.items())
    forts = ", ".join(f"{units} on turn {turn}" for turn, units in scenario.forts.items())
    late = [
        f"If any of the {arrival.infantry} infantry of turn {arrival.turn} is late, it comes by "
        + ", ".join(f"{_entry(hexes)} from turn {turn}" for turn, hexes in arrival.late.items())
        + f" ({case('17.4')})."
        for arrival in scenario.arrivals
        if arrival.late
    ]
    return Chart(
        "schedule", "Reinforcements", case("16.0"), ["Turn", "Side", "Units", "Entry"],
        [[str(turn), side.capitalize(), ", ".join(units), entry] for (turn, side, entry), units in coming.items()],
        [f"German air units: {air}.", f"Soviet forts: {forts}.",
         f"They may be held back ({case('16.3')}), the Soviets of turn 1 may not ({case('16.5')}).", *late],
    )  # fmt: skip


def _entry(hexes: str) -> str:
    """Entry hexes as they are said: an area by its name, several hexes as a choice."""
    if not hexes[0].isdigit():
        return hexes.replace("-", " ").title()
    *others, last = hexes.split()
    return f"{', '.join(others)} or {last}" if others else last


def _points(edition: Edition) -> Chart:
    """What counts at the end (18.1, 18.2), and the levels (18.3)."""
    figures, case = edition.tables.victory, edition.case
    rows = [
        ["Soviet", f"each {kind} unit {state}", str(worth), case("18.1")]
        for state, worths in (("reduced", figures.reduced), ("eliminated", figures.eliminated))
        for kind, worth in worths.items()
        if worth
    ]
    price = edition.tables.rebuilding.price
    if price:
        rows.append(["Soviet", "each unit rebuilt", str(price), case("16.8")])
    for number, worth in figures.hexes.items():
        rows.append(["German", f"{number} held in supply", str(worth), case("18.2")])
    *better, last = figures.levels
    levels = ", ".join(f"{level.level} from {level.from_}" for level in better)
    return Chart(
        "victory", "Victory points", case("18.0"), ["Side", "For", "Points", "Case"], rows,
        [f"German less Soviet points at the end: {levels}, otherwise {last.level} ({case('18.3')})."],
    )  # fmt: skip
