"""A small open field of leningrad-1979, with whoever is to stand on it."""


def rifles(hex_: str, attack: int = 4) -> str:
    """A Soviet division made up for the field."""
    return f'{{side: soviet, type: infantry, attack: {attack}, defence: 3, movement: 5, hex: "{hex_}"}}'


def field(phase: str, **units: str) -> str:
    """The document of a field: units by name (``u12`` for one that is called by a number), each in a hex or made up."""
    lines = [
        "game: leningrad-1979",
        "turn: 4",
        f"phase: {phase}",
        'map: {blank: [10, 8], places: {"0101": [german-supply], "1008": [soviet-supply]}}',
        "units:",
    ]
    for name, there in units.items():
        entry = there if there.startswith("{") else f'{{hex: "{there}"}}'
        lines.append(f"  {name.removeprefix('u')}: {entry}")
    return "\n".join([*lines, ""])
