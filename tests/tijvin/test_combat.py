"""Combat up to its casualties (section 13, phases I to IV, and artillery)."""

from fractions import Fraction

import pytest

from ladoga.games.tijvin.combat import verdict, verdicts
from ladoga.games.tijvin.strength import reckon


@pytest.fixture
def fight(situation, play):
    """Announce a combat with the units named a..., and hand back the reckoning."""

    def run(units, attackers=None, target="0505", support=(), **more):
        more.setdefault("phase", "german-combat")
        side = more["phase"].split("-")[0]
        position = situation(units=units, **more)
        if attackers is None:
            attackers = [name for name, unit in units.items() if unit["side"] == side and unit["type"] != "artillery"]
        position = play(position, f"attack {'+'.join([*attackers, *support])} {target}")
        while position.to_move not in ("chance", None):
            order = "commit" if "commit" in position.legal else next(iter(position.legal))
            position = play(position, order)
        if position.chance.case == "11.O":
            position = play(position, 6)
        return position

    return run


def announced(position):
    """Attack, defence, column, and both modifiers."""
    return next(e for e in position.events if e.kind == "odds").facts


def parts(position):
    """Every modifier by its label."""
    return [{m.label: int(m.amount) for m in side} for side in reckon(position, position.battle).modifiers]


@pytest.mark.case("tijvin-1941", "13", "13.I")
def test_combat_is_voluntary_and_between_neighbours(situation, g, s, refused):
    position = situation(
        phase="german-combat", units={"a": g("0504"), "b": g("0502"), "r": s("0505", 1), "q": s("0509", 1)}
    )
    assert "end" in position.legal
    assert refused(position, "target 0509") == "13"
    assert refused(position, "attack b 0505") == "13"
    assert refused(position, "target 0508") == "13"


@pytest.mark.case("tijvin-1941", "13", "13.I", "9")
def test_only_activated_units_attack(situation, g, s, refused):
    units = {"a": g("0504"), "b": g("0605"), "r": s("0505", 1)}
    position = situation(phase="german-combat", units=units, active=["a"])
    assert refused(position, "attack a+b 0505") == "13.I"


@pytest.mark.case("tijvin-1941", "13", "13.IV")
def test_a_stack_may_split_its_attacks_and_each_unit_attacks_once(situation, g, s, play, refused, cf):
    units = {"a": g("0504", 6), "b": g("0504", 6), "r": s("0505", 4), "q": s("0604", 4)}
    position = situation(phase="german-combat", units=units)
    position = play(position, "attack a 0505", "commit", 1, 6, 1)
    assert refused(position, "attack a 0604") == "13"
    assert cf(position, "b") == 6, "no loss falls on a bystander"
    assert "attack b 0604" in position.legal
    assert "attack b 0505" in position.legal, "a hex may be attacked again by others"


@pytest.mark.case("tijvin-1941", "13", "13.I")
def test_all_defenders_of_a_hex_fight_and_attackers_come_from_several_hexes(fight, g, s):
    units = {"a": g("0504", 6), "b": g("0605", 3), "r": s("0505", 4), "q": s("0505", 3)}
    assert announced(fight(units))[:2] == (9, 7)


@pytest.mark.case("tijvin-1941", "13.I")
def test_composing_an_attack_step_by_step(situation, g, s, play, refused):
    units = {"a": g("0504", 6), "b": g("0605", 3), "gun": g("0504", 1, "artillery"), "r": s("0505", 4)}
    position = play(situation(phase="german-combat", units=units), "target 0505")
    assert refused(position, "commit") == "13.I"
    assert refused(position, "add gun") == "13.A"
    position = play(position, "add a", "add gun", "add Luft-2")
    assert refused(position, "add a") == "13.I"
    position = play(position, "commit")
    both = play(situation(phase="german-combat", units=units), "attack gun+a+Luft-2 0505")
    assert position == both


