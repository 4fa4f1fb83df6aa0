"""The tools that hold one version of the program against another."""

from __future__ import annotations

import shutil

import pytest
import same
import turns
import versions


@pytest.fixture
def other(tmp_path):
    """A copy of the program in which something is different."""
    shutil.copytree(versions.ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "web"))
    return tmp_path


def test_a_version_is_the_same_as_itself(other):
    found = same.differences(versions.ROOT, other, ["leningrad-2010"], ["sampled", "refused", "documents"], 1)
    assert list(found) == []


def test_what_follows_from_another_rule_is_found(other):
    chapter = other / "src" / "ladoga" / "games" / "leningrad" / "reach.py"
    text = chapter.read_text(encoding="utf-8")
    assert "2 * movement if supplied" in text
    chapter.write_text(text.replace("2 * movement if supplied", "2 * movement + 2 if supplied"), encoding="utf-8")
    found = list(same.differences(versions.ROOT, other, ["leningrad-2010"], ["perft", "documents"], 1))
    assert len(found) == 2
    assert found[0].startswith("leningrad-2010, perft, place 2 of ")


def test_two_versions_are_timed_by_turns_over_the_same_games(other):
    told = list(turns.compared(str(versions.ROOT), str(other), "leningrad-2010", 1, 1))
    assert [kind for kind, *_ in told] == list(turns.KINDS)
    assert all(pace > 0 and 0.2 < ratio < 5 and same_games for _, pace, ratio, same_games in told)


def test_a_version_may_be_a_folder(tmp_path):
    (tmp_path / "src").mkdir()
    with versions.source_of(str(tmp_path)) as source:
        assert source == tmp_path / "src"


@pytest.mark.skipif(not (versions.ROOT / ".git").exists(), reason="only where there is a history")
def test_a_version_may_be_a_commit():
    with versions.source_of("HEAD") as source:
        assert (source / "ladoga" / "__init__.py").exists()
    assert not source.exists()
