"""The files for a public server say what the program understands."""

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from ladoga.cli.arguments import parser

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "deploy").is_dir(), reason="only where the source is")


def words_of(line):
    for key, value in {"%i": "8001", "%%": "%", "${LADOGA_NAME}": "a.b"}.items():
        line = line.replace(key, value)
    return shlex.split(line)


def test_the_unit_starts_a_server_with_options_that_there_are(monkeypatch):
    monkeypatch.setenv("LADOGA_STORE", "postgresql://x/y")
    unit = (ROOT / "deploy" / "ladoga@.service").read_text()
    words = words_of(re.search(r"^ExecStart=\S+/ladoga (.+)$", unit, re.M)[1])
    asked = parser().parse_args(words)
    assert (asked.port, asked.store, asked.secure) == (8001, "postgresql://x/y", True)
    assert asked.metrics == ("127.0.0.1", 18001)
    assert asked.host_name == ["a.b"]
    assert "KillSignal=SIGTERM" in unit
    assert "LADOGA_STORE}" not in unit, "a password among the words of a command can be read by everybody"


def test_the_backup_is_a_command_that_there_is(monkeypatch):
    monkeypatch.setenv("LADOGA_STORE", "postgresql://x/y")
    unit = (ROOT / "deploy" / "ladoga-backup.service").read_text()
    command = re.search(r"ladoga (store backup .+)'$", unit, re.M)[1]
    asked = parser().parse_args(shlex.split(command))
    assert (asked.deed, asked.store) == ("backup", "postgresql://x/y")


def test_systemd_and_nginx_take_the_files(tmp_path):
    """Where their programs are at hand; ``http2 on`` is unknown to the nginx of Debian 12."""
    proxy = (ROOT / "deploy" / "nginx.conf").read_text()
    assert "http2 on" not in proxy
    nginx, openssl = shutil.which("nginx", path="/usr/sbin:/usr/bin"), shutil.which("openssl")
    if nginx and openssl:
        made = subprocess.run(
            [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "privkey.pem", "-out",
             tmp_path / "fullchain.pem", "-days", "2", "-subj", "/CN=games.example.org"],
            capture_output=True, check=False,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        proxy = proxy.replace("/etc/letsencrypt/live/games.example.org", str(tmp_path))
        whole = f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}} http {{ access_log off; {proxy} }}"
        (tmp_path / "nginx.conf").write_text(whole)
        words = [nginx, "-t", "-c", tmp_path / "nginx.conf"]
        tried = subprocess.run(words, capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
    analyze = shutil.which("systemd-analyze")
    if analyze:
        for name in ("ladoga@.service", "ladoga-backup.service", "ladoga-backup.timer"):
            text = (ROOT / "deploy" / name).read_text().replace("/opt/ladoga/bin/ladoga", "/bin/true")
            (tmp_path / name.replace("@", "@8001")).write_text(text)
        units = [tmp_path / "ladoga@8001.service", tmp_path / "ladoga-backup.service", tmp_path / "ladoga-backup.timer"]
        tried = subprocess.run([analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        complaints = [line for line in tried.stderr.splitlines() if "ladoga" in line]
        assert complaints == [], tried.stderr


def test_the_page_names_every_option_of_serve():
    page = (ROOT / "docs" / "serving.md").read_text()
    serve = next(a for a in parser()._actions if a.dest != "help" and hasattr(a, "choices") and a.choices)
    for action in serve.choices["serve"]._actions:
        name = next((o for o in action.option_strings if o.startswith("--")), "--help")
        assert name in ("--help", "--data") or f"`{name}" in page, name


def test_the_lock_file_holds_what_is_asked_for_with_hashes_and_names_no_host():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.lock").read_text()
    lines = [line for line in lock.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)
    assert "://" not in lock
    locked = {line.partition("==")[0] for line in lines}
    for text in (*project["dependencies"], *project["optional-dependencies"]["postgres"]):
        assert re.match(r"[\w-]+", text)[0].lower() in locked
    licences = (ROOT / "docs" / "licences.md").read_text()
    assert all(f"| {name} |" in licences for name in locked)
