"""What a server keeps: one interface, one SQLite file or one PostgreSQL database behind it."""

from __future__ import annotations

from pathlib import Path

from .engine import LIVES, Store
from .kept import Behind, Damaged, Device, Doubled, Gone, Happened, Kept, Line, Seat, Unwritable, hashed
from .ledger import Ledger

__all__ = [
    "LIVES", "Behind", "Damaged", "Device", "Doubled", "Gone", "Happened", "Kept", "Ledger", "Line", "Seat", "Store",
    "Unwritable", "hashed", "is_address", "open_store",
]  # fmt: skip


def is_address(where: str | Path) -> bool:
    """Whether this is a database's address, not a file."""
    return str(where).startswith(("postgresql://", "postgres://"))


def open_store(where: str | Path, wait: float = 0.0) -> Store:
    """The store at an address, or in a file; a database that is not there yet is waited for so many seconds."""
    if is_address(where):
        from .postgres import PostgresStore

        return PostgresStore(str(where), wait)
    from .sqlite import SQLiteStore

    return SQLiteStore(where)
