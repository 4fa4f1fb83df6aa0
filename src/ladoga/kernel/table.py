"""What lies on the table: counters, markers, boxes and charts, the same words for every game.

Drawing code (browser, print, terminal) knows these and no game.
"""

from __future__ import annotations

import msgspec

__all__ = ["Box", "Chart", "Counter", "Marker", "Table"]


class Counter(msgspec.Struct, omit_defaults=True):
    """A counter as it lies on the table, face up or face down.

    >>> Counter("12", "german", "0403", figures="6-6").hex
    '0403'
    """

    id: str
    """As orders name it."""
    side: str
    hex: str = ""
    box: str = ""
    """The box it lies in when it is not on the map."""
    symbol: str = "infantry"
    """What the NATO symbol shows: infantry, armor, mechanized, motorized, cavalry, artillery, engineer,
    antitank, rocket, hq, air, bomber, naval, fort, marine, airborne, guerrilla, worker, security, leader,
    rail-gun, unknown."""
    size: str = ""
    """``XX`` for a division, ``XXX`` a corps, ``X`` a brigade, ``III`` a regiment."""
    name: str = ""
    formation: str = ""
    """Corps, army or sub-command, where it matters."""
    figures: str = ""
    """The figures as printed on the face that shows: ``6-6``, ``4-3-5``, ``?-5``."""
    steps: int = 1
    full_steps: int = 1
    colour: str = ""
    """A shade of the side: panzer, ss, air, guards, militia, nkvd, naval, marker."""
    states: tuple[str, ...] = ()
    """moved, fired, disrupted, unsupplied, reduced, activated ..., most important first."""
    face_down: bool = False
    called: str = ""
    """Its full name, for sentences; filled in for those who show it to people."""
    reverse: str = ""
    """The figures it shows after its next loss; filled in likewise."""


class Marker(msgspec.Struct, omit_defaults=True):
    """Something on the map that is not a counter with strengths: fort, interdiction, rubble, control.

    >>> Marker("0403", "fort").kind
    'fort'
    """

    hex: str
    kind: str
    label: str = ""
    side: str = ""


class Box(msgspec.Struct, omit_defaults=True):
    """A place beside the map: turn track, reinforcements, dead pile, air display, HQ sheet, pool.

    >>> Box("turn-3", "Turn 3", turn=3).turn
    3
    """

    id: str
    title: str
    text: str = ""
    turn: int = 0
    """The turn of a turn-track box, for reinforcements due."""


class Table(msgspec.Struct, omit_defaults=True):
    """Everything to draw over the map.

    >>> import ladoga
    >>> table = ladoga.load("leningrad-1979").start().table()
    >>> len(table.counters) > 20, table.counters[0].side
    (True, 'german')
    """

    counters: list[Counter] = []
    markers: list[Marker] = []
    boxes: list[Box] = []
    lines: list[str] = []
    """Facts that lie nowhere in particular: weather, air units left, points."""
    warnings: list[str] = []
    """What the side on move loses if it ends the phase as things stand."""


class Chart(msgspec.Struct, omit_defaults=True):
    """A chart or table: a heading row and rows of cells.

    >>> import ladoga
    >>> [chart.title for chart in ladoga.load("leningrad41").charts()][0]
    'Combat results'
    """

    id: str
    title: str
    case: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str] = []
