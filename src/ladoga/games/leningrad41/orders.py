"""The verbs of Leningrad '41, and what each is for."""

from __future__ import annotations

from ...kernel.orders import Role, Verb

VERBS = (
    Verb("place", "units hexes", "place a unit at set-up, as an arrival or as a replacement", Role.PLACE),
    Verb(
        "enter",
        "units hexes word?",
        "bring a waiting unit onto the map, 'motorized' if it is to go on so",
        Role.ENTER,
    ),
    Verb(
        "move",
        "units hexes word?",
        "move a unit to a hex or along a path, 'motorized' at twice the allowance",
        Role.GO,
    ),
    Verb("sail", "units hexes", "move a marine unit by river and sea", Role.GO),
    Verb(
        "metro",
        "units hexes",
        "try a Metro move with a Komsomol unit",
        Role.GO,
        said="Send {units} by Metro to {hex}|Send {units} by Metro",
    ),
    Verb("drop", "units hexes", "land an airborne unit", Role.ENTER, said="Land {units} in {hex}"),
    Verb(
        "bridge",
        "units hexes",
        "choose the hex an engineer's pontoon leads to, where there is a choice",
        said="Lead the pontoon of {units} to {hex}|Lead the pontoon of {units}",
    ),
    Verb("flip", "units", "turn a face-down unit face up", said="Turn {units} face up"),
    Verb("replace", "word", "draw a replacement for a sub-command", said="Draw a replacement for {word}"),
    Verb("target", "hexes", "aim a fire at a hex, or at the bridge between two", Role.AIM),
    Verb("add", "units", "add a unit to the fire", Role.JOIN),
    Verb("commit", "words", "make the fire, as an 'assault' if wished", Role.COMMIT),
    Verb("cancel", "", "give up the fire being composed", Role.CANCEL),
    Verb("attack", "units hexes words", "aim, add and commit in one order", Role.STRIKE),
    Verb("advance", "units hexes", "advance after combat", Role.ADVANCE),
    Verb("lose", "units", "give up a unit as the price of a fanatical assault", Role.LOSE),
    Verb(
        "repair",
        "units hexes?",
        "eliminate an over-stacked unit or move it to the nearest legal hex",
        said="Move {units} to {hex}|Eliminate {units}",
    ),
    Verb("concede", "", "give up the game", said="Concede the game"),
    Verb("end", "", "end the phase, or let an opportunity pass", Role.END),
    Verb("die", "word", "the face of a die", Role.CHANCE),
    Verb("draw", "units", "the counter drawn", Role.CHANCE, said="Draw {units}"),
)
