"""The laboratory: many games at once, tournaments, odds, reports."""

from .simulate import Match, Played, digest, play_match, simulate

__all__ = ["Match", "Played", "digest", "play_match", "simulate"]