# Phase II a -----------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.IIa", "7.W", "7.T")
@pytest.mark.parametrize(
    ("kind", "river", "weather", "turn", "factors", "expected"),
    [
        ("infantry", "minor-river", "clear", 3, 13, 6),
        ("infantry", "minor-river", "heavy-rain", 3, 12, 4),
        ("infantry", "major-river", "clear", 3, 16, 5),
        ("infantry", "major-river", "clear", 12, 18, 6),
        ("infantry", "minor-river", "clear", 7, 12, 12),
        ("motorized", "minor-river", "clear", 7, 12, 6),
        ("tank", "minor-river", "clear", 7, 12, 6),
    ],
)
@pytest.mark.parametrize("bridge", [[], ["road"]])
def test_rivers_cut_attackers_bridge_or_not(fight, g, s, kind, river, weather, turn, factors, expected, bridge):
    field = {"hexsides": {"0504/0505": [river, *bridge]}}
    position = fight({"a": g("0504", factors, kind), "r": s("0505", 4)}, map=field, weather=weather, turn=turn)
    assert announced(position)[:2] == (expected, 4)


@pytest.mark.case("tijvin-1941", "7.T", "13.IIa")
def test_cavalry_is_halved_on_the_ice_too(fight, g, s):
    field = {"hexsides": {"0504/0505": ["minor-river"]}}
    units = {"c": s("0504", 3, "cavalry"), "i": s("0504", 6), "a": g("0505", 4)}
    assert announced(fight(units, map=field, turn=8, phase="soviet-combat"))[0] == 7, "6 + 1.5, rounded once"


@pytest.mark.case("tijvin-1941", "13.IIa")
def test_each_hex_is_cut_by_its_own_river(fight, g, s):
    field = {"hexsides": {"0504/0505": ["minor-river"]}}
    assert announced(fight({"a": g("0504", 7), "b": g("0605", 5), "r": s("0505", 4)}, map=field))[0] == 8


@pytest.mark.case("tijvin-1941", "2", "13.IIa")
def test_each_attacking_hex_is_rounded_by_itself(fight, g, s):
    field = {"hexsides": {"0504/0505": ["minor-river"], "0605/0505": ["minor-river"]}}
    assert announced(fight({"a": g("0504", 5), "b": g("0605", 5), "r": s("0505", 4)}, map=field))[0] == 4
    assert announced(fight({"a": g("0504", 1), "b": g("0605", 1), "r": s("0505", 4)}, map=field))[0] == 2


@pytest.mark.case("tijvin-1941", "7.W")
@pytest.mark.parametrize("bridge", [[], ["rail"]])
def test_no_attack_across_a_major_river_in_heavy_rain(situation, g, s, refused, bridge):
    field = {"hexsides": {"0504/0505": ["major-river", *bridge]}}
    position = situation(phase="german-combat", weather="heavy-rain", map=field,
                         units={"a": g("0504"), "r": s("0505", 1), "q": s("0604", 1)})  # fmt: skip
    assert refused(position, "attack a 0505") == "7.W"


@pytest.mark.case("tijvin-1941", "13.IIa", "7.T")
@pytest.mark.parametrize(
    ("turn", "sides", "allowed"), [(6, [], False), (6, ["road"], True), (6, ["rail"], True), (7, [], True)]
)
def test_tanks_attack_swamp_along_a_path_only(situation, g, s, turn, sides, allowed):
    field = {"hexes": {"0505": "swamp"}, "hexsides": {"0504/0505": sides}}
    units = {"pz": g("0504", 7, "tank"), "i": g("0504", 4), "r": s("0505", 4)}
    position = situation(turn=turn, phase="german-combat", map=field, units=units)
    assert "attack i 0505" in position.legal
    assert ("attack pz 0505" in position.legal) is allowed
    if not allowed:
        assert position.why_not("attack pz 0505").case == "13.IIa"


@pytest.mark.case("tijvin-1941", "10", "13.IIa")
def test_out_of_supply_halves_both_roles(fight, g, s):
    assert announced(fight({"a": g("0504", 7, supplied=False), "r": s("0505", 4)}))[:2] == (3, 4)
    assert announced(fight({"a": g("0504", 7), "r": s("0505", 7, supplied=False)}))[:2] == (7, 3)


@pytest.mark.case("tijvin-1941", "10")
def test_a_last_factor_out_of_supply_costs_a_point_on_the_die(fight, g, s):
    position = fight({"a": g("0504", 4), "r": s("0505", 1, supplied=False)})
    assert announced(position)[1] == 1
    assert parts(position)[1]["a single factor out of supply"] == -1
    position = fight({"a": g("0504", 4), "r": s("0505", 1, supplied=False), "q": s("0505", 2, supplied=False)})
    assert "a single factor out of supply" not in parts(position)[1]


