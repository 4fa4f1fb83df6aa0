"""What each side may know: points spent in secret (8), hidden sheets under fog of war (17.1)."""

import json
import random

import pytest

FOG = {"options": {"fog-of-war": True}}
DEPOT = {
    "units": {"227-ID": {"hex": "0205", "cf": 4}, "254-ID": {"box": "destroyed"}, "292-DF": {"hex": "1105", "cf": 2}},
    "hqs": {"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105"}},
}


def everything(view):
    """All a view tells, as one text."""
    told = [view.document(), [e.text for e in view.events], view.prompt, view.turn, str(view.chance)]
    table = view.table()
    told += [repr(table.counters), repr(table.markers), repr(table.boxes), repr(table.lines)]
    told += [sorted(view.zoc("german")), sorted(view.zoc("soviet")), view.standing.as_json()]
    told += sorted(map(str, view.legal))
    return json.dumps(told, sort_keys=True, default=str)


@pytest.mark.case("tijvin-1941", "8.P")
@pytest.mark.parametrize("other", ["soviet", "observer"])
def test_nobody_sees_the_other_side_spend_its_points(situation, play, other):
    position = situation(turn=3, phase="german-replacement", points=4, **DEPOT)
    ways = [
        play(position, "replace 227-ID"), play(position, "replace 227-ID", "replace 227-ID"),
        play(position, "replace 254-ID 0204"),
    ]  # fmt: skip
    seen = {everything(p.view(other)) for p in ways}
    assert len(seen) == 1
    assert len({everything(p.view("german")) for p in ways}) == 3


@pytest.mark.case("tijvin-1941", "8.P")
def test_the_second_player_does_not_see_what_the_first_bought(situation, play):
    position = situation(turn=3, phase="german-replacement", points=4, **DEPOT)
    spent = play(position, "replace 227-ID", "end", 3)
    saved = play(position, "end", 3)
    rebuilt = play(position, "replace 254-ID 0204", "end", 3)
    assert spent.to_move == "soviet"
    assert everything(spent.view("soviet")) == everything(saved.view("soviet")) == everything(rebuilt.view("soviet"))


@pytest.mark.case("tijvin-1941", "8.P")
@pytest.mark.parametrize(("friends", "place"), [(0, "0605"), (3, "")], ids=["room", "no room"])
def test_secret_purchases_bar_nothing(situation, play, at, s, friends, place):
    """Both rebuild in one hex: the second to be delivered stands with its headquarters, if there is room."""
    units = {
        "227-ID": {"hex": "0405", "cf": 5}, "254-ID": {"box": "destroyed"}, "292-DF": {"hex": "0605", "cf": 5},
        "311-DF": {"box": "destroyed"}, **{f"friend-{n}": s("0605", 5) for n in range(friends)},
    }  # fmt: skip
    hqs = {"I-AK": {"hex": "0405"}, "4-Army": {"hex": "0605"}}
    river = {"hexsides": {"0504/0605": ["major-river"]}}
    position = situation(turn=3, phase="german-replacement", points=4, units=units, hqs=hqs, map=river)
    position = play(position, "replace 254-ID 0504", "end", 3)
    assert sorted(map(str, position.view("soviet").legal)) == sorted(map(str, position.legal))
    position = play(position, "replace 311-DF 0504", "end")
    assert (at(position, "254-ID"), at(position, "311-DF")) == ("0504", place)
    assert ("311 D.F. finds no place" in [e.text for e in position.events]) == (not place)


@pytest.mark.case("tijvin-1941", "8.P", "17.1")
def test_the_roll_is_open_but_hidden_under_fog(situation, play):
    open_roll = situation(turn=3, phase="german-replacement", **DEPOT)
    assert open_roll.view("soviet").chance is not None
    hidden = situation(turn=3, phase="german-replacement", **DEPOT, **FOG)
    assert hidden.view("soviet").chance is None
    assert hidden.view("german").chance is not None
    assert everything(play(hidden, 1).view("soviet")) == everything(play(hidden, 6).view("soviet"))
    assert everything(play(open_roll, 1).view("soviet")) != everything(play(open_roll, 6).view("soviet"))


