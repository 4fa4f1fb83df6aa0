"""Every public name has an example that runs."""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest
from docsite import PUBLIC

MODULES = [module for modules in PUBLIC.values() for module in modules]
NEEDS = {
    "ladoga.adapters.openspiel": "pyspiel",
    "ladoga.adapters.zoo": "pettingzoo",
    "ladoga.adapters.gym": "gymnasium",
}


def examples(thing: object) -> str:
    """The code of the examples in a docstring, and in those of a class's own methods."""
    text = inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        parts = [getattr(value, "__func__", value) for value in vars(thing).values()]
        text += "\n\n".join(
            inspect.getdoc(part) or "" for part in parts if callable(part) or isinstance(part, property)
        )
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_an_example(name):
    """In its own docstring, in that of a method, or (for an alias or a constant) in its module's."""
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    for public in module.__all__:
        thing = getattr(module, public)
        own = examples(thing) if inspect.isclass(thing) or callable(thing) else ""
        assert own or public in examples(module), f"{name}.{public} has no example"
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{name}.{public} says nothing about itself"


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_sorted_and_there(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        assert hasattr(module, public), f"{name} has no {public}"


def test_no_public_name_starts_with_an_underscore():
    names = [name for module in MODULES if module not in NEEDS for name in importlib.import_module(module).__all__]
    assert len(names) > 100
    assert not [name for name in names if name.startswith("_")]