@pytest.mark.case("tijvin-1941", "10", "2")
@pytest.mark.parametrize(
    ("units", "factors", "modifier"),
    [
        ({"a": (6, True), "b": (1, False)}, 6, None),
        ({"a": (1, False)}, 1, -1),
        ({"a": (1, False), "b": (1, False)}, 1, None),
        ({"a": (2, False)}, 1, None),
    ],
    ids=["with six supplied", "alone", "two of them", "two factors"],
)
def test_the_last_factor_pays_by_the_roll_only_where_its_stack_cannot(fight, g, s, units, factors, modifier):
    """Factors are rounded by the stack: in a stack of seven the halving is felt (6), so nothing is added to it; a stack
    of one unsupplied factor cannot fall below 1 and pays by the roll instead."""
    party = {n: g("0504", cf, supplied=supplied) for n, (cf, supplied) in units.items()}
    position = fight({**party, "r": s("0505", 4)})
    assert announced(position)[0] == factors
    assert parts(position)[0].get("a single factor out of supply") == modifier


@pytest.mark.case("tijvin-1941", "10", "2")
def test_two_stacks_of_one_unsupplied_factor_pay_twice(fight, g, s):
    units = {"a": g("0504", 1, supplied=False), "b": g("0605", 1, supplied=False), "r": s("0505", 4)}
    position = fight(units)
    assert announced(position)[0] == 2
    assert parts(position)[0]["a single factor out of supply"] == -2


@pytest.mark.case("tijvin-1941", "13.IIa")
def test_rivers_do_not_cut_defenders(fight, g, s):
    field = {"hexsides": {"0504/0505": ["major-river"]}}
    assert announced(fight({"a": g("0504", 12), "r": s("0505", 6)}, map=field))[:2] == (4, 6)


# Phase II b to f ------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.IIb")
@pytest.mark.parametrize(
    ("attack", "defence", "modifier"),
    [(6, 11, -1), (11, 8, 0), (15, 4, 3), (15, 1, 6), (1, 1, 0), (1, 20, -3), (1, 4, -3), (1, 3, -2),
     (3, 2, 1), (2, 1, 2),
     (4, 1, 4), (5, 1, 5), (6, 1, 6), (40, 1, 6), (7, 8, -1), (23, 8, 2)],
)  # fmt: skip
def test_the_ratio_goes_down_to_a_listed_column(game, attack, defence, modifier):
    assert game.tables.ratios.column(attack, defence).modifier == modifier


@pytest.mark.case("tijvin-1941", "13.IIb", "13.A")
def test_the_ratio_is_the_attackers_and_leaves_stacked_artillery_out(fight, g, s):
    position = fight({"a": g("0504", 6), "r": s("0505", 11), "gun": s("0505", 1, "artillery")})
    assert announced(position)[:3] == (6, 11, "1 to 2")
    ours, theirs = parts(position)
    assert ours["ratio 1 to 2"] == -1
    assert not any("ratio" in label for label in theirs)


@pytest.mark.case("tijvin-1941", "13.IIc", "7.T")
@pytest.mark.parametrize(
    ("terrain", "place", "turn", "modifier"),
    [
        ("clear", [], 3, 0), ("forest", [], 3, 2), ("swamp", [], 6, 2), ("swamp", [], 7, 0), ("forest", [], 7, 2),
        ("clear", ["minor-city"], 3, 2), ("forest", ["minor-city"], 3, 2), ("swamp", ["minor-city"], 8, 2),
        ("forest", ["major-city"], 3, 3), ("clear", ["major-city"], 3, 3),
    ],
)  # fmt: skip
def test_terrain_helps_the_defender(fight, g, s, terrain, place, turn, modifier):
    field = {"hexes": {"0505": terrain, "0504": "forest"}, "places": {"0505": place}}
    position = fight({"a": g("0504", 6, efficiency=1), "r": s("0505", 6)}, map=field, turn=turn)
    assert announced(position)[4] == modifier
    assert announced(position)[3] == 0, "the attacker's own forest is no help"


@pytest.mark.case("tijvin-1941", "13.IIc")
def test_the_four_major_cities(game):
    majors = {game.map.names[h] for h in game.map.grid.members(game.map.places["major-city"])}
    assert majors == {"Sinyavino", "Novgorod", "Volkhov", "Tikhvin"}


