"""A tournament between players of the house and one of your own, in side-swapped pairs on the same dice.

python examples/ranking.py 3
"""

import sys
from pathlib import Path

from ladoga.lab import tournament

PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
HUSSAR = f"{Path(__file__).with_name('bot.py')}:Hussar"

standings = tournament("leningrad-1979", ["random", HUSSAR, "greedy"], pairs=PAIRS, seed=4)
for name, rating in sorted(standings.ratings.items(), key=lambda one: -one[1]):
    print(f"{rating:+7.0f}  {name.rpartition(':')[2]}")
for pairing in standings.pairings:
    low, high = pairing.interval
    first, second = (name.rpartition(":")[2] for name in (pairing.first, pairing.second))
    print(f"{first} over {second}: {pairing.wins:g} of {pairing.games} games ({low:.0%} to {high:.0%})")
