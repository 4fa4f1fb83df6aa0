"""Position documents of the Assaults: what they may say, and what is refused with its path."""

from __future__ import annotations

import random

import pytest

import ladoga

from .conftest import german, refused, situation, soviet

FLEET = {"side": "soviet", "type": "naval", "movement": 0, "hex": "0322"}


IMPOSSIBLE = {
    "spent": {"phase": "german-movement", "marching": "1ID", "spent": 9999},
    "spent ": {"phase": "german-movement", "marching": "1ID", "spent": -5},
    "marching": {"phase": "german-movement", "marching": "4V"},
    "bombs[0]": {"phase": "german-air-bombardment", "air": 1, "bombs": [{"hex": "0321", "fleet": True}]},
    "bombs[0] ": {"phase": "german-air-bombardment", "air": 1, "bombs": [{"hex": "0101"}]},
    "pending.hexes[0]": {"pending": {"for": "roll", "hexes": ["0808"], "units": ["1ID"]}},
    "pending.hexes": {"pending": {"for": "roll", "hexes": [], "units": ["1ID"]}},
    "pending.units[0]": {"pending": {"for": "roll", "hexes": ["0521"], "units": ["4V"]}},
    "pending.units[0] ": {"pending": {"for": "plan", "side": "german", "hexes": ["0521"], "units": ["HQ38"]}},
    "pending.side": {"pending": {"for": "plan", "side": "soviet", "hexes": ["0521"]}},
    "pending": {
        "pending": {
            "for": "fight",
            "side": "soviet",
            "hexes": ["0521"],
            "attackers": ["1ID"],
            "defenders": [],
            "due": 1,
        }
    },
    "pending.due": {
        "pending": {
            "for": "fight",
            "side": "german",
            "hexes": ["0521"],
            "attackers": ["1ID"],
            "defenders": [],
            "due": 0,
        }
    },
    "pending.hexes[0] ": {
        "pending": {"for": "advance", "side": "german", "hexes": ["0521"], "units": ["1ID"]},
    },
    "pending.for": {"phase": "german-movement", "pending": {"for": "roll", "hexes": ["0521"], "units": ["1ID"]}},
    "pending ": {"phase": "german-movement", "pending": {"for": "summons"}},
    "units.58ID.withdrawn": {"more": {"58ID": {"hex": "0622", "withdrawn": True}}},
    "units.58ID.waiting": {"more": {"58ID": {"hex": "0622", "waiting": True}}},
    "units.58ID.returning": {"more": {"58ID": {"returning": True}}},
    "units.5GV.drawn": {"more": {"5GV": {"drawn": "nowhere"}}},
    "units.x.type": {"more": {"x": {"side": "german", "type": "naval", "movement": 4, "hex": "0321"}}},
    "units.x.type ": {"more": {"x": german("0622", "1-C", type="worker")}},
    "units.x.type  ": {"more": {"x": german("0622", "1-C", type="guerrilla")}},
    "units.x.type   ": {"more": {"x": {"side": "soviet", "type": "hq", "movement": 4, "hex": "0321"}}},
    "units.x": {"more": {"Nav": {"hex": "0323"}, "x": FLEET}},
    "units.1ID.moved": {"more": {"1ID": {"hex": "0522", "moved": True}}},
    "units.4V.attacked": {"more": {"4V": {"hex": "0521", "attacked": True}}},
    "units.4V.retreated": {"phase": "german-movement", "more": {"4V": {"hex": "0521", "retreated": True}}},
    "units.1ID.transferred": {"phase": "german-movement", "more": {"1ID": {"hex": "0522", "transferred": True}}},
    "units.5GV.cup": {"more": {"5GV": {"cup": True}}},
    "air": {"phase": "german-air-bombardment", "air": 99},
    "air ": {"air": 1},
    "support-left": {"support-left": 6},
    "support-left ": {"phase": "german-mechanized-movement", "support-left": 1},
    "support": {"phase": "german-movement", "support": ["0521"]},
    "fought": {"phase": "german-movement", "fought": ["0521"]},
    "sorties[0]": {"phase": "soviet-combat", "sorties": ["nonsense"]},
    "sorties[0] ": {"phase": "soviet-combat", "sorties": ["0521 body"]},
    "sorties[1]": {"phase": "soviet-combat", "sorties": ["0320 body", "0320 hq"]},
    "sorties[0]  ": {"sorties": ["0320 body"]},
    "fire": {"phase": "soviet-combat", "fire": "F4", "more": {"Nav": {"hex": "0323"}}},
    "fire ": {"phase": "soviet-combat", "fire": "0522"},
    "fire  ": {"phase": "soviet-movement", "fire": "0522", "more": {"Nav": {"hex": "0323"}}},
    "fire   ": {"phase": "soviet-combat", "fire": "0522", "more": {"Nav": {"hex": "0323", "disrupted": True}}},
    "units.1ID": {"more": {"1ID": {"hex": "0522", "class": "B"}}},
    "units.1ID ": {"more": {"1ID": {"hex": "0522", "corps": "2"}}},
    "units.1ID  ": {"more": {"1ID": {"hex": "0522", "size": "regiment"}}},
    "units.Gue1.supply": {"more": {"Gue1": {"hex": "0622", "supply": "out"}}},
    "units.y1.hex": {
        "more": {f"x{n}": soviet("0219") for n in range(1, 7)}
        | {f"y{n}": soviet(f"D{n}") for n in range(2, 6)}
        | {"y1": soviet("E5")}
    },
    "units.x11.hex": {"more": {f"x{n}": soviet("0320") for n in range(1, 12)}},
}


