"""Doctrines of single games; see ``ladoga.players.doctrine``."""
