"""A fire that is being composed is nobody's business but its player's (10.3), as the way of a moving unit is (8.1)."""

from __future__ import annotations

import json
import random

import pytest

import ladoga

from .made_up import german, soviet

G = "leningrad41"


def told(pos, side):
    """All that a side is given of a position."""
    view = pos.view(side)
    chance = view.chance
    return json.dumps(
        {
            "document": view.document(),
            "digest": view.digest(),
            "table": str(view.table()),
            "events": [str(event) for event in view.events],
            "mover": view.to_move,
            "prompt": view.prompt,
            "choice": view.choice,
            "chance": None if chance is None else [str(pair) for pair in chance.outcomes],
            "legal": [str(order) for order in view.legal],
            "refusals": [str(view.why_not(text)) for text in ("commit", "cancel", "add x1", "target 0504", "end")],
            "explained": [_explained(view, text) for text in ("commit", "add x1", "attack x1 0504", "add back-1")],
            "imagined": view.imagine(random.Random(9)).document(),
        },
        sort_keys=True,
    )


def _explained(view, text):
    try:
        return str(view.explain(text))
    except ladoga.LadogaError as problem:
        return str(problem)


FIRE = {
    "x1": german("0505"),
    "x2": german("0404"),
    "s1": soviet("0504"),
    "s2": soviet("0405"),
    "back-1": {"hex": "0909"},
}


@pytest.mark.case(G, "10.3", "6.5")
@pytest.mark.parametrize("other", ["soviet", "observer"])
def test_a_fire_being_composed_is_not_seen(place, other):
    idle = place(FIRE)
    ways = [
        ["target 0504"],
        ["target 0504", "add x1"],
        ["target 0504", "add x1", "add x2"],
        ["target 0405", "add x2"],
        ["target 0504", "cancel"],
    ]
    seen = {told(idle, other)}
    for way in ways:
        pos = idle
        for order in way:
            pos = pos.play(order)
        seen.add(told(pos, other))
        assert pos.document().get("attack") == pos.view("german").document().get("attack")  # he knows himself
    assert len(seen) == 1
    made = idle.play("target 0504").play("add x1").play("commit")
    assert made.view(other).document()["attack"]["units"] == ["x1"]


@pytest.mark.case(G, "10.3", "12.9")
@pytest.mark.parametrize("other", ["german", "observer"])
def test_nor_is_a_soviet_one(place, other):
    idle = place(FIRE, "soviet-fire")
    seen = {told(idle, other), told(idle.play("target 0505"), other)}
    seen.add(told(idle.play("target 0505").play("add s1").play("add s2"), other))
    assert len(seen) == 1


OFFER = {"x1": german("0507"), "s1": soviet("0505"), "s2": soviet("0405"), "back-1": {"hex": "0606"}}


@pytest.mark.case(G, "9.2", "6.6")
@pytest.mark.parametrize("other", ["german", "observer"])
def test_a_defensive_fire_being_composed_is_not_seen(place, other):
    offer = place(OFFER, "german-movement").play("move x1 0506")
    assert offer.to_move == "soviet"
    seen = set()
    for units in (["s1"], ["s1", "s2"], ["back-1"], ["s2", "back-1"]):
        pos = offer
        for name in units:
            pos = pos.play(f"add {name}")
        seen.add(told(pos, other))
        assert pos.document()["attack"]["units"] == units
        assert pos.view("soviet").document()["attack"]["units"] == units
    assert len(seen) == 1
    assert offer.play("add s1").play("commit").view(other).document()["attack"]["units"] == ["s1"]


@pytest.mark.case(G, "6.6", "9.2")
def test_a_hidden_unit_is_flipped_when_the_fire_is_made_and_not_before(place, game):
    offer = place(OFFER, "german-movement").play("move x1 0506")
    composed = offer.play("add back-1").play("add s1")
    assert composed.to_move == "soviet"
    assert game.position(composed.document()) == composed
    assert sum(p for _, p in composed.explain("commit").results) == 1
    assert composed.explain("commit").results == offer.explain("attack s1+back-1 0506").results
    begun_again = composed.play("cancel")
    assert begun_again.document() == offer.document()
    assert "cancel" not in begun_again.legal
    declined = composed.play("end")
    assert "back-1" in declined.document()["units"]  # nobody has seen it
    fired = composed.play("commit")
    assert fired.chance.title == "what back-1 turns out to be"
    shot = fired.play("draw 181/42")
    assert shot.document()["attack"]["units"] == ["s1", "181/42"]
    useless = offer.play("add back-1").play("commit").play("draw MixA/42")  # indirect guns do not fire so (9.3)
    assert useless.to_move == "soviet"
    assert "add s1" in useless.legal


@pytest.mark.case(G, "10.3")
def test_what_is_being_composed_names_itself_when_a_phase_is_to_end(place):
    pos = place(FIRE).play("target 0504")
    assert pos.choice == "the fire being composed"
    assert pos.view("soviet").choice is None
    refusal = pos.why_not("end german-fire")
    assert refusal is not None
    assert "the fire being composed comes first" in refusal.message


def shown(pos, side):
    """What a side is shown, events apart."""
    view = pos.view(side)
    return view.document(), view.table(), view.prompt, view.choice, view.to_move, list(view.legal)


@pytest.mark.case(G, "9.2", "10.3", "12.7", "15.3")
@pytest.mark.parametrize("seed", range(2))
def test_composing_shows_nothing_along_a_game(game, seed):
    rng = random.Random(seed)
    pos = game.start(options={"fanaticism": True})
    composed = 0
    while pos.to_move is not None and composed < 150:
        offered = bool(pos.pending) and pos.pending[0].kind == "offer"
        firing = pos.to_move != "chance" and (offered or pos.phase.id.endswith(("fire", "air"))) and not pos.attack
        if firing and (offered or not pos.pending) and rng.random() < 0.3:
            others = [side for side in (*game.sides, "observer") if side != pos.to_move]
            base = {side: shown(pos, side) for side in others}
            trial = pos
            for _ in range(4):
                orders = [o for o in trial.legal if o.verb in ("target", "add")]
                if not orders:
                    break
                trial = trial.play(rng.choice(orders))
                composed += 1
                assert not trial.events
                assert {side: shown(trial, side) for side in others} == base
        pos = pos.play(pos.legal.random(rng))
    assert composed >= 150
