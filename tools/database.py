"""A real PostgreSQL from Debian's package, on a free port in a folder of its own."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

MISSING = "NO POSTGRESQL HERE: everything about `--store postgresql://` goes untested (apt-get install postgresql)"
RACY = ("-c", "max_connections=200", "-c", "shared_buffers=32MB", "-c", "autovacuum=off")


def programs():
    """Where Debian's package, or anybody's path, has the server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _install():
    """Debian's package, where we are root and may."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-q", "postgresql"], check=False, capture_output=True)


class Cluster:
    """A database server that is gone with its folder."""

    def __init__(self):
        if programs() is None:
            _install()
        self.bin = programs()
        if self.bin is None:
            raise RuntimeError(MISSING)
        self.as_user = None
        if os.geteuid() == 0:
            try:
                self.as_user = pwd.getpwnam("postgres").pw_name
            except KeyError:
                raise RuntimeError(MISSING) from None
        self.folder = Path(tempfile.mkdtemp(prefix="ladoga-pg-"))
        if self.as_user:
            shutil.chown(self.folder, self.as_user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._made = 0
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "ladoga", "--no-sync", "-E", "UTF8", "--no-locale")
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def _words(self, program, *words):
        other = ["setpriv", f"--reuid={self.as_user}", f"--regid={self.as_user}", "--clear-groups"]
        return [*(other if self.as_user else []), str(self.bin / program), *words]

    def _run(self, program, *words):
        subprocess.run(self._words(program, *words), check=True, capture_output=True, cwd=self.folder)

    def start(self):
        words = self._words("postgres", "-D", self.data, "-p", str(self.port), "-k", str(self.folder), *RACY,
                            "-c", "listen_addresses=127.0.0.1")  # fmt: skip
        self.process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            try:
                psycopg.connect(self.address("postgres")).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def stop(self):
        if self.process.poll() is None:
            self._run("pg_ctl", "-D", self.data, "stop", "-m", "immediate")
            self.process.wait(20)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, name, port=None):
        return f"postgresql://ladoga@127.0.0.1:{port or self.port}/{name}"

    def fresh(self):
        """The address of an empty database."""
        self._made += 1
        name = f"ladoga_{self._made}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.address(name)
