"""How a server says no."""

from __future__ import annotations


class Refused(Exception):
    """Something asked for that cannot be had; ``code`` is for programs, the message for people."""

    def __init__(self, code: str, message: str, case: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.case = case


class Busy(Refused):
    """Too much is asked for just now; in so many seconds it may be had."""

    def __init__(self, message: str, seconds: int = 2) -> None:
        super().__init__("busy", message)
        self.seconds = seconds
