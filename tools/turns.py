"""How much faster or slower is one version than another? Both by turns, with the same seeds, in processor time.

    python tools/turns.py HEAD . leningrad-1979
    python tools/turns.py 2872a94 . tijvin-1941 --games 40

Each version plays in a process of its own, and only one of them at a time: a game in the one, then the same game in
the other, and so on in rounds, of which the fastest counts. Told is the time of the second as a multiple of the
first's, for orders sampled, drawn from full lists, given from outside, and asked about on the view
before they are given.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import versions

KINDS = ("sampled", "listed", "given", "asked")


def timed(game: Any, kind: str, seed: int) -> tuple[int, float, str]:
    """A random game of a kind: orders, processor seconds that they took, and how it ended."""
    from ladoga.lab.bench import playout

    if kind in ("sampled", "listed"):
        begun = time.process_time()
        steps, position = playout(game, seed, full=kind == "listed")
        return steps, time.process_time() - begun, position.digest()
    rng, position, orders = random.Random(seed), game.start(), []
    while position.to_move is not None:
        orders.append(str(position.legal.random(rng)))
        position = position.play(game.parse(orders[-1]))
    given, position = [game.parse(text) for text in orders], game.start()
    begun = time.process_time()
    for order in given:
        if kind == "asked" and position.to_move in game.sides:
            position.view(position.to_move).why_not(order)
        position = position.play(order)
    return len(given), time.process_time() - begun, position.digest()


def at_work(game_id: str) -> None:
    """Play what is asked for, a line at a time."""
    import ladoga

    game = ladoga.load(game_id)
    for line in sys.stdin:
        kind, seed = line.split()
        print(json.dumps(timed(game, kind, int(seed))), flush=True)


def compared(
    old: str, new: str, game: str, games: int, rounds: int, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[str, float, float, bool]]:
    """For each kind: microseconds an order of the old version, the new one's as a multiple of it, and whether both
    played the same games."""
    with ExitStack() as both:
        sources = [both.enter_context(versions.source_of(version)) for version in (old, new)]
        workers = [both.enter_context(versions.started(source, "turns.py", "--work", game)) for source in sources]

        def asked(number: int, kind: str, seed: int) -> tuple[int, float, str]:
            worker = workers[number]
            print(kind, seed, file=worker.stdin, flush=True)
            assert worker.stdout is not None
            steps, seconds, digest = json.loads(worker.stdout.readline())
            return steps, seconds, digest

        for kind in kinds:
            steps, seconds, same = 0, [0.0, 0.0], True
            for seed in range(games):
                told = [[asked(number, kind, seed) for number in (0, 1)] for _ in range(rounds)]
                for number in (0, 1):
                    seconds[number] += min(both_told[number][1] for both_told in told)
                steps += told[0][0][0]
                same = same and told[0][0][::2] == told[0][1][::2]
            yield kind, 1e6 * seconds[0] / steps, seconds[1] / seconds[0], same


def main() -> None:
    """Measure, or work for somebody who does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", help="OLD NEW GAME; versions are commits or folders with a src in them")
    parser.add_argument("--games", type=int, default=8, help="random games of each kind")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is played")
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.work:
        at_work(words.work)
        return
    if len(words.versions) != 3:
        parser.error("name two versions and a game")
    for kind, pace, ratio, same in compared(*words.versions, words.games, words.rounds, words.kinds):
        print(f"{kind:8} {pace:8.1f} µs an order, then ×{ratio:.3f}{'' if same else '  (other games!)'}", flush=True)


if __name__ == "__main__":
    main()
