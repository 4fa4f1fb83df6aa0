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


def open_store(where: str | Path) -> Store:
    """The store at an address, or in a file."""
    if is_address(where):
        from .postgres import PostgresStore

        return PostgresStore(str(where))
    from .sqlite import SQLiteStore

    return SQLiteStore(where)
