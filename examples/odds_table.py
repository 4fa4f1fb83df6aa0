"""The odds of one attack for every strength of the attacker and every ground: what do I need here?

python examples/odds_table.py
"""

import ladoga

GROUND = ("clear", "swamp", "hill")
DIVISION = {"type": "infantry", "defence": 3, "movement": 6}
STRENGTHS = (3, 6, 9, 12, 15)

game = ladoga.load("leningrad-1979")


def attack(strength: int, ground: str) -> ladoga.Explanation:
    """A German attack of that strength on a division of 3 defence points on that ground."""
    position = game.position(
        {
            "game": game.id,
            "turn": 4,
            "phase": "german-combat",
            "map": {
                "blank": [8, 6],
                "hexes": {"0403": ground},
                "places": {"0303": ["german-supply"], "0403": ["soviet-supply"]},
            },
            "units": {
                "x1": {**DIVISION, "side": "german", "attack": strength, "hex": "0303"},
                "x2": {**DIVISION, "side": "soviet", "attack": 3, "hex": "0403"},
            },
        }
    )
    return position.explain("attack x1 0403")


for ground in GROUND:
    print(f"\n3 defence points in {ground}")
    for strength in STRENGTHS:
        odds = attack(strength, ground)
        column = odds.columns[0][0]
        told = "  ".join(f"{code} {float(chance):4.0%}" for code, chance in odds.results)
        print(f"  {strength:2} points  {column:>5}  {told}")
