"""Every text for people is in the collected catalogue, as far as playing and looking can tell."""

import random
import re

import pytest
from words import pattern, reads, texts

from ladoga import load
from ladoga.kernel.game import game_ids
from ladoga.kernel.orders import Order


@pytest.fixture(scope="module")
def catalogue():
    return texts()


@pytest.fixture(scope="module")
def known(catalogue):
    """All texts, and patterns of those with holes that still say something."""
    whole = {text for words in catalogue.values() for text in words}
    holed = [pattern(text) for text in whole if "{" in text and re.search(r"[a-z]{3}", re.sub(r"\{[^{}]*\}", "", text))]
    said = re.compile(r"[a-z]{2}")
    return lambda text: not said.search(text) or text in whole or any(one.fullmatch(text) for one in holed)


def test_the_catalogue_has_texts_of_every_kind(catalogue):
    everything = {text for words in catalogue.values() for text in words}
    for text in (
        "Your {}", "Choose the attackers", "the table has changed since; look again", "Take a step from {}",
        "Clocks", "Ask to take back my last order", "Every case of the rulebook in our own words, and the charts. The "
        "printed rulebook is the authority.",
    ):  # fmt: skip
        assert text in everything, text
    assert any(file.startswith("src/ladoga/web/guides/") for file in catalogue)
    assert not any("SELECT " in text or "<svg" in text for text in everything)
    assert reads("no effect")


@pytest.mark.parametrize("game", game_ids())
def test_what_happens_and_what_is_refused_is_in_it(game, known):
    """Along a random game: every sentence of the record, every prompt, and every reason against an order."""
    position, rng, unknown = load(game).start(), random.Random(7), set()
    for _ in range(220):
        if position.to_move is None:
            break
        unknown |= {event.template for event in position.events if not known(" ".join(event.template.split()))}
        order = position.legal.random(rng)
        if position.chance is None:
            for wrong in (Order(order.verb, order.units[:1], tuple(reversed(order.hexes)), ()), Order("end")):
                why = position.why_not(wrong)
                if why is not None and not known(" ".join(str(why[1]).split())):
                    unknown.add(str(why[1]))
        position = position.play(order)
    assert unknown == set()