@pytest.mark.case("tijvin-1941", "17.1", "3")
def test_strengths_are_open_without_fog_and_hidden_with_it(situation, g, s):
    units = {"a": g("0504", 9), "r": s("0505", 4)}
    assert situation(units=units).view("german").document()["units"]["r"]["cf"] == 4
    position = situation(units=units, **FOG)
    position.known[position.roster.index["r"]] = 6
    seen = position.view("german")
    assert seen.document()["units"]["r"]["cf"] == "6?"
    assert seen.document()["units"]["a"]["cf"] == 9
    counter = next(c for c in seen.table().counters if c.id == "r")
    assert counter.steps == counter.full_steps == 0
    both = position.view("observer").document()["units"]
    assert both["r"]["cf"].endswith("?")
    assert both["a"]["cf"].endswith("?")


@pytest.mark.case("tijvin-1941", "17.1")
def test_true_strengths_do_not_show_anywhere_under_fog(situation, g, s):
    """Two positions that differ only in what the enemy cannot know look the same to him."""
    for phase in ("german-movement", "german-combat", "german-hq-movement", "soviet-activation", "german-assignment"):
        views = []
        for factors, hq in ((3, "4-Army"), (12, "52-Army")):
            units = {"a": g("0504", 9, hq="I-AK"), "r": s("0506", factors, full=14, hq=hq, known=7)}
            active = {"active": "I-AK"} if phase in ("german-movement", "german-combat", "german-hq-movement") else {}
            position = situation(phase=phase, units=units, hqs={"I-AK": {"hex": "0204"}}, **active, **FOG)
            views.append(everything(position.view("german")))
        if phase != "german-hq-movement":
            assert views[0] == views[1], phase


@pytest.mark.case("tijvin-1941", "17.1", "9")
def test_assignment_is_hidden_under_fog(situation, play):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}, "311-DF": {"hex": "1106"}}
    for fog, same in ((FOG, True), ({}, False)):
        position = situation(phase="soviet-assignment", units=units, **fog)
        changed = play(position, "assign 292-DF 52-Army")
        kept = everything(position.view("german"))
        assert (everything(changed.view("german")) == kept) is same


@pytest.mark.case("tijvin-1941", "17.1")
def test_losses_are_told_only_in_sum(situation, g, s, play):
    """Which Soviet unit lost a factor does not show in what the German reckons."""
    units = {"a": g("0504", 18), "x": s("0505", 6), "y": s("0505", 6)}
    position = play(situation(phase="german-combat", units=units, **FOG), "attack a 0505", "commit", 1, 6, 3)
    while position.to_move == "german" and position.phase.case == "13.IV":
        position = play(position, next(iter(position.legal)))
    assert position.to_move == "soviet"
    assert everything(play(position, "lose x").view("german")) == everything(play(position, "lose y").view("german"))


@pytest.mark.case("tijvin-1941", "17.1")
def test_the_opening_strengths_are_public(game):
    position = game.start("historical", {"fog-of-war": True})
    seen = position.view("german")._position
    for u, unit in enumerate(position.roster.units):
        assert seen.cf[u] == unit.cf


@pytest.mark.case("tijvin-1941", "17.1", "8.P")
@pytest.mark.parametrize("options", [{}, {"fog-of-war": True}])
def test_a_view_offers_exactly_what_is_legal_and_imagines_whole_positions(game, options):
    rng = random.Random(11)
    position = game.start("historical", options)
    for step in range(900):
        if position.to_move is None:
            break
        if position.to_move != "chance" and step % 5 == 0:
            view = position.view(position.to_move)
            assert [str(o) for o in view.legal] == [str(o) for o in position.legal]
            full = view.imagine(rng)
            assert not full.unknown
            order = full.legal.random(rng)
            full.play(order)
            assert order in position.legal
        position = position.play(position.legal.random(rng))


@pytest.mark.case("tijvin-1941", "4")
@pytest.mark.parametrize("options", [{}, {"fog-of-war": True}], ids=["open", "fog"])
def test_an_imagined_position_leaves_a_stack_that_is_too_full_for_the_moment(situation, play, cf, g, s, options):
    units = {"a": g("0505", 12), "b": g("0605", 12), "r": s("1105", 6)}
    position = play(situation(units=units, control="all", options=options), "move a 0605")
    imagined = position.view("german").imagine(random.Random(1))
    assert (cf(imagined, "a"), cf(imagined, "b")) == (12, 12)


