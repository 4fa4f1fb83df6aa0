"""Phase II of combat against a second reckoning, written from the sheet alone, on positions made up at random."""

import random
from fractions import Fraction

import pytest

RATIOS = [(6, 1, 6), (5, 1, 5), (4, 1, 4), (3, 1, 3), (2, 1, 2), (3, 2, 1), (1, 1, 0), (1, 2, -1), (1, 3, -2)]
GROUND = {"clear": 0, "forest": 2, "swamp": 2}
AROUND = ["0504", "0605", "0606", "0506", "0406", "0405"]
"""The neighbours of 0505."""


def column(attack, defence):
    return next((dm for a, d, dm in RATIOS if attack * d >= defence * a), -3)


def leading(shares):
    top = max(shares.values())
    return max(rating for rating, share in shares.items() if share == top)


def expected(case):
    """Factors and modifiers of both sides as sections 7, 10, 11 and 13 give them."""
    frozen, winter = case["turn"] >= 7, case["turn"] >= 10
    by_hex, ratings, cut = {}, {}, set()
    for unit in case["attackers"]:
        factors = Fraction(unit["cf"])
        river = case["rivers"].get(unit["hex"])
        if river == "major-river":
            factors /= 3
        elif river == "minor-river" and not (frozen and unit["type"] == "infantry"):
            factors /= 3 if case["weather"] == "heavy-rain" else 2
        if not unit["supplied"]:
            factors /= 2
            cut.add(unit["hex"])
        by_hex[unit["hex"]] = by_hex.get(unit["hex"], 0) + factors
        rating = unit["efficiency"] - (not unit["supplied"] and unit["efficiency"] > 1)
        ratings[rating] = ratings.get(rating, 0) + factors
    attack = sum(max(int(factors), 1) for factors in by_hex.values())
    held, their_ratings = Fraction(0), {}
    for unit in case["defenders"]:
        factors = Fraction(unit["cf"]) / (1 if unit["supplied"] else 2)
        held += factors
        rating = unit["efficiency"] - (not unit["supplied"] and unit["efficiency"] > 1)
        their_ratings[rating] = their_ratings.get(rating, 0) + factors
    defence = max(int(held), 1)
    open_ground = not case["city"] and (case["ground"] == "clear" or (case["ground"] == "swamp" and frozen))
    ours = column(attack, defence)
    theirs = {"minor": 2, "major": 3}[case["city"]] if case["city"] else 0 if open_ground else GROUND[case["ground"]]
    difference = leading(ratings) - leading(their_ratings)
    ours, theirs = ours + max(difference, 0), theirs + max(-difference, 0)
    tanks = any(unit["type"] == "tank" for unit in case["attackers"])
    met = any(unit["type"] in ("tank", "antitank") for unit in case["defenders"])
    ours += tanks and not met and open_ground
    ours += {4: 1, 5: 2, 6: 3}.get(len(by_hex), 0)
    ours -= winter
    ours -= sum(by_hex[h] < 1 for h in cut)
    theirs -= held < 1
    return attack, defence, ours, theirs


def made_up(rng, side, hex_number, kinds, most):
    return {
        "side": side, "hex": hex_number, "type": rng.choice(kinds), "cf": rng.randint(1, most),
        "efficiency": rng.randint(1, 3), "supplied": rng.random() < 0.7,
    }  # fmt: skip


def random_case(rng):
    turn = rng.randint(1, 15)
    ground = rng.choice(list(GROUND))
    slots = rng.sample(AROUND, rng.randint(1, 6))
    kinds = ["infantry", "motorized", "cavalry", "tank"]
    attackers = [made_up(rng, "german", h, kinds, 6) for h in slots for _ in range(rng.randint(1, 3))]
    weather = rng.choice(["clear", "fog", "rain", "snow", "heavy-rain"])
    rivers = ["major-river", "minor-river", "minor-river", None] if weather != "heavy-rain" else ["minor-river", None]
    return {
        "turn": turn, "ground": ground, "city": rng.choice([None, None, None, "minor", "major"]), "weather": weather,
        "attackers": attackers, "rivers": {h: rng.choice(rivers) for h in slots},
        "defenders": [made_up(rng, "soviet", "0505", [*kinds, "antitank"], 6) for _ in range(rng.randint(1, 3))],
    }  # fmt: skip


@pytest.mark.case("tijvin-1941", "13.IIa", "13.IIb", "13.IIc", "13.IId", "13.IIf", "7.T", "7.W", "10", "2")
@pytest.mark.parametrize("seed", range(150))
def test_factors_and_modifiers_agree_with_the_sheet(situation, seed):
    rng = random.Random(seed)
    case = random_case(rng)
    places = {"0505": [f"{case['city']}-city"]} if case["city"] else {}
    sides = {f"{h}/0505" if h < "0505" else f"0505/{h}": ["road", *([river] if river else [])]
             for h, river in case["rivers"].items()}  # fmt: skip
    units = {f"{side[0]}{n}": unit for side in ("attackers", "defenders") for n, unit in enumerate(case[side])}
    position = situation(
        turn=case["turn"], phase="german-combat", weather=case["weather"], units=units, control="all",
        map={"hexes": {"0505": case["ground"]}, "places": places, "hexsides": sides},
    )  # fmt: skip
    names = "+".join(name for name in units if name.startswith("a"))
    explained = position.explain(f"attack {names} 0505")
    attack, defence, ours, theirs = expected(case)
    assert [value for value, _ in explained.attack] == [attack]
    assert [value for value, _ in explained.defence] == [defence]
    assert f"The attacker adds {ours:+}, the defender {theirs:+} to his roll." in explained.notes
