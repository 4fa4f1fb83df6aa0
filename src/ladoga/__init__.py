"""Ladoga plays the hex-and-counter wargames of the Leningrad campaign."""

from .kernel.chance import Chance, Dice
from .kernel.errors import BadData, BadDocument, BadOrder, BadRecord, Illegal, LadogaError, UnknownGame
from .kernel.game import Game, game_ids
from .kernel.game import load_game as load
from .kernel.orders import Order
from .kernel.position import Event, Explanation, Outcome, Phase, Position, Refusal, Trace, View
from .kernel.record import Record

__version__ = "0.3.0"

__all__ = [
    "BadData",
    "BadDocument",
    "BadOrder",
    "BadRecord",
    "Chance",
    "Dice",
    "Event",
    "Explanation",
    "Game",
    "Illegal",
    "LadogaError",
    "Order",
    "Outcome",
    "Phase",
    "Position",
    "Record",
    "Refusal",
    "Trace",
    "UnknownGame",
    "View",
    "game_ids",
    "load",
]
