"""Readings of the sheet where it leaves a choice (docs/readings/tijvin-1941.md)."""

import pytest

RING = ("0504", "0605", "0606", "0506", "0406", "0405")


@pytest.mark.case("tijvin-1941", "10", "5")
def test_a_stack_behind_the_enemy_keeps_its_supply_until_the_next_check(situation, g, s, play):
    """A ring of zones around it changes nothing this turn; the check of the next turn finds it cut off."""
    units = {"r": s("0505", 6), **{f"a{h}": g(h, 6) for h in ("0503", "0507", "0704", "0706", "0304", "0306")}}
    position = situation(turn=3, phase="german-activation", units=units, passed=True)
    r = position.roster.index["r"]
    assert not position.unsupplied >> r & 1
    assert "0504" in position.zoc("soviet")
    position = play(position, "pass", 1)
    assert position.turn == 4
    assert position.unsupplied >> r & 1
    assert "0504" not in position.zoc("soviet")


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_headquarters_may_come_back_in_a_pocket(situation, g, s, play, at):
    """The nearest friend is encircled; another one is a hex farther off and free."""
    units = {"pocket": s("0505", 2), "free": s("0905", 6), **{f"a{h}": g(h, 6) for h in RING}}
    position = situation(turn=3, phase="german-activation", units=units, hqs={"4-Army": {"lost": "0705"}}, passed=True)
    position = play(position, "pass")
    assert position.phase.id == "soviet-hq-return", "both are two hexes away"
    assert {o.hexes[0] for o in position.legal} == {"0505", "0905"}
    units["free"]["hex"] = "1005"
    position = situation(turn=3, phase="german-activation", units=units, hqs={"4-Army": {"lost": "0705"}}, passed=True)
    assert at(play(position, "pass"), "4-Army") == "0505"


@pytest.mark.case("tijvin-1941", "13.IId", "2")
def test_shares_of_efficiency_are_compared_with_their_fractions(situation, g, s, play):
    """Seven factors of efficiency 3 over a river are 3 and a half, more than 3 of efficiency 2: no tie, no choice."""
    units = {"a": g("0504", 7, efficiency=3), "b": g("0605", 3, efficiency=2), "r": s("0505", 4)}
    field = {"hexsides": {"0504/0505": ["minor-river"]}}
    position = play(situation(phase="german-combat", units=units, map=field), "attack a+b 0505", "commit")
    assert position.to_move == "chance"
    assert position.battle.ratings[0] == 3
    units["a"]["cf"] = 6
    position = play(situation(phase="german-combat", units=units, map=field), "attack a+b 0505", "commit")
    assert (position.to_move, {str(o) for o in position.legal}) == ("german", {"efficiency 3", "efficiency 2"})


@pytest.mark.case("tijvin-1941", "13.IId", "10")
def test_a_tie_is_one_of_lowered_efficiencies(situation, g, s, play):
    units = {"a": g("0504", 8, efficiency=3, supplied=False), "b": g("0605", 4, efficiency=2), "r": s("0505", 4)}
    position = play(situation(phase="german-combat", units=units), "attack a+b 0505", "commit")
    assert position.to_move == "chance", "3 out of supply is 2: both bring the same efficiency"
    assert position.battle.ratings[0] == 2


@pytest.mark.case("tijvin-1941", "13.V")
@pytest.mark.parametrize(("factors", "offered"), [(3, False), (9, True)])
def test_refugees_do_not_count_for_an_all_out_defence(situation, g, s, play, cf, at, factors, offered):
    units = {"a": g("0506", 20), "r": s("0505", factors), "shaken": s("0505", 6, shaken=True, retreated=True)}
    position = situation(phase="german-combat", units=units, map={"places": {"0505": ["major-city"]}})
    position = play(position, "attack a 0505", "commit", 6, 5, 1)
    while position.phase.case == "13.IV":
        position = play(position, next(iter(position.legal)))
    assert ("stand" in position.legal) is offered
    if offered:
        position = play(position, "stand", 1)
        assert (cf(position, "shaken"), at(position, "shaken")) == (6, "0505"), "nobody retreats"


@pytest.mark.case("tijvin-1941", "13.V")
def test_only_an_edge_of_supply_is_a_way_out(situation, g, s, play):
    """Surrounded at the east edge a Soviet unit leaves the map and a German one is destroyed."""
    for side, box in (("soviet", "east"), ("german", "destroyed")):
        mine, theirs = (s, g) if side == "soviet" else (g, s)
        around = ("1204", "1206", "1104", "1105")
        units = {f"a{h}": theirs(h, 6) for h in around} | {"r": mine("1205", 8, efficiency=1)}
        enemy = "german" if side == "soviet" else "soviet"
        position = situation(phase=f"{enemy}-combat", units=units)
        position = play(position, f"attack {'+'.join(f'a{h}' for h in around)} 1205", "commit", 6, 5, 1)
        while position.phase.case == "13.IV":
            position = play(position, next(iter(position.legal)))
        assert position.document()["units"]["r"]["box"] == box


@pytest.mark.case("tijvin-1941", "17.1", "8.P")
@pytest.mark.parametrize("lost", [False, True])
def test_zones_around_a_headquarters_are_told_only_to_who_can_rebuild_there(situation, g, s, lost):
    units = {"227-ID": {"hex": "0205"}, "254-ID": {"box": "destroyed"} if lost else {"hex": "0206"}, "r": s("0406", 6)}
    position = situation(
        phase="german-replacement", points=3, units=units, hqs={"I-AK": {"hex": "0305"}},
        options={"fog-of-war": True},
    )  # fmt: skip
    assert bool(position.view("german").document().get("shown")) is lost
