"""Units of Leningrad '41 that are no counters of the game."""

from __future__ import annotations

from typing import Any


def german(hex: str = "", **more: Any) -> dict[str, Any]:
    """An infantry battalion, (7)-1, of 3rd Motorized unless told otherwise."""
    base = {"side": "german", "command": "3M", "type": "infantry", "fire": 7, "range": 1, "traits": "assault"}
    return base | ({"hex": hex} if hex else {}) | more


def soviet(hex: str = "", **more: Any) -> dict[str, Any]:
    """A rifle regiment, (7)-1, of 42nd Army unless told otherwise."""
    base = {"side": "soviet", "command": "42", "type": "rifle", "fire": 7, "range": 1, "traits": "assault"}
    return base | ({"hex": hex} if hex else {}) | more