def test_questions_about_nothing_are_answered_with_our_own_errors(leningrad):
    pos = situation(leningrad, "soviet-combat", {"4V": "0320", "1ID": "0420"}, map=None)
    for ask in (
        lambda: pos.supply("zz"), lambda: pos.zoc("x"), lambda: pos.rigid_zone("x"),
        lambda: pos.explain("attack 4V 0101"), lambda: pos.explain("attack 4V 9999"),
    ):  # fmt: skip
        with pytest.raises(ladoga.LadogaError):
            ask()
    with pytest.raises(ladoga.Illegal) as caught:
        pos.explain("transfer 4V J5")
    assert caught.value.case == "10.1"


@pytest.mark.parametrize("path", IMPOSSIBLE)
def test_documents_that_cannot_be_are_refused(leningrad, path):
    document = {"game": leningrad.id, "turn": 3, "phase": "german-combat", **IMPOSSIBLE[path]}
    units = {"1ID": {"hex": "0522"}, "4V": {"hex": "0521"}, "HQ38": {"hex": "0722"}}
    document["units"] = units | document.pop("more", {})
    with pytest.raises(ladoga.BadDocument) as caught:
        leningrad.position(document)
    assert caught.value.path == path.strip()


@pytest.mark.parametrize("phase", ["soviet-naval-fire", "soviet-naval-cover"])
def test_there_is_no_naval_phase_without_a_fleet(stalingrad, phase):
    with pytest.raises(ladoga.BadDocument) as caught:
        situation(stalingrad, phase, {"x": soviet("0505")})
    assert caught.value.path == "phase"


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_told_of_supply_has_a_case_of_this_game(game, seed):
    rng = random.Random(seed)
    pos = game.start()
    for _ in range(400):
        if pos.to_move is None:
            break
        pos = pos.play(rng.choice(pos.chance.outcomes)[0] if pos.to_move == "chance" else pos.legal.random(rng))
        if rng.random() < 0.05:
            cases = {pos.supply(unit).case for unit in pos.index if pos.where[pos.index[unit]] >= 0}
            assert cases <= set(game.cases)


@pytest.mark.case("assault-*", "11.24", "11.17")
def test_a_unit_of_which_a_document_says_nothing_is_cut_off_for_the_first_time(game):
    """Found out of supply for the first time it is marked; only a unit marked already loses a step."""
    ring = {f"g{n}": german(number, "8-A") for n, number in enumerate(("0504", "0604", "0605", "0506", "0405", "0404"))}
    units = {**ring, "x": soviet("0505", "4-B 2-C", supply="trace"), "y": soviet("0909", "4-B 2-C", supply="trace")}
    places = {} if game.id == "assault-leningrad" else {"0101": ["red-edge"]}
    pos = situation(game, "german-supply", units, map={"blank": [12, 12], "places": places})
    assert not pos.supply("x").supplied  # what the check is about to find
    assert pos.supply("y").supplied
    assert "supply" not in pos.document()["units"]["x"]
    checked = pos.play("end")
    assert checked.document()["units"]["x"].get("steps", 2) == 2
    assert not checked.supply("x").supplied
    again = situation(game, "german-supply", {**units, "x": {**units["x"], "supply": "out"}}, map=pos.document()["map"])
    assert again.document()["units"]["x"]["supply"] == "out"
    assert again.play("end").document()["units"]["x"]["steps"] == 1


