"""Options: declared once, read by everybody."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

import ladoga
from ladoga.kernel.data import shape
from ladoga.kernel.errors import BadData, LadogaError, UnknownGame
from ladoga.kernel.options import Chosen, Option, read_options


def game_options():
    return [(game_id, name) for game_id in ladoga.game_ids() for name in ladoga.load(game_id).options]


@pytest.mark.parametrize(("game_id", "name"), game_options())
def test_a_family_declares_every_option_of_its_data_with_its_type(game_id, name):
    """A rule asks for ``p.options.river_on_road``: misspelt it does not pass mypy, undeclared it does not pass here."""
    game = ladoga.load(game_id)
    declared = get_type_hints(type(game.start().options))
    kind = declared[name.replace("-", "_")]
    option = game.options[name]
    if set(get_args(kind)) & {*option.choices}:
        assert set(get_args(kind)) == set(option.choices)
    else:
        assert {type(choice) for choice in option.choices} <= {kind, *get_args(kind)}


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_nothing_is_declared_that_no_game_of_the_family_offers(game_id):
    game = ladoga.load(game_id)
    family = type(game).__module__
    offered = {
        name.replace("-", "_")
        for other in ladoga.game_ids()
        if type(ladoga.load(other)).__module__ == family
        for name in ladoga.load(other).options
    }
    assert set(type(game.start().options).__annotations__) == offered


def test_what_is_chosen_is_read_by_its_name_and_as_an_attribute():
    position = ladoga.load("leningrad-1979").start(None, {"river-on-road": False})
    assert position.options["river-on-road"] is position.options.river_on_road is False
    assert position.options.bid == 0, "no choice in this edition"
    assert "bid" not in position.options
    assert position.options == {**position.options}
    assert isinstance(position.options, Chosen)


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("70", 70), ("secret", "secret"), ("71", "71"), ("true", "true")]
)
def test_a_typed_word_is_the_choice_that_is_typed_so(text, value):
    assert read_options([f"bid={text}"], ladoga.load("leningrad-2010").options) == {"bid": value}


@pytest.mark.parametrize("value", [71, -1, "71", True, "Secret", None])
def test_a_wrong_value_is_refused_with_what_it_can_be(value):
    with pytest.raises(UnknownGame, match=r"option 'bid' cannot be .*; it can be: 0 to 70, secret$"):
        ladoga.load("leningrad-2010").start(None, {"bid": value})


@pytest.mark.parametrize("word", ["fog-of-war", "=true", ""])
def test_a_word_without_name_or_value_is_refused(word):
    with pytest.raises(LadogaError, match="NAME=VALUE"):
        read_options([word], ladoga.load("tijvin-1941").options)


def test_a_usual_value_that_cannot_be_chosen_is_bad_data():
    with pytest.raises(BadData, match=r"^mud: what it usually is, 'deep', is none of its choices: true, false$"):
        shape({"mud": {"title": "Mud", "case": "4.1", "default": "deep"}}, dict[str, Option])


def test_a_corrected_option_is_refused_where_it_stands():
    overlay = {"game.yaml": {"options": {"dead-ends": {"default": "found"}}}}
    with pytest.raises(BadData, match=r"game.yaml: options.dead-ends: what it usually is, 'found'"):
        ladoga.load("leningrad-1979", overlay)


def test_kinds():
    kinds = {name: option.kind for name, option in ladoga.load("leningrad-2010").options.items()}
    assert (kinds["bid"], kinds["armor-attacks"], kinds["river-on-road"]) == ("number", "word", "switch")
