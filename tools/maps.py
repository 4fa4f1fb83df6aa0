"""Draws every board of every game in all colours into the package, so that nobody waits for a first map."""

from ladoga import game_ids, load
from ladoga.drawing import shores_of
from ladoga.server.pictures import ship

if __name__ == "__main__":
    for path in ship((load(game).map, shores_of(game)) for game in game_ids()):
        print(path.name)
