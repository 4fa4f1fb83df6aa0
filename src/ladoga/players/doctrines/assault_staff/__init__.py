"""What the staff knows of the two Assaults: supply by corps, odds by class, the fight for the city."""
