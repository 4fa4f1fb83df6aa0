"""Speed, as a ratio to python-chess measured by turns in the same run: machines differ, ratios much less.

Everything but the gain of a second worker is measured in CPU seconds. ``ratio`` compares random play with the full
list of legal orders made at every decision, as python-chess makes it; ``sampled_ratio`` random play without the lists.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from statistics import fmean
from typing import Any

from ..kernel.errors import BadDocument, LadogaError
from ..kernel.game import Game, load_game
from ..kernel.map import MapChange
from ..kernel.orders import END, Role
from ..kernel.position import CANCEL, CHANCE, Position, going_on
from .simulate import Match, Shown, play_match, simulate, unseen

YARDSTICK = 32_000
"""Orders a second that python-chess makes on the machine for which the goals in microseconds were set."""

TURN = 0.5
"""CPU seconds for which one thing is measured before it is another's turn."""


def _rates(seconds: float, *runs: Callable[[int], int]) -> list[float]:
    """Steps a CPU second of several things, measured by turns: what slows the machine down slows them all."""
    steps, spent, seeds = [0] * len(runs), [0.0] * len(runs), [0] * len(runs)
    for run in runs:
        run(0)
    until = 0.0
    while min(spent) < seconds:
        until += TURN
        for number, run in enumerate(runs):
            while spent[number] < min(until, seconds):
                seeds[number] += 1
                started = time.process_time()
                steps[number] += run(seeds[number])
                spent[number] += time.process_time() - started
    return [count / used for count, used in zip(steps, spent, strict=True)]


def chess_playout(seed: int) -> int:
    """One random game of chess, with the full list of moves at each."""
    try:
        import chess
    except ImportError:
        raise LadogaError("the bench needs python-chess: install ladoga[bench]") from None
    rng, board, steps = random.Random(seed), chess.Board(), 0
    while not board.is_game_over(claim_draw=False) and steps < 400:
        board.push(rng.choice(list(board.legal_moves)))
        steps += 1
    return steps


def playout(game: Game, seed: int, full: bool) -> tuple[int, Position]:
    """One random game; with ``full`` the whole legal list is made at every decision."""
    rng, position, steps = random.Random(seed), game.start(), 0
    while position.to_move is not None:
        legal = position.legal
        if full and position.to_move != CHANCE:
            orders = list(legal)
            order = going_on(orders[int(rng.random() * len(orders))], orders.__iter__, rng)
        else:
            order = legal.random(rng)
        position = position.play(order)
        steps += 1
    return steps, position


def _microseconds(call: Callable[[], object], seconds: float) -> float:
    count, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        for _ in range(20):
            call()
        count += 20
    return 1e6 * (time.process_time() - started) / count


def positions(game: Game, seed: int) -> list[tuple[Position, str]]:
    """Movement positions of a random game, each with one unit of the side to move."""
    rng, position, found = random.Random(seed), game.start(), []
    while position.to_move is not None:
        if Role.GO in game.opens(position.phase) and position.to_move == position.phase.side:
            units = [c.id for c in position.table().counters if c.hex and c.side == position.to_move]
            if units:
                found.append((position, units[int(rng.random() * len(units))]))
        position = position.play(position.legal.random(rng))
    return found


def _query(cases: list[tuple[Position, str]], ask: Callable[[Position, str], object]) -> float:
    """Microseconds for a question, each asked once of a position it has not been asked of before."""
    started = time.process_time()
    for position, unit in cases:
        try:
            ask(position, unit)
        except LadogaError:
            continue
    return 1e6 * (time.process_time() - started) / max(1, len(cases))


