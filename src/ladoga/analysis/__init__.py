"""What positions and records tell: fights and their odds, threats. Takes positions, never a match of a server."""
