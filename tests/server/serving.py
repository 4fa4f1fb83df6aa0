"""A real server to test against, and guests who come to it."""

import json
import threading
import time
from contextlib import ExitStack

import httpx
import uvicorn
from websockets.sync.client import connect

from ladoga.server.app import application
from ladoga.server.assembly import assemble
from ladoga.server.limits import FRAME, Buckets
from ladoga.server.protocol import Line, Socket

GAME = "leningrad-1979"


class Running:
    """A real server on a real port with a real database, in a thread; a test may ask faster than a person would."""

    def __init__(self, path, *, delay=0.0, inside=False, webhook=None, **wishes):
        self.path = path
        wishes.setdefault("people", Buckets(size=100_000, rate=10_000))
        self.lobby = assemble(path, delay=delay, inside=inside, webhook=webhook)
        self.store = self.lobby.house.store
        config = uvicorn.Config(
            application(self.lobby, **wishes), host="127.0.0.1", port=0, log_level="error", ws_max_size=FRAME,
            http=Line, ws=Socket, server_header=False, proxy_headers=False, lifespan="on",
        )  # fmt: skip
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def desk(self):
        """What its pages have to answer with."""
        app = self.server.config.loaded_app
        while not hasattr(app, "state"):
            app = app.app
        return app.state.desk

    def stop(self):
        self.server.should_exit = True
        self.thread.join(10)


class Guest:
    """A browser without a screen: a cookie, plain requests, and a socket."""

    def __init__(self, running, by="/"):
        self.running = running
        self.http = httpx.Client(base_url=running.url, timeout=20, follow_redirects=True)
        assert self.http.get(by).status_code == 200
        self._next = 0

    def close(self):
        self.http.close()

    def post(self, path, **body):
        return self.http.post(path, json=body)

    def begin(self, game=GAME, **seats):
        answer = self.post("/api/matches", game=game, seats=seats)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def socket(self, match, **extra):
        cookie = "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)
        url = f"ws://127.0.0.1:{self.running.port}/ws/{match}"
        return connect(url, additional_headers={"Cookie": cookie, **extra}, max_size=None, close_timeout=1)


class Table:
    """A socket at a match, with what it heard last."""

    def __init__(self, guest, match, **extra):
        self._stack = ExitStack()
        self.ws = self._stack.enter_context(guest.socket(match, **extra))
        self.last = {}
        self.heard = []
        self._id = 0

    def hear(self, kind, timeout=15):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self._take(end - time.monotonic())
            if message["t"] == kind:
                return message
        raise AssertionError(f"never heard {kind}")

    def _take(self, timeout):
        text = self.ws.recv(timeout)
        message = json.loads(text)
        message["raw"] = text
        self.heard.append(message)
        self.last[message["t"]] = message
        return message

    def ask(self, t, **fields):
        self._id += 1
        self.ws.send(json.dumps({"t": t, "id": self._id, **fields}))
        while True:
            message = self.hear("reply")
            if message["id"] == self._id:
                self.see(message.get("version", -1))
                return message

    def state(self):
        return self.last.get("state") or self.hear("state")

    def give(self, text, **more):
        state = self.state()
        action = more.pop("action", f"action-{time.monotonic_ns()}")
        reply = self.ask("order", action=action, version=more.pop("version", state["version"]), text=text)
        if reply["ok"]:
            self.drain()
        return reply

    def see(self, version):
        """Hear until the table is shown as it stands at a version: that comes after the answer that names it."""
        while max(self.last.get(kind, {}).get("version", -1) for kind in ("state", "curtain")) < version:
            self._take(15)

    def drain(self):
        """Hear whatever is on its way."""
        while True:
            try:
                self._take(0.15)
            except TimeoutError:
                return

    def close(self):
        self._stack.close()