def measure(game: Game, seconds: float) -> dict[str, float]:
    """All figures of one game, and what python-chess did meanwhile."""
    chess_rate, full, sampled = _rates(
        seconds,
        chess_playout,
        lambda seed: playout(game, seed, full=True)[0],
        lambda seed: playout(game, seed, full=False)[0],
    )
    steps, _ = playout(game, 1, full=False)
    cases = positions(game, 10_007)
    position = cases[len(cases) // 2][0]
    return {
        "chess_per_second": round(chess_rate, 1),
        "orders_per_second": round(full, 1),
        "ratio": round(full / chess_rate, 3),
        "sampled_ratio": round(sampled / chess_rate, 3),
        "games_per_second": round(sampled / steps, 2),
        "orders_per_game": steps,
        "copy_us": round(_microseconds(position._copy, seconds / 6), 2),
        "reach_us": round(_query(cases, lambda p, unit: len(p.reach(unit))), 2),
        "supply_us": round(_query(cases, lambda p, unit: p.supply(unit)), 2),
        "memory_bytes": _memory(position),
    }


def _memory(position: Position) -> int:
    """Bytes that belong to one position alone: its own lists, not what all positions share."""
    own = 0
    for kind in type(position).__mro__:
        for name in getattr(kind, "__slots__", ()):
            value = getattr(position, name, None)
            if isinstance(value, list | dict | set | bytearray):
                own += sys.getsizeof(value)
    return own + sys.getsizeof(position)


# How cost grows -------------------------------------------------------------------------------------

FIELD, ARMY = (20, 14), 20
"""An open field of 280 hexes with ten units a side; the doubled ones have twice the hexes and units."""
TWICE = 2**0.5
PLAIN = ("infantry", "rifle")
MOST_STEPS = 40


def _made_up(game: Game, side: str) -> dict[str, Any]:
    """The figures of a plain unit of a side, as a document may give them for a made-up one."""

    def whose(spec: Any) -> str:
        return spec.side if isinstance(spec.side, str) else game.sides[spec.side]

    own = [spec for spec in game.units.values() if whose(spec) == side]
    spec = next((spec for spec in own if spec.type in PLAIN), own[0])
    names = getattr(spec, "__struct_fields__", None) or getattr(spec, "_fields", None) or [f.name for f in fields(spec)]
    entry: dict[str, Any] = {}
    for name in names:
        value = getattr(spec, name)
        value = getattr(value, "is_", value)
        if isinstance(value, int | str | list) and not isinstance(value, bool) and value not in ("", []):
            entry[name] = value
    return entry | {"side": side}


def open_field(game: Game, size: tuple[int, int], army: int) -> Position | None:
    """A movement phase on a field of clear hexes, two lines of units facing each other; ``None`` if the
    game's documents know no such thing. Figures that a document does not take are left out."""
    ground = game.map.changed(MapChange(blank=size)).grid
    columns: dict[float, list[str]] = {}
    for h in ground.members(ground.masks[ground.boards[0].name]):
        columns.setdefault(ground.centre(h)[0], []).append(ground.number(h))
    lines = [columns[x] for x in sorted(columns)]
    made_up = {side: _made_up(game, side) for side in game.sides}
    for _ in range(20):
        units = {}
        for number in range(army):
            side = game.sides[number % 2]
            place, row = divmod(number // 2, len(lines[0]) // 2)
            line = lines[(2 + place) if number % 2 == 0 else (-3 - place)]
            units[f"x{number + 1}"] = made_up[side] | {"hex": line[2 * row + 1]}
        document = {
            "game": game.id, "turn": 3, "phase": f"{game.sides[0]}-movement", "map": {"blank": list(size)},
            "units": units,
        }  # fmt: skip
        try:
            return game.position(document)
        except BadDocument as problem:
            strangers = re.findall(r"unknown key '(\w+)'", problem.message) or problem.path.split(".")[2:3]
            dropped = [entry.pop(word, None) for entry in made_up.values() for word in strangers]
            if not any(dropped):
                return None
    return None


def _phase_rate(position: Position, seconds: float) -> float:
    """Orders a CPU second from one position on, with the full list at every decision."""

    def run(seed: int) -> int:
        rng, now = random.Random(seed), position
        for step in range(MOST_STEPS):
            if now.to_move is None:
                return step
            orders = list(now.legal)
            moves = [order for order in orders if order.verb not in (END.verb, CANCEL)]
            moves = moves or [order for order in orders if order.verb != CANCEL] or orders
            now = now.play(moves[int(rng.random() * len(moves))])
        return MOST_STEPS

    return _rates(seconds, run)[0]


def doubled(game: Game, seconds: float) -> list[dict[str, float]]:
    """What an order costs on an open field, and with twice the hexes, twice the units, and both."""
    figures = []
    wide = (round(FIELD[0] * TWICE), round(FIELD[1] * TWICE))
    for size, army in ((FIELD, ARMY), (wide, ARMY), (FIELD, 2 * ARMY), (wide, 2 * ARMY)):
        position = open_field(game, size, army)
        if position is None:
            return []
        cost = round(1e6 / _phase_rate(position, seconds), 1)
        figures.append({"hexes": size[0] * size[1], "units": army, "us_per_order": cost})
    return figures


# The laboratory ---------------------------------------------------------------------------------------

MANY = 10_000
"""Random games that a designer runs."""


def laboratory(game: Game, seconds: float) -> dict[str, float]:
    """What whole games cost as the laboratory plays them: between two staffs, and between random players by one
    and by two workers. The second worker is measured by the clock: it gains nothing on a busy machine."""
    staffs = Match(game.id, dict.fromkeys(game.sides, "staff"), 1)
    played, started = 0, time.process_time()
    while not played or time.process_time() - started < seconds:
        play_match(staffs, played)
        played += 1
    staff = (time.process_time() - started) / played
    one, two = (_games_a_second(game, workers, seconds) for workers in (1, 2))
    return {
        "staff_game_seconds": round(staff, 2),
        "random_games_per_second": round(one, 2),
        "two_workers_gain": round(two / one, 2),
        "minutes_for_many": round(MANY / two / 60, 1),
    }


def _games_a_second(game: Game, workers: int, seconds: float) -> float:
    """Random games a second of the clock, as many workers play them; the workers' start does not count."""
    match = Match(game.id, dict.fromkeys(game.sides, "random"), 1)
    with ProcessPoolExecutor(workers) as pool:
        list(simulate(match, 2 * workers, executor=pool))
        played, started = 0, time.perf_counter()
        while not played or time.perf_counter() - started < seconds:
            batch = 8 * workers
            played += len(list(simulate(match, batch, executor=pool)))
        return played / (time.perf_counter() - started)


def bench(games: Sequence[str], seconds: float = 3.0, *, shown: Shown = unseen) -> dict[str, Any]:
    """Measure games against the calibrator, and how cost grows with the size of map and army."""
    every = list(map(load_game, dict.fromkeys(games)))
    figures = {game.id: measure(game, seconds) for game in shown(every, len(every), "speed")}
    growth = {
        game.id: {
            "hexes": game.map.land.bit_count(),
            "units": len(game.units),
            "us_per_order": round(1e6 / figures[game.id]["orders_per_second"], 1),
            "doubled": doubled(game, seconds / 4),
        }
        for game in shown(every, len(every), "growth")
    }
    whole = {game.id: laboratory(game, seconds) for game in shown(every, len(every), "whole games")}
    times = {game_id: {name: figures[game_id][name] for name in TIMES} for game_id in figures}
    for game_id, figure in whole.items():
        times[game_id] |= {name: figure[name] for name in LONG_TIMES}
    chess_rates = {game_id: figures[game_id]["chess_per_second"] for game_id in figures}
    return {
        "calibrator": {"name": "python-chess", "orders_per_second": round(fmean(chess_rates.values()), 1)},
        "games": figures,
        "laboratory": whole,
        "normalised": {"orders_per_second": YARDSTICK, "games": _normalised(times, chess_rates)},
        "growth": growth,
    }


TIMES = ("copy_us", "reach_us", "supply_us")
LONG_TIMES = ("staff_game_seconds", "minutes_for_many")


def _normalised(times: dict[str, dict[str, float]], chess_rates: dict[str, float]) -> dict[str, dict[str, float]]:
    """The times as they would be on a machine where python-chess makes ``YARDSTICK`` orders a second."""
    return {
        game_id: {name: round(time * chess_rates[game_id] / YARDSTICK, 2) for name, time in of_game.items()}
        for game_id, of_game in times.items()
    }


def in_words(result: dict[str, Any]) -> str:
    """The figures as a table."""
    calibrator = result["calibrator"]
    lines = [f"{calibrator['name']}: {calibrator['orders_per_second']:.0f} orders a second"]
    names = ("ratio", "sampled_ratio", "games_per_second", "copy_us", "reach_us", "supply_us", "memory_bytes")
    lines.append(f"{'game':20}" + "".join(f"{name:>17}" for name in names))
    for game_id, figures in result["games"].items():
        lines.append(f"{game_id:20}" + "".join(f"{figures[name]:>17}" for name in names))
    whole = ("staff_game_seconds", "random_games_per_second", "two_workers_gain", "minutes_for_many")
    lines += ["", f"whole games: between staffs, between random players, and {MANY:,} of those by two workers"]
    lines.append(f"{'game':20}" + "".join(f"{name:>25}" for name in whole))
    for game_id, figures in result["laboratory"].items():
        lines.append(f"{game_id:20}" + "".join(f"{figures[name]:>25}" for name in whole))
    lines += ["", f"times on a machine where {calibrator['name']} makes {YARDSTICK:,} orders a second (worked out)"]
    lines.append(f"{'game':20}" + "".join(f"{name:>20}" for name in TIMES + LONG_TIMES))
    for game_id, times in result["normalised"]["games"].items():
        lines.append(f"{game_id:20}" + "".join(f"{time:>20}" for time in times.values()))
    lines += ["", "an order in the open, in microseconds (hexes / units)"]
    for game_id, growth in result["growth"].items():
        cells = [f"{f['us_per_order']:.0f} ({f['hexes']} / {f['units']})" for f in growth["doubled"]]
        lines.append(f"{game_id:20}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)