@pytest.mark.case("tijvin-1941", "17.1", "9", "11.A")
@pytest.mark.parametrize("other", ["german", "observer"])
def test_whom_a_headquarters_activates_is_not_seen_under_fog(situation, play, g, s, other):
    """Two ways to assign the same counters look the same through a whole activation, and after it."""
    seen = []
    for first, second in (("4-Army", "52-Army"), ("52-Army", "4-Army")):
        veiled = {"full": 9, "known": 6}
        units = {"a": g("0101", 9), "x": s("0806", 4, hq=first, **veiled), "y": s("0906", 4, hq=second, **veiled)}
        hqs = {"4-Army": {"hex": "0807"}, "52-Army": {"hex": "0907"}, "I-AK": {"hex": "0101"}}
        position = situation(phase="soviet-activation", units=units, hqs=hqs, **FOG)
        told = [everything(position.view(other))]
        for order in ("activate 4-Army", "end", "end", "move 4-Army 0808", "end"):
            position = play(position, order)
            told.append(everything(position.view(other)))
        assert position.to_move == "german"
        assert position.spent == 1 << position.roster.index["x" if first == "4-Army" else "y"]
        seen.append(told)
    assert seen[0] == seen[1]


@pytest.mark.case("tijvin-1941", "17.1", "11.O")
def test_who_acts_on_its_own_under_fog_is_seen_to_act(situation, play, g, s):
    units = {"a": g("0101", 9), "x": s("0806", 4, commanded=False)}
    position = play(situation(phase="soviet-activation", units=units, **FOG), "activate x")
    counter = next(c for c in position.view("german").table().counters if c.id == "x")
    assert "activated" in counter.states
    assert position.view("german").document()["active"] == ["x"]


@pytest.mark.case("tijvin-1941", "17.1", "13.IV")
def test_who_was_hit_under_fog_is_not_seen(situation, g, s, play):
    units = {"a": g("0504", 18), "x": s("0505", 7), "y": s("0505", 7)}
    position = play(situation(phase="german-combat", units=units, **FOG), "attack a 0505", "commit", 1, 6, 3)
    while position.to_move == "german":
        position = play(position, next(iter(position.legal)))
    after = play(position, "lose x")
    for side, names in (("german", []), ("observer", []), ("soviet", ["x"])):
        hit = (after.view(side).document().get("battle") or {}).get("hit", [])
        assert set(hit) <= set(names)


@pytest.mark.case("tijvin-1941", "17.1", "8.P", "9")
def test_under_fog_no_phase_tells_by_passing_what_could_have_been_done(situation, play, g, s):
    """Whether a headquarters has anybody to move or to attack with, and whether anything can be bought, is hidden."""
    seen = []
    for hq in ("4-Army", "52-Army"):
        units = {"a": g("0506", 9), "x": s("0505", 4, full=9, known=6, hq=hq)}
        hqs = {"4-Army": {"hex": "0504"}, "52-Army": {"hex": "0604"}}
        position = play(situation(phase="soviet-activation", units=units, hqs=hqs, **FOG), "activate 4-Army", "end")
        seen.append(everything(position.view("german")))
        bought = situation(turn=3, phase="soviet-replacement", units=units, hqs=hqs, **FOG)
        seen.append(everything(play(bought, 3).view("german")))
    assert seen[:2] == seen[2:]


@pytest.mark.case("tijvin-1941", "8.P")
def test_points_spent_to_the_last_are_not_seen(situation, play):
    position = situation(turn=3, phase="german-replacement", points=1, **DEPOT)
    spent = play(position, "replace 227-ID")
    assert [str(order) for order in spent.legal] == ["end"]
    assert everything(spent.view("soviet")) == everything(position.view("soviet"))


def test_where_nothing_is_hidden_everybody_sees_the_very_same(situation, play):
    """Without fog only points are secret, from the die for them until what they bought is delivered."""
    position = situation(turn=3, phase="german-movement", **DEPOT)
    seen = [position.view(who) for who in ("german", "soviet", "observer")]
    assert all(view.sees_as(seen[0]) for view in seen)
    spending = situation(turn=3, phase="german-replacement", points=4, **DEPOT)
    assert not spending.view("german").sees_as(spending.view("soviet"))
    bought = play(spending, "replace 227-ID", "end", 3)
    assert not bought.view("german").sees_as(bought.view("soviet"))
    hidden = situation(turn=3, phase="german-movement", **DEPOT, **FOG)
    assert not hidden.view("german").sees_as(hidden.view("soviet"))
