"""Who a browser belongs to: tokens in cookies, devices, and keys that let a person in on another device."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from typing import NamedTuple

from .refused import Refused
from .store import Ledger, Store

WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{32}\Z")
KNOWN = 20_000
"""How many tokens are remembered."""
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""Letters and figures that nobody takes for one another."""
YEARS = 10 * 365 * 86_400.0
MINUTES = 15 * 60.0


class Known(NamedTuple):
    """Whose a token is."""

    person: int
    device: int


class People:
    """Everybody the server knows, by the token their browser shows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._forgotten = 0
        """How often somebody was forgotten: what was read before that is not remembered."""

    @staticmethod
    def fresh() -> str:
        """A token for somebody new. Nothing is kept of them until they do something."""
        return secrets.token_urlsafe(24)

    async def find(self, token: str) -> Known | None:
        """Whose a token is."""
        if not token:
            return None
        if token in self._known:
            self._known.move_to_end(token)
            return self._known[token]
        so_far = self._forgotten
        found = await self._store.read(Ledger.bearer, token)
        if found is None:
            return None
        known = Known(*found)
        if so_far == self._forgotten:
            self._remember(token, known)
        return known

    def _remember(self, token: str, known: Known) -> None:
        self._known[token] = known
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)

    async def welcome(self, token: str, label: str) -> int:
        """Whose a token is, entered now if it is new and one of ours."""
        known = await self.find(token)
        if known is not None:
            return known.person
        if not WELL_FORMED.match(token):
            raise Refused("stranger", "open the front page first")
        return await self._store.write(Ledger.welcome, token, label)

    def forget(self, person: int | None = None) -> None:
        """Some token, of a person or of anybody, may be good no more: look again."""
        self._forgotten += 1
        for token in [token for token, known in self._known.items() if person in (None, known.person)]:
            del self._known[token]

    # Other devices ------------------------------------------------------------------------------

    async def recovery_code(self, person: int) -> str:
        """A code to write down, which lets this person in on any device, once; an earlier one stops working."""
        code = "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(5))
        await self._store.write(Ledger.grant, person, "recovery", code, YEARS)
        return code

    async def device_key(self, person: int) -> str:
        """A key for a link to another device, good once and for a quarter of an hour."""
        key = secrets.token_urlsafe(18)
        await self._store.write(Ledger.grant, person, "device", key, MINUTES)
        return key

    async def admit(self, key: str, label: str) -> str | None:
        """The token for a browser that comes with a key; ``None`` if the key is no good."""
        token = self.fresh()
        key = key.strip()
        if await self._store.write(Ledger.admit, key, token, label) is not None:
            return token
        spelt = key.upper().replace(" ", "-")
        if spelt != key and await self._store.write(Ledger.admit, spelt, token, label) is not None:
            return token
        return None

    async def revoke(self, person: int, device: int) -> bool:
        """A device is this person's no more."""
        gone = await self._store.write(Ledger.revoke, person, device)
        self.forget(person)
        return gone
