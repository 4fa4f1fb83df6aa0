"""The pages of the site: all of them in its contents, links that lead somewhere, and code that runs.

A block of Python is run; with a title it is written to that file, and so is one of YAML; a console runs its commands.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from docsite import ROOT, pages

from ladoga.cli import main

DOCS = ROOT / "docs"
TUTORIALS = ["hour.md", "how/player.md", "how/figure.md", "how/map.md", "how/rule.md", "how/game.md"]
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """Every page of the site, as its Markdown, by its path."""
    own = {str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    return own | pages()


class _Site(yaml.SafeLoader):
    """Reads the settings without making the objects they name."""


def contents(nav: object) -> list[str]:
    """The pages that a part of the contents names."""
    if isinstance(nav, str):
        return [nav]
    parts = nav if isinstance(nav, list) else list(nav.values())
    return [page for part in parts for page in contents(part)]


def anchors(text: str) -> set[str]:
    """The places of a page: its headings as the site names them, and those with names of their own."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+?)(?: \{ #([\w.-]+) \})?$", plain, re.MULTILINE)
    names = {own or re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title, own in heads}
    return names | set(re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE))


def test_every_page_is_in_the_contents(written):
    settings = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=_Site)
    named = contents(settings["nav"])
    assert sorted(named) == sorted(set(named))
    assert sorted(named) == sorted(written)
    assert settings["strict"] is True


def test_every_link_leads_somewhere(written):
    wrong = []
    for page, text in written.items():
        here = Path(page).parent
        for link in LINK.findall(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
            if re.match(r"https?:|mailto:", link):
                continue
            path, _, place = link.partition("#")
            target = str(Path(*_resolved(here / path))) if path else page
            if target not in written and not (DOCS / target).is_file():
                wrong.append(f"{page}: {link}")
            elif place and target in written and place not in anchors(written[target]):
                wrong.append(f"{page}: {link}: no such place")
    assert not wrong


def _resolved(path: Path) -> list[str]:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


@pytest.mark.parametrize("page", TUTORIALS)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "page"}
    ran = 0
    for number, (language, title, text) in enumerate(BLOCK.findall((DOCS / page).read_text(encoding="utf-8")), 1):
        if title:
            Path(title).parent.mkdir(parents=True, exist_ok=True)
            Path(title).write_text(text, encoding="utf-8")
        elif language == "python":
            exec(compile(text, f"{page}, block {number}", "exec"), names)
            ran += 1
        elif language == "console":
            for line in text.strip().splitlines():
                dollar, program, *words = shlex.split(line)
                assert (dollar, program) == ("$", "ladoga")
                assert main(words) == 0, f"{line}\n{capsys.readouterr().err}"
                ran += 1
    assert ran > 0


def test_the_change_of_the_page_on_rules_is_a_change_of_what_is_there():
    """A diff on the page names lines that the source has, in their order."""
    text = (DOCS / "how" / "rule.md").read_text(encoding="utf-8")
    (diff,) = [text for language, _, text in BLOCK.findall(text) if language == "diff"]
    kept = "\n".join(line[1:] for line in diff.splitlines() if not line.startswith("+"))
    assert kept in (ROOT / "src" / "ladoga" / "games" / "assault" / "supply.py").read_text(encoding="utf-8")
