"""Writes the lock file of the tested set and the list of its licences, from what is installed here.

    python tools/lock.py            writes requirements.lock and docs/licences.md
    python tools/lock.py --check    only says whether what is installed is what is locked

``pip install --require-hashes -r requirements.lock`` brings exactly what was tested (CPython 3.11 on 64-bit Linux),
from whichever registry pip is set up to use: the file names none.
"""

import json
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK, PAGE = ROOT / "requirements.lock", ROOT / "docs" / "licences.md"
EXTRAS = ("dev", "postgres")
HEAD = """# The tested set, with hashes: pip install --require-hashes -r requirements.lock
# Written by tools/lock.py from CPython 3.11 on 64-bit Linux; ladoga itself is installed with --no-deps.
"""


def needed() -> dict[str, str]:
    """Everything that Ladoga needs here, directly or not: name and installed version."""
    found: dict[str, str] = {}
    waiting = [Requirement(f"ladoga[{','.join(EXTRAS)}]")]
    seen = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        key = (name, tuple(sorted(requirement.extras)))
        if key in seen:
            continue
        seen.add(key)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if name != "ladoga":
            found[name] = package.version
        texts = own_requirements() if name == "ladoga" else package.requires or []
        for text in texts:
            inner = Requirement(text)
            wanted = [{**default_environment(), "extra": e} for e in ("", *requirement.extras)]
            if inner.marker is None or any(inner.marker.evaluate(environment) for environment in wanted):
                waiting.append(inner)
    return dict(sorted(found.items()))


def own_requirements() -> list[str]:
    """What pyproject.toml asks for, which may be newer than what is installed of Ladoga itself."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *(text for extra in EXTRAS for text in project["optional-dependencies"][extra])]


def hashes(packages: dict[str, str]) -> dict[str, str]:
    """The hash of the file of each package that pip would take here."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        words = ["install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", report.name]
        pins = [f"{name}=={version}" for name, version in packages.items()]
        subprocess.run([sys.executable, "-m", "pip", *words, *pins], check=True)
        told = json.loads(Path(report.name).read_text())
    return {
        canonicalize_name(item["metadata"]["name"]): item["download_info"]["archive_info"]["hashes"]["sha256"]
        for item in told["install"]
    }


def licence(name: str) -> str:
    """A package's licence in a word or two."""
    facts = metadata.metadata(name)
    named = facts.get("License-Expression") or ""
    if not named:
        classifiers = [c.rsplit(" :: ", 1)[1] for c in facts.get_all("Classifier") or [] if c.startswith("License ::")]
        text = (facts.get("License") or "").strip().splitlines()
        named = ", ".join(classifiers) or (text[0] if text else "")
    return re.sub(r"\s+", " ", named)[:80] or "not told"


def locked() -> dict[str, str]:
    """What the lock file names."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text(), re.M)) if LOCK.exists() else {}


def main() -> None:
    packages = needed()
    if "--check" in sys.argv:
        known = locked()
        differing = {name for name, version in packages.items() if known.get(name) != version}
        sys.exit(f"not as locked: {', '.join(sorted(differing))}" if differing else 0)
    sums = hashes(packages)
    lines = [f"{name}=={version} --hash=sha256:{sums[name]}" for name, version in packages.items() if name in sums]
    LOCK.write_text(HEAD + "\n".join(lines) + "\n")
    rows = [f"| {name} | {version} | {licence(name)} |" for name, version in packages.items()]
    PAGE.write_text(
        "# Licences\n\nLadoga is under the MIT licence. What it is tested with, directly or not:\n\n"
        "| package | version | licence |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


if __name__ == "__main__":
    main()
