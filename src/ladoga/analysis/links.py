"""Links that open a record at the table: the whole record travels in the part of the address that is never sent.

``ladoga play`` answers at one address of this machine; its front page takes the record out of the link and opens it.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import parse_qs, urlsplit

__all__ = ["PORT", "TABLE", "carried", "fragment", "table_link"]

PORT = 4107
"""The port that the table tries first."""
TABLE = f"http://127.0.0.1:{PORT}/"
"""Where ``ladoga play`` is usually found."""
LONGEST = 90_000
"""Letters of a link that every system still takes on a command line."""


def fragment(text: str, n: int | None = None) -> str:
    """A record as the last part of an address, and the event to look at first."""
    packed = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return (f"at={n}&" if n is not None else "") + f"record={packed}"


def table_link(text: str, n: int | None = None, table: str = TABLE) -> str:
    """A link that opens a record at the table, while ``ladoga play`` runs.

    >>> carried(table_link("ladoga-record 1", 7))
    ('ladoga-record 1', 7)
    """
    return f"{table}#{fragment(text, n)}"


def carried(link: str) -> tuple[str, int | None]:
    """The record in a link, and the event to look at."""
    told = parse_qs(urlsplit(link).fragment)
    packed = told["record"][0]
    text = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode()
    return text, int(told["at"][0]) if "at" in told else None
