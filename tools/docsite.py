"""The documentation site: what MkDocs cannot know by itself, and the checks that `make docs` makes.

    python tools/docsite.py        builds the site into build/site and looks it over

As a hook of MkDocs it adds the pages that are written elsewhere: the changelog, how to contribute, the examples, the
reference of every public name and of every command; and the fonts of the table.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "site"

PUBLIC = {
    "ladoga": ["ladoga"],
    "players": ["ladoga.players"],
    "lab": ["ladoga.lab", "ladoga.lab.dataset", "ladoga.lab.cluster"],
    "analysis": [
        "ladoga.analysis.advice",
        "ladoga.analysis.debrief",
        "ladoga.analysis.report",
        "ladoga.analysis.reckoning",
        "ladoga.analysis.threat",
        "ladoga.analysis.fights",
        "ladoga.analysis.example",
    ],
    "drawing": ["ladoga.drawing"],
    "adapters": [
        "ladoga.adapters.openspiel",
        "ladoga.adapters.zoo",
        "ladoga.adapters.gym",
        "ladoga.adapters.steps",
        "ladoga.adapters.observing",
    ],
    "kernel": [
        "ladoga.hexes",
        "ladoga.kernel.chance",
        "ladoga.kernel.data",
        "ladoga.kernel.documents",
        "ladoga.kernel.game",
        "ladoga.kernel.map",
        "ladoga.kernel.options",
        "ladoga.kernel.orders",
        "ladoga.kernel.position",
        "ladoga.kernel.prospect",
        "ladoga.kernel.sequence",
        "ladoga.kernel.state",
        "ladoga.kernel.table",
    ],
}
"""The pages of the reference, and the modules whose public names each of them holds."""

TITLES = {
    "ladoga": "The contract: ladoga",
    "players": "Computer players",
    "lab": "The laboratory",
    "analysis": "What positions and records tell",
    "drawing": "Maps, counters, sheets",
    "adapters": "OpenSpiel, PettingZoo, Gymnasium",
    "kernel": "For those who write a game",
}

COPIED = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}

INTRODUCTION = """# Reference

Every name here is public: listed in `__all__` of its module, kept from one release to the next (a change that breaks a
caller needs a new major version, and the changelog says so), and shown with an example that is run by the tests.
Everything else may change at any time.

