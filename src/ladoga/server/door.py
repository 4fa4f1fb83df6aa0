"""Who may come in: names this server answers to, and the links that let the owner of the machine in once each."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Iterable

HERE = frozenset({"localhost", "localhost.localdomain"})
"""Names that no stranger's page can have."""


HOST = re.compile(r"(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([a-z0-9._-]+))(?::\d{1,5})?", re.IGNORECASE)


def host_of(header: str) -> str:
    """The name in a Host header, without its port; empty if it is no such header."""
    found = HOST.fullmatch(header)
    if found is None:
        return ""
    return (found[1] or found[2]).lower().rstrip(".")


class Names:
    """The names a server answers to. A number is no name: what is addressed by number was not led here by a
    stranger's name server. Every other name has to be given."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._given = HERE | {name.lower().rstrip(".") for name in given}

    def know(self, header: str) -> bool:
        """Whether a Host header is meant for this server."""
        host = host_of(header)
        if host in self._given:
            return True
        try:
            ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return True


class Door:
    """Links that let the owner in, each once; whoever has the secret can make them."""

    def __init__(self, secret: str = "") -> None:
        self.secret = secret or secrets.token_urlsafe(24)
        self._used: set[str] = set()

    def key(self) -> str:
        """A fresh key."""
        nonce = secrets.token_urlsafe(9)
        return f"{nonce}.{self._sealed(nonce)}"

    def _sealed(self, nonce: str) -> str:
        return hmac.new(self.secret.encode(), nonce.encode(), hashlib.sha256).hexdigest()[:32]

    def opens(self, key: str) -> bool:
        """Whether a key lets in: once."""
        nonce, _, seal = key.partition(".")
        if nonce in self._used or not hmac.compare_digest(self._sealed(nonce).encode(), seal.encode()):
            return False
        self._used.add(nonce)
        return True
