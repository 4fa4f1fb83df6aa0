"""Is it still the same program? What must not change when only the house is rebuilt, against an older version.

    python tools/same.py                              all games, against the last change of a rule
    python tools/same.py --base HEAD --games tijvin-1941 --count 4

For each game: whole random games, sampled and from full lists, order by order with events, prompts and what is drawn;
lists counted two deep (perft); case and message of refused orders; documents, and what is said of spoilt ones;
explained attacks. Every difference is reported with the place where it first shows.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import versions

LAST_RULE_CHANGE = "2872a94"

PARTS = ("sampled", "listed", "perft", "refused", "documents", "explained")
REFUSED, SPOILT, EXPLAINED, PERFT = 2000, 300, 120, 12
"""How many of each are looked at in a game, where enough of them turn up."""
WIDE = 30
"""Orders of a list that perft follows."""
NUMBERS = ("title", "attack", "defence", "initial", "columns", "results", "meaning", "table")
"""What is compared of an explained attack."""


def short(value: object) -> str:
    """A fingerprint of plain values."""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# What a version says of itself ----------------------------------------------------------------------


def walk(game: Any, seed: int, full: bool = False) -> Iterator[tuple[Any, list[Any], Any]]:
    """Positions of a random game, with their lists where ``full``, and the order that is played next."""
    from ladoga.kernel.position import CHANCE, going_on

    rng, position = random.Random(seed), game.start()
    while position.to_move is not None:
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = going_on(rng.choice(orders), orders.__iter__, rng) if orders else position.legal.random(rng)
        yield position, orders, order
        position = position.play(order)
    yield position, [], None


def played(game: Any, seeds: range, full: bool) -> Iterator[tuple[str, str]]:
    """Whole games, in pieces of a hundred orders."""
    for seed in seeds:
        told: list[object] = []
        for number, (position, orders, order) in enumerate(walk(game, seed, full)):
            events = [(e.kind, e.case, e.text, e.side, sorted(e.hidden_from)) for e in position.events]
            now = (position.prompt, position.choice, position.phase.id, position.to_move)
            told.append((now, str(order), orders, events))
            if number % 100 == 0 or order is None:
                told.append(position.document())
                told.append([position.view(side).document() for side in game.sides])
                yield f"seed {seed}, order {number}, {position.phase.id}", short(told)
                told = []
        yield f"seed {seed}, outcome", short(position.outcome.as_json())


def some(game: Any, seeds: range, every: int) -> Iterator[tuple[str, Any]]:
    """Positions of random games at which a side decides."""
    for seed in seeds:
        for number, (position, _, order) in enumerate(walk(game, 1000 + seed)):
            if order is not None and number % every == 0 and position.to_move in game.sides:
                yield f"seed {1000 + seed}, order {number}, {position.phase.id}", position


def perft(game: Any, seeds: range) -> Iterator[tuple[str, str]]:
    """How many orders follow each of a list."""
    for place, position in islice(some(game, seeds, 97), PERFT):
        orders = list(position.legal)
        counts = [len(list(position.play(order).legal)) for order in orders[:: max(1, len(orders) // WIDE)]]
        yield place, f"{len(orders)}: {counts}"


def refused(game: Any, seeds: range) -> Iterator[tuple[str, str]]:
    """What is said of orders put together at random from the words of the game."""
    rng, count = random.Random(5), 0
    numbers = list(game.map.grid.numbers)
    for place, position in some(game, seeds, 23):
        units = [counter.id for counter in position.table().counters]
        heard = [position.legal.random(rng) for _ in range(4)]
        for _ in range(24):
            order = spoilt_order(game, rng, rng.choice(heard), units, numbers)
            refusal = position.why_not(order)
            if refusal is not None:
                count += 1
                yield f"{place}: {order}", f"{refusal.case} {refusal.message}"
        if count >= REFUSED:
            return


def spoilt_order(game: Any, rng: random.Random, order: Any, units: list[str], numbers: list[str]) -> Any:
    """A legal order with another verb, other units or other hexes, or one made up altogether."""
    from ladoga import Order

    verb = game.grammar.verbs[rng.choice(list(game.grammar.verbs)) if rng.random() < 0.4 else order.verb]
    named = order.units if order.units and rng.random() < 0.6 else rng.choices(units, k=rng.choice((1, 2)))
    hexes = list(order.hexes) if order.hexes and rng.random() < 0.5 else rng.sample(numbers, rng.choice((1, 1, 2)))
    words = order.words or (rng.choice(("0", "1", "2", "x", "air")),)
    kinds = [kind.rstrip("?") for kind in verb.kinds]
    return Order(
        verb.name, tuple(named) if "units" in kinds else (), tuple(hexes) if "hexes" in kinds else (),
        tuple(words[: max(1, kinds.count("word"))]) if "word" in kinds else (),
    )  # fmt: skip


def documents(game: Any, seeds: range) -> Iterator[tuple[str, str]]:
    """Documents read back, and what is said of spoilt ones."""
    from ladoga import LadogaError

    rng, count = random.Random(7), 0
    for place, position in some(game, seeds, 41):
        document = position.document()
        again = game.position(document)
        yield place, short([again.document(), [str(order) for order in islice(again.legal, 50)]])
        for _ in range(3):
            spoilt = json.loads(json.dumps(document))
            what = spoil(spoilt, rng)
            try:
                said = "read: " + short(game.position(spoilt).document())
            except LadogaError as problem:
                said = str(problem)
            count += 1
            yield f"{place}: {what}", said
        if count >= SPOILT:
            return


def spoil(document: Any, rng: random.Random) -> str:
    """Change one thing in a document, and say which."""
    inside, path = document, ""
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = rng.choice(keys)
        path += f".{key}"
        if isinstance(inside[key], dict | list) and inside[key] and rng.random() < 0.9:
            inside = inside[key]
            continue
        value = rng.choice([None, "", "x", 99, -1, True, [], "0101"])
        if value is None:
            del inside[key]
        else:
            inside[key] = value
        return f"{path} = {value!r}"


def explained(game: Any, seeds: range) -> Iterator[tuple[str, str]]:
    """Attacks in numbers."""
    from ladoga import LadogaError

    count = 0
    for place, position in some(game, seeds, 13):
        for order in list(position.legal)[::40]:
            try:
                told = position.explain(order).as_json()
            except LadogaError:
                continue
            count += 1
            yield f"{place}: {order}", short([told[key] for key in NUMBERS])
        if count >= EXPLAINED:
            return


def told(game_id: str, part: str, seeds: range) -> Iterator[tuple[str, str]]:
    """Everything a version says of a part, place by place."""
    import ladoga

    game = ladoga.load(game_id)
    if part in ("sampled", "listed"):
        return played(game, seeds, part == "listed")
    return {"perft": perft, "refused": refused, "documents": documents, "explained": explained}[part](game, seeds)


# Two versions beside one another --------------------------------------------------------------------


def differences(old: Any, new: Any, games: list[str], parts: list[str], count: int) -> Iterator[str]:
    """What two versions say differently; a line for every part of every game in which they do."""
    with ExitStack() as both:
        sources = [both.enter_context(versions.source_of(str(version))) for version in (old, new)]
        for game in games:
            for part in parts:
                words = ("--tell", game, part, str(count))
                at_work = [both.enter_context(versions.started(source, "same.py", *words)) for source in sources]
                said, now = (worker.communicate()[0].splitlines() for worker in at_work)
                if any(worker.returncode for worker in at_work):
                    yield f"{game}, {part}: a version failed"
                places = min(len(said), len(now))
                first = next((n for n in range(places) if said[n] != now[n]), places)
                if len(said) != len(now) or first < places:
                    one, two = (lines[first] if first < len(lines) else "nothing more" for lines in (said, now))
                    yield f"{game}, {part}, place {first + 1} of {len(said)}:\n  old {one}\n  new {two}"
                else:
                    print(f"{game}, {part}: the same in {len(now)} places", flush=True)


def main() -> None:
    """Compare, or tell what the version at hand says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default=LAST_RULE_CHANGE, help="a commit, or a folder with a src in it")
    parser.add_argument("--new", default=str(versions.ROOT), help="the same; this folder if not said")
    parser.add_argument("--games", nargs="*", default=[])
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=PARTS)
    parser.add_argument("--count", type=int, default=6, help="random games of each kind")
    parser.add_argument("--tell", nargs=3, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.tell:
        game, part, count = words.tell
        for place, said in told(game, part, range(int(count))):
            print(json.dumps([place, said]))
        return
    games = words.games
    if not games:
        import ladoga

        games = ladoga.game_ids()
    found = list(differences(words.base, words.new, games, words.parts, words.count))
    print("\n".join(found) if found else "No difference")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
