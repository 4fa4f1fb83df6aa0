"""How the general plays Tijvin 1941."""