@pytest.mark.case("assault-leningrad", "16.22", "16.26")
def test_a_document_at_the_beginning_of_a_movement_phase_has_the_withdrawals_behind_it(leningrad):
    units = {"8/10": {"hex": "2009", "steps": 1}, "3/8": "2109", "1ID": "1434", "6/11": "J6"}
    pos = situation(leningrad, "german-movement", units, map=None, turn=11)
    assert {u for u, entry in pos.document()["units"].items() if entry.get("withdrawn")} == {"8/10", "3/8"}
    assert pos.document()["units"]["8/10"]["steps"] == 1  # its loss still counts
    assert leningrad.position(pos.document()).document() == pos.document()
    stays = situation(leningrad, "german-movement", units, map=None, turn=22)
    assert stays.why_not("move 6/11 J5") is None  # a German in the city keeps the 41st Corps
    leaves = situation(leningrad, "german-movement", {"6/11": "1434", "1ID": "1435"}, map=None, turn=22)
    assert refused(leaves, "move 6/11 1433") == "16.14"
    moved = {"6/11": "1434", "1ID": {"hex": "1435", "moved": True}}
    assert situation(leningrad, "german-movement", moved, map=None, turn=22).why_not("move 6/11 1433") is None


@pytest.mark.case("assault-stalingrad", "19.72")
def test_a_document_at_the_beginning_of_soviet_movement_draws_from_the_cup(stalingrad):
    units = {name: {"cup": True} for name in ("13Gds", "24RD", "95RD", "49RD", "64RD", "84RD")}
    pos = situation(stalingrad, "soviet-movement", {**units, "112RD": "1413"}, map=None, turn=2)
    assert pos.to_move == "chance"
    assert len(pos.chance.outcomes) == 6
    drawn = situation(stalingrad, "soviet-movement", {**units, "112RD": "1413"}, map=None, turn=2, dice=list(units)[:5])
    assert drawn.to_move == "soviet"
    assert stalingrad.position(drawn.document()).document() == drawn.document()
    assert [u for u, entry in drawn.document()["units"].items() if entry.get("cup")] == ["84RD"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"x": {**german("0505"), "combat": 4, "class": "A"}}, "units.x"),
        ({"10RD": {"withdrawn": True}}, "units.10RD.withdrawn"),
        ({"support": ["0101"]}, "support[0]"),
    ],
)
def test_documents_that_say_two_things_or_nothing_are_refused(leningrad, change, path):
    units = {"x": german("0505"), "y": soviet("0506")}
    more = {key: change.pop(key) for key in list(change) if key == "support"}
    with pytest.raises(ladoga.BadDocument) as caught:
        situation(leningrad, "german-combat", units | change, **more)
    assert caught.value.path == path


@pytest.mark.case("assault-leningrad", "8.22", "8.46", "14.2")
@pytest.mark.case("assault-stalingrad", "8.22", "8.46")
def test_interior_hexes_of_a_blank_map_are_those_of_the_inset(game):
    city = {"blank": [8, 6], "places": {number: ["interior"] for number in ("0303", "0304")}}
    units = {"x": german("0302"), "p": german("0203", type="panzer", movement=8), "y": soviet("0606", "1-C")}
    pos = situation(game, "german-movement", units, map=city)
    assert (pos.reach("x")["0303"].cost, pos.reach("p")["0303"].cost) == (2, 3)
    worker = soviet("0303", "1-C", type="worker", movement=4)
    pos = situation(game, "soviet-movement", {"w": worker, "r": soviet("0403"), "g": german("0606")}, map=city)
    assert pos.reach("r")["0303"].cost == 1
    assert set(pos.reach("w")) == {"0304"}
    defended = situation(game, "german-combat", {"x": german("0302"), "y": soviet("0303")}, map=city)
    assert defended.explain("attack x 0303").defence[0][0] == 12


def test_a_fringe_joins_the_inset_to_a_hex_that_is_there(game):
    word = next(word for word in game.map.places if word.startswith("fringe-"))
    for board in ({"blank": [8, 6]}, {}):
        with pytest.raises(ladoga.BadDocument) as caught:
            situation(game, "german-movement", {}, map={**board, "places": {"0202": [word]}})
        assert caught.value.path == "map.places.0202"


@pytest.mark.case("assault-leningrad", "10.15", "12.53")
def test_a_document_in_the_middle_of_a_fight_knows_that_its_hex_is_attacked(leningrad):
    fight = {"for": "fight", "side": "soviet", "hexes": ["0521"], "attackers": ["1ID"], "defenders": ["4V"], "due": 1}
    units = {"1ID": "0522", "58ID": "0621", "4V": "0521", "10RD": "0721"}
    pos = situation(leningrad, "german-combat", units, map=None, pending=fight, support=["0521"])
    gone = pos.play("lose 4V").play("end")
    assert leningrad.position(gone.document()).document() == gone.document()
    assert gone.document()["fought"] == ["0521"]


def test_nobody_advances_who_is_not_on_the_map(game):
    gone = german("0504")
    del gone["hex"]
    units = {"a": german("0505"), "b": {**gone, "eliminated": True}}
    offer = {"for": "advance", "side": "german", "hexes": ["0606"], "units": ["a", "b"]}
    with pytest.raises(ladoga.BadDocument, match=r"^pending\.units\[1\]: b is not on the map$"):
        situation(game, "german-combat", units, pending=offer)