@pytest.mark.case("tijvin-1941", "13.IId")
def test_the_larger_share_gives_the_efficiency(situation, g, s, play):
    """The sheet's example: 6 of efficiency 1 outweigh 3 of 2; the defender with 4 and 4 may choose 3."""
    units = {
        "a": s("0504", 6, efficiency=1), "b": s("0504", 3, efficiency=2),
        "c": g("0505", 4, efficiency=2), "d": g("0505", 4, efficiency=3),
    }  # fmt: skip
    position = play(situation(phase="soviet-combat", units=units), "attack a+b 0505", "commit")
    assert position.to_move == "german"
    assert {str(o) for o in position.legal} == {"efficiency 2", "efficiency 3"}
    high = play(position, "efficiency 3")
    assert parts(high)[1]["efficiency 3 to 1"] == 2
    low = play(position, "efficiency 2")
    assert parts(low)[1]["efficiency 2 to 1"] == 1
    lost = play(high, 6, 1, 1)
    assert [e.facts for e in lost.events if e.kind == "loss"] == [("a",), ("d",)]


@pytest.mark.case("tijvin-1941", "13.IId")
def test_a_river_may_cost_the_better_troops_their_lead(fight, g, s):
    field = {"hexsides": {"0504/0505": ["minor-river"]}}
    units = {"pz": g("0504", 7, "tank", efficiency=3), "i": g("0605", 4, efficiency=2), "r": s("0505", 4)}
    assert "efficiency 2 to 1" in parts(fight(units, map=field))[0]
    assert "efficiency 3 to 1" in parts(fight(units))[0]


@pytest.mark.case("tijvin-1941", "13.IId")
def test_firing_artillery_counts_for_efficiency(situation, g, s, play):
    units = {
        "a": g("0504", 9), "r": s("0505", 3, efficiency=1), "q": s("0505", 3, efficiency=2),
        "gun": s("0505", 1, "artillery", efficiency=2),
    }  # fmt: skip
    position = play(situation(phase="german-combat", units=units), "attack a 0505")
    assert position.to_move == "soviet"
    fired = play(position, "add gun")
    fired = play(fired, "commit") if "commit" in fired.legal else fired
    assert fired.to_move == "chance", "the gun breaks the tie"
    silent = play(position, "commit")
    assert {str(o) for o in silent.legal} == {"efficiency 1", "efficiency 2"}


@pytest.mark.case("tijvin-1941", "13.IIe", "13.A")
def test_artillery_fires_once_a_turn_from_the_hex_of_the_fighters(situation, g, s, play, refused, fight):
    units = {
        "a": g("0504", 6), "b": g("0605", 6), "gun": g("0504", 1, "artillery", support=2),
        "far": g("0503", 1, "artillery"), "r": s("0505", 9),
    }  # fmt: skip
    position = situation(phase="german-combat", units=units)
    assert refused(position, "attack a+far 0505") == "13.A"
    assert refused(position, "attack b+gun 0505") == "13.A"
    position = play(position, "attack a+gun 0505", "commit")
    assert parts(position)[0]["gun"] == 2
    position = play(position, 3, 3, 1)
    while position.prompt.startswith("Choose the unit"):
        position = play(position, next(iter(position.legal)))
    units["gun"]["fired"] = True
    assert refused(situation(phase="german-combat", units=units), "attack a+gun 0505") == "13.IIe"


@pytest.mark.case("tijvin-1941", "13.A", "13.IIe")
def test_artillery_does_not_attack_by_itself(situation, g, s, refused):
    units = {"gun": g("0504", 1, "artillery"), "a": g("0605", 3), "r": s("0505", 1)}
    assert refused(situation(phase="german-combat", units=units), "attack gun 0505") == "13.A"


@pytest.mark.case("tijvin-1941", "13.A")
def test_artillery_that_is_not_activated_is_silent_in_attack(situation, g, s, refused):
    units = {"gun": g("0504", 1, "artillery"), "a": g("0504", 3), "r": s("0505", 1)}
    assert refused(situation(phase="german-combat", units=units, active=["a"]), "attack a+gun 0505") == "13.I"