| page | what it holds |
| --- | --- |
| [The command line](commands.md) | every command with its arguments |
"""


EXAMPLE = re.compile(r"(?:^>>> .*(?:\n(?!$).*)*\n?)(?:\n?^>>> .*(?:\n(?!$).*)*\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring with its examples in fences.

    >>> print(fenced("Adds.\\n\\n>>> 1 + 1\\n2\\n"))
    Adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{_plain(found[0])}\n```\n", text)


def _plain(example: str) -> str:
    """An example without what only the checker needs."""
    return re.sub(r"  # doctest: .*$", "", example.strip("\n"), flags=re.MULTILINE)


def public(module: str) -> list[str]:
    """The public names of a module."""
    return list(importlib.import_module(module).__all__)


def pages() -> dict[str, str]:
    """The pages that are not written in docs/, by their path there."""
    made = {f"reference/{name}.md": reference(name) for name in PUBLIC}
    rows = "".join(f"| [{TITLES[name]}]({name}.md) | `{'`, `'.join(PUBLIC[name])}` |\n" for name in PUBLIC)
    made["reference/index.md"] = INTRODUCTION + rows
    made["reference/commands.md"] = commands()
    made["examples.md"] = examples()
    for source, target in COPIED.items():
        made[target] = relinked((ROOT / source).read_text(encoding="utf-8"))
    return made


def relinked(text: str) -> str:
    """A page from the root of the repository, with its links as they are on the site."""
    return (
        text.replace("](docs/", "](")
        .replace("](examples/README.md)", "](examples.md)")
        .replace("](CONTRIBUTING", "](contributing")
    )


def shown(page: str, module: str) -> tuple[list[str], list[str]]:
    """The names of a module that a page shows, and those that the page of the contract shows already."""
    contract = {id(getattr(importlib.import_module("ladoga"), name)): name for name in public("ladoga")}
    here = importlib.import_module(module)
    known = [n for n in public(module) if page != "ladoga" and id(getattr(here, n)) in contract]
    return [n for n in public(module) if n not in known], known


def reference(page: str) -> str:
    """A page of the reference."""
    parts = [f"# {TITLES[page]}"]
    many = len(PUBLIC[page]) > 1
    for module in PUBLIC[page]:
        parts += [f"## {module} {{ #{module} }}"] if many else []
        parts.append(fenced(importlib.import_module(module).__doc__ or ""))
        own, known = shown(page, module)
        if known:
            parts.append(
                "Also here: " + ", ".join(f"[`{n}`](ladoga.md#ladoga.{_contract(module, n)})" for n in known) + "."
            )
        parts += [f"::: {module}.{name}\n    options:\n      heading_level: {3 if many else 2}" for name in own]
    return "\n\n".join(parts) + "\n"


def _contract(module: str, name: str) -> str:
    """What a name is called in the contract."""
    thing, ladoga = getattr(importlib.import_module(module), name), importlib.import_module("ladoga")
    return next(known for known in public("ladoga") if getattr(ladoga, known) is thing)


def commands() -> str:
    """Every command of the command line, from its own help."""
    from ladoga.cli.arguments import parser

    parts = [
        "# The command line",
        "`ladoga COMMAND --help` tells the same. Every command ends with a status of 0 if all went well.",
    ]
    (chosen,) = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    helps = {action.dest: action.help for action in chosen._choices_actions}
    for name, command in chosen.choices.items():
        command.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=96)
        parts.append(f"## ladoga {name}\n\n{sentence(helps[name])}\n\n```text\n{command.format_help().strip()}\n```")
    return "\n\n".join(parts) + "\n"


def sentence(text: str | None) -> str:
    """The help of a command as a sentence."""
    return f"{(text or '')[:1].upper()}{(text or '')[1:]}."


def examples() -> str:
    """The programs in examples/, whole."""
    told = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    told = re.sub(r"\]\((\w+)\.py\)", lambda found: f"](#{found[1].replace('_', '-')})", told)
    parts = [told]
    for path in sorted((ROOT / "examples").glob("*.py")):
        anchor = path.stem.replace("_", "-")
        parts.append(f"## {path.name} {{ #{anchor} }}\n\n```python\n{path.read_text(encoding='utf-8').strip()}\n```")
    return "\n\n".join(parts) + "\n"


def on_files(files: Any, config: Any) -> Any:
    """Hook of MkDocs: the pages that are made here, the fonts and the mark of the table."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    fonts = ROOT / "src" / "ladoga" / "drawing" / "fonts"
    for font in fonts.glob("*.woff2"):
        files.append(File.generated(config, f"assets/fonts/{font.name}", abs_src_path=str(font)))
    icon = ROOT / "src" / "ladoga" / "web" / "static" / "assets" / "icon.svg"
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(icon)))
    return files


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Hook of MkDocs: what the search needs in a folder comes from here, not from elsewhere."""
    here = "../" * page.url.count("/") + "assets/worker.js"
    return output.replace("https://unpkg.com/iframe-worker/shim", here)


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """Hook of MkDocs: the same for the page that says that there is no such page."""
    return output_content.replace("https://unpkg.com/iframe-worker/shim", "/assets/worker.js")


class Looked(HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.ids |= {told[key] for key in ("id", "name") if key in told}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        if tag == "link" and told.get("rel") in ("stylesheet", "icon", "preload", "modulepreload", "preconnect"):
            self.loads.append(told.get("href", ""))
        if tag in ("script", "img", "source", "iframe") and "src" in told:
            self.loads.append(told["src"])


def looked_over(site: Path) -> list[str]:
    """What is wrong with a built site: links that lead nowhere, things loaded from elsewhere."""
    found = {}
    for path in site.rglob("*.html"):
        found[path] = page = Looked()
        page.feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, page in found.items():
        here = path.relative_to(site)
        wrong += [f"{here}: loads {one} from elsewhere" for one in page.loads if re.match(r"(?:https?:)?//", one)]
        if here.name == "404.html":
            continue
        for link in {*page.links, *page.loads}:
            told = urlsplit(link)
            if told.scheme or told.netloc or link.startswith("data:"):
                continue
            target = (path.parent / unquote(told.path)).resolve() if told.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                wrong.append(f"{here}: {link} leads nowhere")
            elif (
                told.fragment
                and target in found
                and unquote(told.fragment) not in found[target].ids
                and told.fragment != "__"
            ):
                wrong.append(f"{here}: {link}: there is no such place on that page")
    for css in site.rglob("*.css"):
        text = css.read_text(encoding="utf-8")
        wrong += [f"{css.relative_to(site)}: loads {one}" for one in re.findall(r"url\([\"']?(https?:[^)]*)", text)]
    return wrong


def unnamed(site: Path) -> list[str]:
    """Public names that the reference does not show."""
    missing = []
    for page, modules in PUBLIC.items():
        looked = Looked()
        looked.feed((site / "reference" / f"{page}.html").read_text(encoding="utf-8"))
        for module in modules:
            names = shown(page, module)[0]
            missing += [f"{module}.{n} is not in the reference" for n in names if f"{module}.{n}" not in looked.ids]
    return missing


def main() -> int:
    """Build strictly, then look the site over."""
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean", "--strict"]
    if subprocess.run(command, cwd=ROOT, env=quiet).returncode:
        return 1
    wrong = [*looked_over(SITE), *unnamed(SITE)]
    for line in wrong:
        print(line, file=sys.stderr)
    count = len(list(SITE.rglob("*.html")))
    names = sum(len(public(module)) for modules in PUBLIC.values() for module in modules)
    print(f"build/site: {count} pages, {names} public names, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
