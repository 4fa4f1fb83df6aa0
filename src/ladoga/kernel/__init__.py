"""What every game stands on: maps, floods, tables, chance, orders, positions, records."""
