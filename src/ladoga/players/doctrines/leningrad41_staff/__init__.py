"""The staff of Leningrad '41: reading the city, volleys, marches."""
