"""The data: cases, tables, overlays, documents."""

from __future__ import annotations

import pytest

import ladoga
from ladoga.games.leningrad41.game import CityGame

from .made_up import german, soviet

G = "leningrad41"


def test_the_case_index_is_whole(game):
    heads = [f"{n}.0" for n in range(1, 20)]
    assert [case for case in game.cases if case.endswith(".0")] == heads
    last = {8: 14, 10: 20, 12: 10, 2: 13, 19: 3, 15: 5, 14: 7, 6: 9}
    for chapter, number in last.items():
        assert [c for c in game.cases if c.split(".")[0] == str(chapter) and c.split(".")[1].isdigit()][1:] == [
            f"{chapter}.{n}" for n in range(1, number + 1)
        ]
    assert all(case.title and case.text for case in game.cases.values())


def test_an_owner_lays_corrections_over_the_data(tmp_path):
    (tmp_path / "tables.yaml").write_text("combat: {eliminated_on: [1, 2, 3, 4, 5, 6]}\n", encoding="utf-8")
    (tmp_path / "units.yaml").write_text("groups: {3M: {units: {I/8M: {fire: 9}}}}\n", encoding="utf-8")
    game = CityGame(tmp_path)
    assert game.tables.combat.eliminated_on[0] == 1
    assert game.units["I/8M"].fire == 9
    assert len(game.changes) == 2


@pytest.mark.parametrize(("file", "text", "part"), [
    ("tables.yaml", "combat: {least: [0, 20, 10, 30, 40, 50]}", "combat.least"),
    ("tables.yaml", "combat: {columns: [a]}", "equally long"),
    ("tables.yaml", "combat: {nonsense: 1}", "nonsense"),
    ("units.yaml", "groups: {3M: {units: {I/8M: {traits: flying}}}}", "flying"),
    ("setup.yaml", "off_map: [Nobody]", "Nobody"),
])  # fmt: skip
def test_bad_overlays_are_refused(tmp_path, file, text, part):
    (tmp_path / file).write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ladoga.BadData, match=part):
        CityGame(tmp_path)


@pytest.mark.parametrize(("change", "path"), [
    ({"turn": 11}, "turn"),
    ({"phase": "tea"}, "phase"),
    ({"game": "chess"}, "game"),
    ({"colour": "red"}, "colour"),
    ({"options": {"tea": True}}, "options"),
    ({"units": {"Nobody": {"hex": "0505"}}}, "units.Nobody"),
    ({"units": {"I/8M": {"hex": "9999"}}}, "units.I/8M.hex"),
    ({"units": {"I/8M": {"hex": "0505", "fire": 3, "type": "infantry"}}}, "units.I/8M"),
    ({"units": {"x1": german("0505"), "x2": soviet("0505")}}, "units.x2.hex"),
    ({"units": {f"x{n}": german("0505") for n in range(3)}}, "units"),
    ({"units": {"x1": german("0505"), "x2": german("0505", command="8P")}}, "units"),
    ({"units": {"x1": german("0505", type="wizard")}}, "units.x1.type"),
    ({"units": {"x1": german("0505", traits="magic")}}, "units.x1.traits"),
    ({"units": {"x1": german("0505", command="42")}}, "units.x1.command"),
    ({"units": {"LG42": {"hex": "0505"}}}, "units.LG42.hex"),
    ({"units": {"RBF": {"hex": "0505"}}}, "units.RBF.hex"),
    ({"rubble": ["0505"]}, "rubble"),
    ({"demolished": ["0505/0506"]}, "demolished[0]"),
    ({"pontoons": {"I/8M": "0505"}}, "pontoons.I/8M"),
    ({"pending": [{"kind": "tea"}]}, "pending[0].kind"),
    ({"attack": {"kind": "fire", "target": "9999"}}, "attack.target"),
    ({"result": "tea"}, "result"),
])  # fmt: skip
def test_bad_documents_are_refused_with_the_path(game, change, path):
    document = {"game": G, "turn": 3, "phase": "german-fire", "map": {"blank": [12, 12]}} | change
    with pytest.raises(ladoga.BadDocument) as caught:
        game.position(document)
    assert path in str(caught.value)


def test_charts_and_scenarios(game):
    assert [chart.id for chart in game.charts()] == ["combat", "modifiers", "terrain", "airborne"]
    assert list(game.scenarios) == ["campaign"]
    assert list(game.options) == ["defensive-states", "fanaticism", "airborne-assault", "defensive-fire-caps"]
    assert len(game.calendar) == 10


def test_every_case_is_held_by_a_test(game, request):
    held = set()
    for item in request.session.items:
        for mark in item.iter_markers("case"):
            if mark.args[0] == G:
                held |= set(mark.args[1:])
    if len({item.fspath for item in request.session.items if "leningrad41" in str(item.fspath)}) < 9:
        pytest.skip("only the whole folder can be counted")
    assert held - set(game.cases) == set()
    assert [case for case in game.cases if case not in held] == []
