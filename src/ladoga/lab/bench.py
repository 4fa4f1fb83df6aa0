"""Speed, as a ratio to python-chess in the same run: machines differ, ratios much less.

Everything is measured in CPU seconds. ``ratio`` compares random play with the full list of legal orders
made at every decision, as python-chess makes it; ``sampled_ratio`` random play without the lists.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from ..kernel.errors import LadogaError
from ..kernel.game import Game, load_game
from ..kernel.position import Position


def _rate(run: Callable[[int], int], seconds: float) -> float:
    """Steps a CPU second: one warm-up, then runs until the time is up."""
    run(0)
    steps, started, seed = 0, time.process_time(), 0
    while time.process_time() - started < seconds:
        seed += 1
        steps += run(seed)
    return steps / (time.process_time() - started)


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
        if full and position.chance is None:
            orders = list(legal)
            order = orders[int(rng.random() * len(orders))]
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
        if "movement" in position.phase.id and position.to_move == position.phase.side:
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


def measure(game: Game, seconds: float, chess_rate: float) -> dict[str, float]:
    """All figures of one game."""
    full = _rate(lambda seed: playout(game, seed, full=True)[0], seconds)
    sampled = _rate(lambda seed: playout(game, seed, full=False)[0], seconds)
    steps, _ = playout(game, 1, full=False)
    cases = positions(game, 10_007)
    position = cases[len(cases) // 2][0]
    return {
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


def bench(games: Iterable[str], seconds: float = 3.0) -> dict[str, Any]:
    """Measure games against the calibrator, and how cost grows with the size of map and army."""
    chess_rate = _rate(chess_playout, seconds)
    figures = {game_id: measure(load_game(game_id), seconds, chess_rate) for game_id in games}
    growth = {
        game_id: {
            "hexes": load_game(game_id).map.land.bit_count(),
            "units": len(load_game(game_id).units),
            "us_per_order": round(1e6 / figure["orders_per_second"], 1),
        }
        for game_id, figure in figures.items()
    }
    return {
        "calibrator": {"name": "python-chess", "orders_per_second": round(chess_rate, 1)},
        "games": figures,
        "growth": growth,
    }


def in_words(result: dict[str, Any]) -> str:
    """The figures as a table."""
    calibrator = result["calibrator"]
    lines = [f"{calibrator['name']}: {calibrator['orders_per_second']:.0f} orders a second"]
    names = ("ratio", "sampled_ratio", "games_per_second", "copy_us", "reach_us", "supply_us", "memory_bytes")
    lines.append(f"{'game':20}" + "".join(f"{name:>17}" for name in names))
    for game_id, figures in result["games"].items():
        lines.append(f"{game_id:20}" + "".join(f"{figures[name]:>17}" for name in names))
    return "\n".join(lines)
