"""What all rooms of a server share."""

from __future__ import annotations

from dataclasses import dataclass, field

from .hooks import Messenger
from .library import Library
from .metrics import Metrics
from .slices import Work
from .store import Store
from .thinking import Thinkers
from .workers import Pool


@dataclass
class House:
    """What all rooms of a server share."""

    store: Store
    library: Library
    thinkers: Thinkers
    readers: Pool
    metrics: Metrics = field(default_factory=Metrics)
    work: Work = field(default_factory=Work)
    delay: float = 0.0
    """Seconds by which those who only watch a game with secrets see it later."""
    messenger: Messenger | None = None
    """Tells people who are not at the table that it is their turn."""
    closing: bool = False
    """Whether the server is about to stop."""
