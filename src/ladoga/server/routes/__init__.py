"""What the server answers to, by what is asked about: pages, games, matches, maps, and the socket of a table."""
