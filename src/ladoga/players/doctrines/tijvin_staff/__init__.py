"""What the staff knows of Tijvin 1941: blows, ground, marches, command."""
