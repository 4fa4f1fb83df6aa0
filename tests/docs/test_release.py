"""What a release rests on; `make release` builds and tries it."""

from __future__ import annotations

import tomllib

import pytest
import release

import ladoga


def test_the_version_stands_in_one_place_and_the_changelog_knows_it():
    assert release.version() == ladoga.__version__
    assert release.noted(ladoga.__version__)


def test_a_version_without_a_note_is_no_release():
    with pytest.raises(release.Failed, match=r"no part '## 99.0.0'"):
        release.noted("99.0.0")


def test_it_is_tried_on_every_python_that_is_claimed():
    project = tomllib.loads((release.ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={release.CLAIMED[0]}"
    workflow = (release.ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert all(f'"{name}"' in workflow for name in release.CLAIMED)
    assert set(release.pythons()) <= set(release.CLAIMED)


def test_a_command_that_fails_is_told_with_what_it_said():
    with pytest.raises(release.Failed, match="nothing of the kind"):
        release.run("python3", "-c", "import sys; sys.exit('nothing of the kind')")
