"""A release: source archive and wheel, built twice and compared, then tried as a stranger would.

    python tools/release.py                 builds into dist/ and tries on every Python at hand
    python tools/release.py --only 3.11     tries on that Python alone

The version stands in one place, ``__version__`` of ``src/ladoga/__init__.py``. A release needs a part of CHANGELOG.md
that begins with it. What was done is printed, and what could not be done: a Python that is not at hand, a tool that
could not be had.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST, WORK = ROOT / "dist", ROOT / "build" / "release"
CLAIMED = ("3.11", "3.12", "3.13")
TOOLS = ("build", "twine", "uv", "pipx")
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[\w.]+)?")


class Failed(Exception):
    """Something that must not be in a release."""


def said(text: str) -> None:
    print(text, flush=True)


def run(*command: str | Path, **more: object) -> str:
    """A command that must succeed; what it printed."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env |= {"SOURCE_DATE_EPOCH": "315532800", **more.pop("env", {})}  # type: ignore[dict-item]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, **more)  # type: ignore[call-overload]
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def version() -> str:
    """The version, which stands in one place, is a semantic one, and is the one the packager reads.

    >>> SEMANTIC.fullmatch(version()) is not None
    True
    """
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/ladoga/__init__.py").read_text(), re.MULTILINE)
    if found is None or not SEMANTIC.fullmatch(found[1]):
        raise Failed("src/ladoga/__init__.py has no semantic version")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    if "version" in project["project"] or project["project"].get("dynamic") != ["version"]:
        raise Failed("pyproject.toml must take its version from src/ladoga/__init__.py")
    return found[1]


def noted(number: str) -> str:
    """The first lines of what the changelog says about a version."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(number)}(?: \((.+)\))?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Failed(f"CHANGELOG.md has no part '## {number}'")
    return found[1] or "no date yet"


def tools() -> dict[str, Path]:
    """What building and trying needs, in an environment of its own; those that cannot be had are left out."""
    home = WORK / "tools"
    if not (home / "bin" / "python").exists():
        run(sys.executable, "-m", "venv", home)
    have = {}
    for tool in TOOLS:
        try:
            run(home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", tool)
            have[tool] = home / "bin" / ("pyproject-build" if tool == "build" else tool)
        except Failed as problem:
            said(f"  {tool}: NOT TO BE HAD ({str(problem).splitlines()[-1]})")
    return have


def built(have: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Source archive and wheel, from a clean copy of what is committed or lies in the tree."""
    tree = WORK / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    for name in files:
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    run(have["build"], "--outdir", folder, tree)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "source archive": source}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pythons() -> dict[str, str]:
    """Every Python that is claimed and at hand."""
    found = {}
    for name in CLAIMED:
        places = [shutil.which(f"python{name}"), *sorted(Path.home().glob(f".pyenv/versions/{name}.*/bin/python"))]
        for place in filter(None, places):
            if subprocess.run([str(place), "-c", "import venv"], capture_output=True).returncode == 0:
                found[name] = str(place)
                break
    if f"{sys.version_info[0]}.{sys.version_info[1]}" in CLAIMED:
        found.setdefault(f"{sys.version_info[0]}.{sys.version_info[1]}", sys.executable)
    return found


@contextmanager
def serving(command: list[str | Path], folder: Path) -> Iterator[str]:
    """A server that is started and stopped; the answer of /health."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        port = line.getsockname()[1]
    words = [str(word) for word in (*command, "serve", "--port", port, "--store", folder / "try.db")]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        until = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                    yield answer.read().decode()
                    return
            except OSError:
                if time.monotonic() > until or server.poll() is not None:
                    raise Failed("the server does not answer /health") from None
                time.sleep(0.3)
    finally:
        server.terminate()
        server.wait(20)


def tried(name: str, python: str, kind: str, package: Path, number: str) -> str:
    """A package installed in a bare environment: it lists its games, plays one and serves."""
    home = WORK / f"try-{name}-{kind.split()[0]}"
    shutil.rmtree(home, ignore_errors=True)
    run(python, "-m", "venv", home)
    run(home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package)
    ladoga = home / "bin" / "ladoga"
    told = run(ladoga, "--version", cwd=home).strip()
    if number not in told:
        raise Failed(f"{kind} says it is {told!r}, not {number}")
    games = json.loads(run(ladoga, "games", "--json", cwd=home))
    result = json.loads(run(ladoga, "simulate", "tijvin-1941", "--games", "1", "--seed", "1", "--json", "-", cwd=home))
    if result["errors"]:
        raise Failed(f"{kind} on {name}: {result['errors']}")
    with serving([ladoga], home) as health:
        pass
    shutil.rmtree(home)
    return f"{len(games)} games, one played ({result['digest'][:12]}), /health says {health.strip()[:40]}"


def one_line(have: dict[str, Path], wheel: Path) -> None:
    """The wheel as people run it without installing it."""
    commands = {
        "uv": ("uvx", [have.get("uv", Path()), "tool", "run", "--python", sys.executable, "--from", wheel, "ladoga"]),
        "pipx": ("pipx run", [have.get("pipx", Path()), "run", "--spec", wheel, "ladoga"]),
    }
    for tool, (called, command) in commands.items():
        if tool not in have:
            said(f"  {called}: NOT TRIED, there is no {tool}")
            continue
        games = run(*command, "games", env={"PIPX_HOME": str(WORK / "pipx")}).splitlines()
        said(f"  {called} from the wheel: {len(games)} games")


def main() -> int:
    """All of it; says what was done."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--only", metavar="3.X", action="append", help="try on this Python alone; may be repeated")
    wanted = reader.parse_args().only or CLAIMED
    number = version()
    said(f"Ladoga {number} ({noted(number)})")
    WORK.mkdir(parents=True, exist_ok=True)
    have = tools()
    if "build" not in have:
        raise Failed("nothing can be built without 'build'")
    first, second = built(have, DIST), built(have, WORK / "again")
    for kind, path in first.items():
        if digest(path) != digest(second[kind]):
            raise Failed(f"two builds of the {kind} differ")
        said(f"  {kind}: {path.name}, {path.stat().st_size / 1e6:.1f} MB, twice the same {digest(path)[:16]}")
    if "twine" in have:
        run(have["twine"], "check", "--strict", *first.values())
        said("  twine finds nothing wrong with them")
    at_hand, digests = pythons(), set()
    for name in CLAIMED:
        if name not in at_hand or name not in wanted:
            said(f"  Python {name}: {'NOT AT HAND' if name not in at_hand else 'not asked for'}")
            continue
        for kind, package in first.items():
            told = tried(name, at_hand[name], kind, package, number)
            digests.add(re.search(r"\((\w+)\)", told)[1])  # type: ignore[index]
            said(f"  Python {name}, {kind}: {told}")
    if len(digests) > 1:
        raise Failed("the same game is another one on another Python")
    one_line(have, first["wheel"])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as problem:
        sys.exit(f"FAILED: {problem}")
