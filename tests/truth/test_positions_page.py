"""The pages about position documents and orders: examples run, no key and no verb is left out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import ladoga
from ladoga.games.assault import documents as assault
from ladoga.games.assault.pending import Pending
from ladoga.games.leningrad import documents as leningrad
from ladoga.games.leningrad41 import documents as leningrad41
from ladoga.games.tijvin import documents as tijvin

PAGE = Path(__file__).parents[2] / "docs" / "positions.md"
STRUCTS = {
    "Leningrad, both editions": (leningrad.Document, leningrad.UnitEntry),
    "The two Assaults": (assault.Document, assault.UnitEntry),
    "Leningrad '41": (leningrad41.PositionDoc, leningrad41.UnitDoc),
    "Tijvin 1941": (tijvin.Doc, tijvin.UnitDoc, tijvin.HeadquartersDoc),
}


@cache
def sections():
    """The page by heading."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("title", STRUCTS)
def test_every_example_runs(title):
    text = sections()[title]
    document = re.search(r"```yaml\n(.+?)```", text, re.DOTALL).group(1)
    game = ladoga.load(re.match(r"game: (\S+)", document).group(1))
    position = game.position(document)
    assert game.position(position.document()) == position
    tried = dict(re.findall(r"`(explain|play) (.+?)`", text))
    assert sum(p for _, p in position.explain(tried["explain"]).results) == 1
    after = position.play(tried["play"])
    assert len(position.dice) > len(after.dice), "the order uses the scripted dice"


@pytest.mark.parametrize("title", STRUCTS)
def test_no_key_is_left_out(title):
    told = set(re.findall(r"`([\w-]+)`", sections()[title] + sections()["What all games share"]))
    keys = {field.encode_name for struct in STRUCTS[title] for field in msgspec.structs.fields(struct)}
    assert not keys - told


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_no_option_and_none_of_its_words_is_left_out(game_id):
    rows = [row for row in sections()["Options"].splitlines() if f"`{game_id}`" in row]
    for name, option in ladoga.load(game_id).options.items():
        (row,) = (row for row in rows if row.startswith(f"| `{name}` |"))
        words = {
            str(choice).lower() for choice in option.choices if not isinstance(choice, int) or choice in (True, False)
        }
        assert all(f"`{word}`" in row for word in words - {"0", "1"})


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_no_line_of_the_schedule_is_left_out(game_id):
    told = set(re.findall(r"`([\w-]+)`", sections()["Lines of the schedule"]))
    assert {arrival.id for arrival in ladoga.load(game_id).edition.scenario.arrivals} <= told


def test_no_matter_in_hand_is_left_out():
    told = set(re.findall(r"`([\w-]+)`", sections()["Matters in hand"]))
    matters = (*get_args(Pending), leningrad.FIGHT.entry, leningrad41.STEP.entry, leningrad41.ATTACK.entry)
    keys = {field.encode_name for struct in matters for field in msgspec.structs.fields(struct)}
    assert keys | {struct.__struct_config__.tag for struct in get_args(Pending)} <= told


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_no_verb_is_left_out(game_id):
    page = (PAGE.parent / "orders.md").read_text(encoding="utf-8")
    told = {quoted.split()[0] for quoted in re.findall(r"`([^`\n]+)`", page)}
    assert not set(ladoga.load(game_id).grammar.verbs) - told


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_games_lists_the_words_of_a_game(game_id, capsys):
    from ladoga.cli import main

    assert main(["games", game_id]) == 0
    printed = capsys.readouterr().out
    game = ladoga.load(game_id)
    assert game.start().phase.id in {phase.id for phase in game.phases}
    for word in (*(phase.id for phase in game.phases), *game.grammar.verbs, *game.map.terrain, *game.map.places):
        assert word in printed
