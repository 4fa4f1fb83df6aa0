"""Clocks: how long a side may still take. Everything follows from what is kept, so clocks survive a restart.

``minutes`` gives each side a time for the whole game, ``days`` a time for each player-turn. A clock runs for the side
to move from the moment it came to move; a computer has no clock.
"""

from __future__ import annotations

from typing import Any

KINDS = {"minutes": 60.0, "days": 86_400.0}
Clock = dict[str, Any]


def wound(kind: str, amount: float, sides: tuple[str, ...]) -> Clock | None:
    """A fresh clock; ``None`` without one."""
    if kind not in KINDS or amount <= 0:
        return None
    seconds = KINDS[kind] * amount
    return {"kind": kind, "each": seconds, "left": dict.fromkeys(sides, seconds), "side": "", "since": 0.0}


def _used(clock: Clock, now: float) -> float:
    """How long the clock has been running; nobody gains time because the machine's own was set back."""
    return float(max(0.0, now - clock["since"]))


def turned(clock: Clock | None, side: str | None, now: float, *, running: bool = True) -> Clock | None:
    """A clock after something happened: what was used is taken off, and it runs for the side that is to move."""
    if clock is None:
        return None
    left = dict(clock["left"])
    was = clock["side"]
    if was in left:
        left[was] = max(0.0, left[was] - _used(clock, now))
        if was != side and clock["kind"] == "days":
            left[was] = clock["each"]
    return {**clock, "left": left, "side": (side or "") if running else "", "since": now}


def fallen(clock: Clock | None, now: float) -> str:
    """The side whose time is up; nobody's if it is not."""
    if clock is None or clock["side"] not in clock["left"]:
        return ""
    return str(clock["side"]) if clock["left"][clock["side"]] - _used(clock, now) <= 0 else ""


def due(clock: Clock | None) -> float | None:
    """When the running clock will have run out."""
    if clock is None or clock["side"] not in clock["left"]:
        return None
    return float(clock["since"] + clock["left"][clock["side"]])


def shown(clock: Clock | None, now: float) -> Clock | None:
    """A clock as the browser gets it: seconds each side has left now, and for whom it runs."""
    if clock is None:
        return None
    left = dict(clock["left"])
    if clock["side"] in left:
        left[clock["side"]] = max(0.0, left[clock["side"]] - _used(clock, now))
    rounded = {side: round(seconds, 1) for side, seconds in left.items()}
    return {"kind": clock["kind"], "each": clock["each"], "left": rounded, "running": clock["side"]}


def words(clock: Clock) -> str:
    """What a clock gives, for people.

    >>> words(wound("days", 1, ("one",))), words(wound("minutes", 90, ("one",)))
    ('a day a turn', '90 minutes each')
    """
    amount = round(clock["each"] / KINDS[clock["kind"]])
    if clock["kind"] == "days":
        return "a day a turn" if amount == 1 else f"{amount} days a turn"
    return f"{amount} minutes each"