@pytest.mark.case("tijvin-1941", "10", "13.A")
def test_artillery_out_of_supply_is_silent(situation, g, s, refused, play):
    units = {"gun": g("0504", 1, "artillery", supplied=False), "a": g("0504", 3), "r": s("0505", 1)}
    assert refused(situation(phase="german-combat", units=units), "attack a+gun 0505") == "10"
    units = {"a": g("0504", 3), "r": s("0505", 1), "gun": s("0505", 1, "artillery", supplied=False)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505")
    assert refused(position, "add gun") == "10"


@pytest.mark.case("tijvin-1941", "13.A")
def test_lone_artillery_defends_with_its_factors_and_without_its_modifier(fight, g, s, play, at):
    position = fight({"a": g("0504", 6), "gun": s("0505", 1, "artillery", fired=True), "x": s("0505", 1, "artillery")})
    assert announced(position)[:2] == (6, 2)
    assert parts(position)[1] == {"clear ground": 0}
    position = play(fight({"a": g("0504", 6), "gun": s("0505", 1, "artillery")}), 6, 1, 1)
    assert at(position, "gun") == ""


@pytest.mark.case("tijvin-1941", "13.A", "13.IV")
def test_spent_artillery_counts_for_nothing(fight, g, s):
    base = {"a": g("0504", 12), "r": s("0505", 7)}
    fresh = {**base, "gun": s("0505", 1, "artillery")}
    spent = {**base, "gun": s("0505", 1, "artillery", fired=True)}
    position = fight(spent)
    assert reckon(position, position.battle).weaker == 7
    assert "gun" not in parts(position)[1]
    position = fight(fresh)
    assert reckon(position, position.battle).weaker == 7, "it was not used"


@pytest.mark.case("tijvin-1941", "13.IIe", "3")
def test_air_units_help_attack_and_defence_once_a_turn(situation, g, s, play, refused):
    units = {"a": g("0504", 6), "b": g("0605", 6), "r": s("0505", 9)}
    position = situation(turn=6, phase="german-combat", units=units)
    position = play(position, "attack a+Luft-1+Luft-2 0505")
    assert refused(position, "add Luft-1") == "13.IIe"
    position = play(position, "add VVS-1", "commit")
    ours, theirs = parts(position)
    assert sum(1 for label in ours if "Luftwaffe" in label) == 2
    assert theirs["First Soviet air unit"] == 1
    position = play(position, 3, 3)
    assert position.air_used.bit_count() == 3
    used = situation(turn=6, phase="german-combat", units=units, air=["Luft-1", "Luft-2"])
    assert refused(used, "attack b+Luft-1 0505") == "13.IIe"
    assert "attack b 0505" in used.legal


@pytest.mark.case("tijvin-1941", "13.IIf", "7.T")
@pytest.mark.parametrize(
    ("terrain", "place", "turn", "shock"),
    [("clear", [], 3, True), ("forest", [], 3, False), ("swamp", [], 7, True), ("clear", ["minor-city"], 3, False),
     ("clear", ["major-city"], 3, False)],
)  # fmt: skip
def test_shock_of_tanks_on_clear_ground(fight, g, s, terrain, place, turn, shock):
    field = {"hexes": {"0505": terrain}, "places": {"0505": place}}
    units = {"pz": g("0504", 4, "tank"), "p2": g("0605", 4, "tank"), "r": s("0505", 4)}
    assert parts(fight(units, map=field, turn=turn))[0].get("shock of tanks", 0) == int(shock)


@pytest.mark.case("tijvin-1941", "13.IIf", "16")
def test_tanks_and_antitank_guns_cancel_shock(fight, g, s):
    units = {"pz": g("0504", 4, "tank"), "r": s("0505", 4)}
    for kind, cancelled in (("tank", True), ("antitank", True), ("motorized", False), ("cavalry", False)):
        position = fight({**units, "x": s("0505", 1, kind)})
        assert ("shock of tanks" not in parts(position)[0]) is cancelled
    for kind in ("motorized", "infantry"):
        assert "shock of tanks" not in parts(fight({"m": g("0504", 4, kind), "r": s("0505", 4)}))[0]


@pytest.mark.case("tijvin-1941", "13.IIf", "16")
def test_tank_divisions_without_tanks_are_infantry(game):
    assert game.units["21-DT"].type == game.units["3-DT"].type == "infantry"


@pytest.mark.case("tijvin-1941", "13.IIf")
@pytest.mark.parametrize(("count", "modifier"), [(1, 0), (3, 0), (4, 1), (5, 2), (6, 3)])
def test_envelopment(fight, g, s, count, modifier):
    hexes = ("0504", "0605", "0606", "0506", "0406", "0405")[:count]
    units = {f"a{h}": g(h, 2) for h in hexes} | {"x": g("0504", 2), "r": s("0505", 4)}
    assert parts(fight(units))[0].get("envelopment", 0) == modifier


@pytest.mark.case("tijvin-1941", "7.T", "13.IIf")
@pytest.mark.parametrize(("turn", "winter"), [(9, 0), (10, -1), (15, -1)])
def test_german_winter(fight, g, s, turn, winter):
    assert parts(fight({"a": g("0504"), "r": s("0505")}, turn=turn))[0].get("winter", 0) == winter
    position = fight({"r": s("0504"), "a": g("0505")}, turn=turn, phase="soviet-combat")
    ours, theirs = parts(position)
    assert theirs.get("winter", 0) == winter
    assert "winter" not in ours


# Phases III and IV ----------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.III", "13.IV")
@pytest.mark.parametrize(
    ("attack", "defence", "result"),
    [
        (7, 6, ("attacker", 1)), (6, 6, ("draw", 1)), (5, 6, ("defender", 1)), (10, 5, ("attacker", 2)),
        (9, 5, ("attacker", 1)), (12, 4, ("attacker", 3)), (11, 4, ("attacker", 2)), (3, 10, ("defender", 3)),
        (-1, -2, ("attacker", 1)), (2, 0, ("attacker", 2)), (3, -1, ("attacker", 3)),
    ],
)  # fmt: skip
def test_who_wins_and_by_how_much(attack, defence, result):
    assert verdict(attack, defence) == result


@pytest.mark.case("tijvin-1941", "13.III")
def test_odds_add_up():
    for ours in range(-3, 9):
        for theirs in range(-1, 5):
            assert sum(verdicts(ours, theirs).values()) == 1


def casualties(position):
    return next(e for e in position.events if e.kind == "casualties").facts


@pytest.mark.case("tijvin-1941", "13.IV")
def test_the_winners_losses_by_the_die(fight, g, s, play):
    position = play(fight({"a": g("0504", 18), "r": s("0505", 6)}), 6, 5)
    assert [casualties(play(position, face))[0] for face in range(1, 7)] == [0, 0, 1, 1, 1, 2]


@pytest.mark.case("tijvin-1941", "13.IV")
def test_the_sheets_example_of_a_tripled_loser(fight, g, s, play):
    """18 against 6, 12 to 4, a six: the winner loses 2, the loser 5."""
    position = fight({"a": g("0504", 18, efficiency=1), "r": s("0505", 6)}, map={"hexes": {"0505": "forest"}})
    assert announced(position)[3:] == (3, 2)
    position = play(position, 6, 1)
    assert next(e for e in position.events if e.kind == "rolls").facts[:2] == (9, 3)
    assert casualties(play(position, 6)) == (2, 5)


@pytest.mark.case("tijvin-1941", "13.IV")
@pytest.mark.parametrize(("weaker", "more"), [(7, 0), (8, 1), (15, 1), (16, 2), (20, 2)])
def test_large_battles_cost_more(fight, g, s, play, weaker, more):
    units = {"a": g("0504", 20), "b": g("0605", 20), "r": s("0505", weaker)}
    assert casualties(play(fight(units), 6, 4, 3))[0] == 1 + more


@pytest.mark.case("tijvin-1941", "13.IV", "13.A")
def test_firing_artillery_adds_to_the_size_of_a_battle(situation, g, s, play):
    units = {"a": g("0504", 18), "r": s("0505", 7), "gun": s("0505", 1, "artillery")}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", "add gun", "commit", 6, 4, 1)
    assert casualties(position)[0] == 1


@pytest.mark.case("tijvin-1941", "13.IV")
def test_the_loser_loses_one_more_whoever_wins(fight, g, s, play):
    position = fight({"a": g("0504", 6, efficiency=1), "r": s("0505", 6)})
    assert casualties(play(position, 6, 5, 3)) == (1, 2)
    assert casualties(play(position, 5, 6, 3)) == (2, 1)
    assert casualties(play(position, 4, 2, 3)) == (1, 3), "doubled"
    assert casualties(play(position, 6, 2, 3)) == (1, 4), "tripled"
    assert casualties(play(position, 2, 6, 3)) == (4, 1)
    assert casualties(play(position, 4, 4, 3)) == (1, 1), "a draw"


@pytest.mark.case("tijvin-1941", "13.IV")
@pytest.mark.parametrize(("factors", "expected"), [(3, (0, 3)), (4, (1, 4)), (5, (2, 5)), (1, (0, 1))])
def test_what_the_loser_cannot_pay_is_taken_off_the_winner(fight, g, s, play, factors, expected):
    """The sheet's example: 2 and 5 due."""
    position = fight({"a": g("0504", 20), "r": s("0505", factors)})
    assert casualties(play(position, 6, 1, 6)) == expected


@pytest.mark.case("tijvin-1941", "13.IV")
def test_in_a_draw_each_pays_what_it_can(fight, g, s, play):
    field = {"places": {"0505": ["major-city"]}}
    position = fight({"a": g("0504", 9, efficiency=1), "r": s("0505", 1)}, map=field)
    assert announced(position)[3:] == (6, 3)
    assert casualties(play(position, 1, 4, 6)) == (2, 1)


@pytest.mark.case("tijvin-1941", "13.IV", "13.IId")
def test_owner_and_enemy_choose_in_turn(situation, g, s, play, refused, cf):
    units = {"a": g("0504", 3, efficiency=3), "b": g("0504", 6, efficiency=2), "r": s("0505", 12)}
    position = play(situation(phase="german-combat", units=units), "attack a+b 0505", "commit", 1, 6, 1)
    assert casualties(position)[0] >= 3
    assert position.to_move == "soviet", "the first loss had to fall on the efficiency fought with"
    assert cf(position, "b") == 5
    position = play(position, "lose a")
    assert position.to_move == "german"
    position = play(position, "lose b")
    assert position.to_move == "soviet"


@pytest.mark.case("tijvin-1941", "13.IId", "13.IV")
def test_the_first_loss_falls_on_the_efficiency_fought_with(situation, g, s, play, refused):
    units = {"a": g("0504", 4, efficiency=3), "b": g("0504", 4, efficiency=3), "c": g("0605", 4, efficiency=2),
             "r": s("0505", 12)}  # fmt: skip
    position = play(situation(phase="german-combat", units=units), "attack a+b+c 0505", "commit", 1, 6, 1)
    assert position.to_move == "german"
    assert refused(position, "lose c") == "13.IId"
    assert {str(o) for o in position.legal} == {"lose a", "lose b"}


@pytest.mark.case("tijvin-1941", "13.A", "13.IV")
def test_artillery_is_the_last_to_be_lost(situation, g, s, play, refused, cf, at):
    units = {"a": g("0504", 20), "r": s("0505", 2), "q": s("0505", 2), "gun": s("0505", 1, "artillery")}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", "add gun", "commit", 6, 1, 1)
    assert casualties(position)[1] == 3
    assert refused(position, "lose gun") == "13.A"
    position = play(position, "lose r", "lose r")
    assert (cf(position, "r"), cf(position, "q"), cf(position, "gun")) == (0, 1, 1)


@pytest.mark.case("tijvin-1941", "13.IV")
def test_a_winner_may_die_of_his_losses(fight, g, s, play, at):
    position = fight({"a": g("0504", 1, efficiency=3), "r": s("0505", 6, efficiency=1)})
    position = play(position, 6, 1, 6)
    assert at(position, "a") == ""
    assert position.to_move == "soviet", "the beaten defender chooses his way"
    position = play(position, next(iter(position.legal)))
    assert [str(order) for order in position.legal] == ["end"]


ROLLS = [((a, d), Fraction(1, 36)) for a in range(1, 7) for d in range(1, 7)]


@pytest.mark.case("tijvin-1941", "13", "13.III")
def test_an_attack_is_explained_exactly(situation, g, s):
    units = {"a": g("0504", 12), "r": s("0505", 4), "gun": s("0505", 1, "artillery")}
    e = situation(phase="german-combat", units=units).explain("attack a+Luft-1 0505")
    assert (e.attack[0][0], e.defence[0][0], e.columns[0][0]) == (12, 4, "3 to 1")
    assert sum(p for _, p in e.results) == 1
    assert {m.case for m in e.modifiers} == {"13.IIb", "13.IIc", "13.IId", "13.IIe"}
    assert e.net == 3 + 1 + 1 - 1
    assert e.to_die, "modifiers change the rolls, not the column"
    # The attacker adds 5, the defender 1: the defender loses nothing if he does not lose and the table says 0.
    lost = sum(p for code, p in e.results if code.partition("/")[0].rstrip("R") == "0")
    assert lost == sum(p for (a, d), p in ROLLS if a + 5 <= d + 1) * Fraction(1, 3)
    units["r"]["commanded"] = units["gun"]["commanded"] = False
    e = situation(phase="german-combat", units=units).explain("attack a 0505")
    assert dict(e.results)["0R/0"] * 6 == 1
    assert e.meaning["0R/0"] == "the defender loses nothing and retreats, the attacker nothing"
    assert dict(e.defence)[3] * 3 == 1
    assert e.as_json()["title"] == "Attack on 0505"


@pytest.mark.case("tijvin-1941", "11.O", "13.IIb")
def test_odds_against_a_mixed_stack_count_the_fight_with_those_who_stay(situation, g, s):
    """On a 1 the three factors out of command run and four fight on: 12 to 4 with +3 and +1 against nothing."""
    units = {"a": g("0504", 12), "r": s("0505", 4), "q": s("0505", 3, commanded=False)}
    e = situation(phase="german-combat", units=units).explain("attack a 0505")
    assert dict(e.defence) == {4: Fraction(1, 6), 6: Fraction(1, 3), 7: Fraction(1, 2)}
    assert dict(e.columns)["3 to 1"] == Fraction(1, 6)
    assert "0R/0" not in dict(e.results)
    beaten = sum(p for (a, d), p in ROLLS if a + 4 >= 3 * d)
    lost_all = sum(p for code, p in e.results if code.startswith("E/"))
    # Four factors go where a threefold defeat meets a 3 or more on the table, or a twofold one a 6.
    twofold = sum(p for (a, d), p in ROLLS if 2 * d <= a + 4 < 3 * d)
    assert lost_all == Fraction(1, 6) * (beaten * Fraction(4, 6) + twofold * Fraction(1, 6))


@pytest.mark.case("tijvin-1941", "11.H", "13", "13.IIa")
def test_an_attack_is_refused_for_the_units_it_names(situation, g, s, refused):
    """Tanks beside a swamp are not why infantry two hexes away cannot attack it; headquarters do not fight."""
    units = {"i": g("0503"), "pz": g("0504", 6, "tank"), "r": s("0505", 4), "q": s("0604", 4)}
    swamp = {"hexes": {"0505": "swamp"}}
    position = situation(phase="german-combat", units=units, map=swamp, hqs={"I-AK": {"hex": "0503"}})
    assert refused(position, "attack i 0505") == "13"
    assert refused(position, "attack pz 0505") == "13.IIa"
    assert refused(position, "attack i+I-AK 0604") == "11.H"


@pytest.mark.case("tijvin-1941", "11.O", "13.VI")
def test_there_are_no_odds_in_a_pursuit(situation, g, s, play):
    """Who ran out of command runs again: no die decides it, whichever way one asks."""
    units = {"m": g("0506", 6, "motorized"), "r": s("0505", 3, commanded=False)}
    position = play(situation(phase="german-combat", units=units), "attack m 0505", 1)
    while position.to_move == "soviet":
        position = play(position, next(iter(position.legal)))
    position = play(position, "advance m 0505")
    target = next(o.hexes[0] for o in position.legal if o.verb == "target")
    for order in (f"target {target}", f"attack m {target}"):
        assert position.explain(order).results == (("0R/0", 1),)
    composed = play(position, f"target {target}", "add m")
    assert composed.explain("commit").results == (("0R/0", 1),)
    assert play(composed, "commit").to_move != "chance"


@pytest.mark.case("tijvin-1941", "13.I")
def test_an_attack_that_is_only_being_composed_can_be_given_up(situation, g, s, play, refused):
    units = {"a": g("0506", 9), "b": g("0506", 6), "d": s("0505", 6)}
    before = situation(phase="german-combat", units=units)
    composing = play(before, "target 0505", "add a")
    assert "cancel" in composing.legal
    assert play(composing, "cancel") == before
    fighting = play(composing, "commit")
    assert refused(fighting, "cancel") == "13.IIe"
