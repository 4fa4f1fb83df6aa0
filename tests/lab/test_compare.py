"""What a change does: two versions of a game on the same dice."""

from __future__ import annotations

import json
import random

import pytest

from ladoga.cli import main
from ladoga.kernel.errors import BadOrder, LadogaError
from ladoga.lab import Difference, Figure, Match, compare

MATCH = Match("leningrad-1979", {"german": "random", "soviet": "random"}, seed=3)


def differing_by(shift: float, pairs: int, seed: int) -> Difference:
    """A figure whose true change is ``shift``, with noise of spread 1."""
    rng = random.Random(seed)
    before = [0.0] * pairs
    return Difference(Figure.parse("margin"), before, [rng.gauss(shift, 1.0) for _ in before])


def test_the_interval_holds_whenever_one_looks():
    """Looking after every pair, a change of nothing is called real in at most one run of twenty."""
    fooled = 0
    for seed in range(100):
        whole = differing_by(0.0, 300, seed)
        looked = (Difference(whole.figure, whole.before[:n], whole.after[:n]) for n in range(10, 301, 10))
        fooled += any(difference.decided() for difference in looked)
    assert fooled <= 5


def test_a_real_change_is_found_with_about_as_many_pairs_as_it_was_said_to_take():
    early = differing_by(0.5, 40, 1)
    needed = early.pairs_needed
    assert needed is not None
    assert differing_by(0.5, 2 * needed, 1).decided()


def test_a_row_of_equal_games_is_not_certainty():
    figure = Figure.parse("winner german")
    equal = Difference(figure, [1.0] * 12, [1.0] * 12)
    low, high = equal.interval
    assert low < 0 < high
    assert not equal.decided()
    assert equal.pairs_needed is None


def test_a_change_too_small_to_matter_ends_the_run():
    small = differing_by(0.0, 2000, 5)
    assert not small.decided()
    assert small.decided(least=0.5)


def test_stops_as_soon_as_the_difference_is_sure():
    other = Match("leningrad-1979", {"german": "greedy", "soviet": "random"}, seed=3)
    steps = list(compare(MATCH, other, [Figure.parse("winner german"), Figure.parse("margin")], 60))
    assert len(steps) < 60
    difference = steps[-1].differences[0]
    assert difference.interval[0] > 0
    assert steps[-1].as_json()["after"]["players"]["german"] == "greedy"


def test_equal_versions_and_unknown_figures_are_refused():
    with pytest.raises(LadogaError, match="both versions are the same"):
        next(compare(MATCH, MATCH, [Figure.parse("margin")], 10))
    with pytest.raises(BadOrder, match="is not a question"):
        Figure.parse("beauty of the game")
    with pytest.raises(BadOrder, match="end of the game"):
        Figure.parse("turns turn 3")


def test_on_the_command_line(capsys, tmp_path):
    file = tmp_path / "out.json"
    words = ["compare", "tijvin-1941", "--german", "random", "--soviet", "random", "--games", "2"]
    assert main([*words, "--against", "fog-of-war=true", "--ask", "units german turn 3", "--json", str(file)]) == 0
    assert "too few pairs" in capsys.readouterr().out
    result = json.loads(file.read_text())
    assert (result["before"]["options"]["fog-of-war"], result["after"]["options"]["fog-of-war"]) == (False, True)
    assert result["differences"][0]["pairs"] == 2
    assert main([*words, "--against", "beauty=5"]) == 2
    assert "has nothing called 'beauty' to change" in capsys.readouterr().err
