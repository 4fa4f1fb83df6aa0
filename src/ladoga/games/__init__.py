"""The games, one family a folder; each has ``GAMES``, its ids and their loaders."""
