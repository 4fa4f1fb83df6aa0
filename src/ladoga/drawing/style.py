"""Which family of drawing each word of a map's vocabulary belongs to.

A map may use any words. A word is looked up by its parts, the most telling part first, so that
``major-river``, ``river`` and ``minor-river`` are all rivers, and a word nobody foresaw still
gets a plain mark of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..kernel.sides import styles

_TERRAIN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("water", ("sea", "lake", "water", "ocean", "bay", "gulf", "harbour", "harbor", "neva", "volga")),
    ("outside", ("outside", "off-map", "void", "unplayable")),
    ("marsh", ("marsh", "swamp", "bog", "wetland")),
    ("forest", ("forest", "forests", "taiga")),
    ("woods", ("woods", "wood", "trees")),
    ("park", ("park", "garden", "gardens", "cemetery")),
    ("hill", ("hill", "hills", "heights", "height", "ridge", "rough", "mountain", "balka", "broken")),
    ("works", ("industrial", "industry", "factory", "works", "port", "rail-yard", "yard", "docks", "airfield")),
    ("dense", ("dense", "centre", "center", "major-city", "stone", "block", "fortress", "stronghold", "objective")),
    ("rubble", ("rubble", "ruins")),
    ("urban", ("urban", "city", "built-up", "built", "suburb", "suburban", "town", "village", "residential")),
    ("steppe", ("steppe", "sand", "dry", "field", "fields")),
    ("open", ("clear", "open", "plain", "ground", "flat")),
)

_HEXSIDES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("bridge", ("bridge", "bridges")),
    ("ferry", ("ferry", "ford", "ice-road", "crossing")),
    ("rail", ("rail", "railway", "railroad", "narrow-gauge")),
    ("prospekt", ("prospekt", "avenue", "boulevard", "street")),
    ("metro", ("metro", "tunnel", "sewer")),
    ("road", ("road", "highway", "track", "trail")),
    ("border", ("border", "boundary", "frontier", "limit", "line")),
    ("canal", ("canal", "ditch", "moat")),
    ("river", ("river", "stream", "creek", "brook", "volga", "don", "neva")),
    ("shore", ("coast", "shore")),
    ("barred", ("sea", "lake", "water", "strait", "barred", "impassable")),
    ("scarp", ("scarp", "escarpment", "slope", "embankment", "cliff", "ravine", "balka", "wall")),
)

_PLACES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("region", ("region", "province")),
    ("metropolis", ("leningrad", "stalingrad", "interior")),
    ("foreign", ("prussia", "finland", "abroad", "neutral")),
    ("supply", ("supply", "source", "depot")),
    ("setup", ("set-up", "setup", "start", "deploy", "deployment")),
    ("entry", ("entry", "enter", "arrival", "edge", "reinforcement", "reinforcements", "exit")),
    ("objective", ("objective", "victory", "vp", "key-point")),
    ("star", ("star", "stars")),
    ("fort", ("fort", "fortified", "fortification", "fortifications", "bunker", "stronghold")),
    ("station", ("metro", "station", "railhead", "junction")),
    ("bridge", ("bridge",)),
    ("ferry", ("ferry", "crossing", "landing")),
    ("airfield", ("airfield", "airbase")),
    ("port", ("port", "harbour", "harbor", "fleet", "naval", "anchor")),
    ("works", ("factory", "works", "plant", "workers")),
    ("capital", ("soviet-city", "major-city", "large-city", "key-city", "major")),
    ("city", ("city", "minor-city", "minor")),
    ("town", ("town", "village", "place", "hamlet", "settlement")),
)


def _family(word: str, table: Sequence[tuple[str, Iterable[str]]], other: str) -> str:
    parts = word.lower().replace("_", "-").split("-")
    joined = ["-".join(parts[i : i + 2]) for i in range(len(parts) - 1)]
    for name, known in table:
        if any(part in known for part in (*joined, *parts)):
            return name
    return other


def terrain_family(word: str) -> str:
    """The family of a terrain word.

    >>> [terrain_family(w) for w in ("swamp", "forest", "dense-urban", "moonscape")]
    ['marsh', 'forest', 'dense', 'other']
    """
    return _family(word, _TERRAIN, "other")


def hexside_family(word: str) -> str:
    """The family of a hexside word.

    >>> [hexside_family(w) for w in ("major-river", "rail", "rail-bridge", "sea", "coast", "fence")]
    ['river', 'rail', 'bridge', 'barred', 'shore', 'other']
    """
    return _family(word, _HEXSIDES, "other")


def place_family(word: str) -> str:
    """The family of a place word.

    >>> [place_family(w) for w in ("town", "soviet-city", "german-supply", "leningrad", "sector")]
    ['town', 'capital', 'supply', 'metropolis', 'area']
    """
    return _family(word, _PLACES, "area")


def river_weight(word: str) -> float:
    """How broad a kind of river is against a plain one."""
    for part, weight in (("major", 1.75), ("great", 2.4), ("volga", 3.0), ("neva", 2.6), ("don", 1.9),
                         ("minor", 0.62), ("stream", 0.5), ("creek", 0.5), ("brook", 0.5)):  # fmt: skip
        if part in word:
            return weight
    return 1.0


def side_of(word: str) -> str:
    """The side that a word speaks of, if it does.

    >>> side_of("soviet-city"), side_of("axis-supply"), side_of("town")
    ('soviet', 'german', '')
    """
    return next((side for side, style in styles().items() if any(name in word for name in (side, *style.words))), "")


def side_words() -> set[str]:
    """Every word that speaks of a side."""
    return {word for side, style in styles().items() for word in (side, *style.words)}


def spoken(word: str) -> str:
    """A vocabulary word as people write it.

    >>> spoken("major-river")
    'Major river'
    """
    words = word.replace("-", " ")
    for name in (*sorted(side_words()), "leningrad", "stalingrad", "east prussia"):
        words = words.replace(name, name.title())
    return words[:1].upper() + words[1:]
