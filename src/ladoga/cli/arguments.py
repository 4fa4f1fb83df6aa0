"""What each command takes."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import NoReturn

from .. import __version__
from . import commands


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """One line on standard error, and status 2."""
        self.exit(2, f"ladoga: {message}; see {self.prog} --help\n")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number, not {text!r}") from None


def _count(text: str) -> int:
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _port(text: str) -> int:
    value = _whole(text)
    if not 0 <= value <= 65535:
        raise argparse.ArgumentTypeError("a port is 0 to 65535")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of seconds, not {text!r}") from None
    if not 0 < value < inf:
        raise argparse.ArgumentTypeError("must be more than 0 seconds")
    return value


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(prog="ladoga", description="The hex-and-counter wargames of the Leningrad campaign.")
    top.add_argument("--version", action="version", version=f"ladoga {__version__}")
    add = top.add_subparsers(title="commands", metavar="COMMAND", required=True).add_parser

    command = add("play", help="play, in the browser or in the terminal")
    command.set_defaults(run=commands.play)
    command.add_argument("game", nargs="?", metavar="GAME")
    command.add_argument("--terminal", action="store_true", help="play here, with typed orders")
    command.add_argument("--scenario", metavar="NAME")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="set an option")
    command.add_argument("--german", metavar="PLAYER", help="human (if not given), random, greedy, staff or general")
    command.add_argument("--soviet", metavar="PLAYER", help="staff if not given")
    command.add_argument("--think", type=_seconds, metavar="SECONDS", help="time the general takes to think")
    command.add_argument("--record", type=Path, metavar="FILE", help="continue or keep this record (terminal)")
    command.add_argument("--data", type=Path, metavar="DIR", help="your corrections to the game's data")
    command.add_argument("--db", type=Path, metavar="FILE", help="where games are kept (browser)")
    command.add_argument("--port", type=_port, default=0, help="port on this machine; a free one if not given")
    command.add_argument("--no-browser", action="store_true", help="do not open a browser window")

    command = add("serve", help="serve several people")
    command.set_defaults(run=commands.serve)
    command.add_argument("--host", default="127.0.0.1")
    command.add_argument("--port", type=_port, default=8000)
    command.add_argument("--db", type=Path, default=Path("ladoga.db"), metavar="FILE")
    command.add_argument("--data", type=Path, metavar="DIR")
    command.add_argument("--editor", action="store_true", help="guests may correct maps for their own matches")

    command = add("games", help="the games there are, or the words of one")
    command.set_defaults(run=commands.games)
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("--json", action="store_true")

    command = add("simulate", help="play many games between computer players")
    command.set_defaults(run=commands.simulate)
    command.add_argument("game", metavar="GAME")
    command.add_argument("--games", type=_count, default=100, metavar="N")
    command.add_argument("--german", default="random", metavar="PLAYER")
    command.add_argument("--soviet", default="random", metavar="PLAYER")
    command.add_argument("--seed", type=_whole, default=0, metavar="S")
    command.add_argument("--workers", type=_count, default=1, metavar="W")
    command.add_argument("--scenario", metavar="NAME")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    command.add_argument("--think", type=_seconds, metavar="SECONDS")
    command.add_argument("--json", metavar="FILE", help="results as JSON; - for standard output")
    command.add_argument("--plot", type=Path, metavar="FILE", help="an HTML report with plots")
    command.add_argument("--records", type=Path, metavar="DIR", help="keep every game's record")
    command.add_argument("--csv", type=Path, metavar="FILE", help="outcomes as CSV")
    command.add_argument("--parquet", type=Path, metavar="FILE", help="outcomes as Parquet (needs ladoga[parquet])")
    command.add_argument(
        "--ask", action="append", default=[], metavar="QUESTION",
        help="how often? such as '2604 german turn 12', 'margin > 0 turn 6', 'units soviet < 20', 'winner german'",
    )  # fmt: skip
    command.add_argument("--resume", type=Path, metavar="FILE", help="keep results here, and go on from them")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("tournament", help="rank computer players")
    command.set_defaults(run=commands.tournament)
    command.add_argument("game", metavar="GAME")
    command.add_argument("--players", required=True, metavar="A,B,C")
    command.add_argument("--games", type=_count, default=20, metavar="PAIRS", help="side-swapped pairs of games")
    command.add_argument("--seed", type=_whole, default=0)
    command.add_argument("--workers", type=_count, default=1)
    command.add_argument("--scenario", metavar="NAME")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    command.add_argument("--think", type=_seconds, metavar="SECONDS")
    command.add_argument("--json", metavar="FILE")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("position", help="load a position, list or play orders")
    command.set_defaults(run=commands.position)
    command.add_argument("game", metavar="GAME")
    command.add_argument("file", metavar="FILE", help="position document; - for standard input")
    command.add_argument("--legal", action="store_true", help="list the legal orders")
    command.add_argument(
        "--play", action="extend", nargs="+", default=[], metavar="ORDER", help="play orders, one after another"
    )
    command.add_argument(
        "--dice", action="append", default=[], metavar="3,5",
        help="results of the next chance events, instead of those of the document",
    )  # fmt: skip
    command.add_argument("--side", metavar="SIDE", help="whose view is shown; by default of the side to move")
    command.add_argument("--save", type=Path, metavar="FILE", help="write the resulting position")
    command.add_argument("--json", action="store_true")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("odds", help="exact odds of an attack")
    command.set_defaults(run=commands.odds)
    command.add_argument("game", metavar="GAME")
    command.add_argument("file", metavar="FILE")
    command.add_argument("order", metavar="ORDER")
    command.add_argument("--json", action="store_true")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("replay", help="read a record as a log")
    command.set_defaults(run=commands.replay)
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--at", type=_whole, metavar="N", help="the position after event N, as a document")
    command.add_argument("--json", action="store_true")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("check", help="verify a record: every order, the dice, the end")
    command.set_defaults(run=commands.check)
    command.add_argument("file", type=Path, nargs="+", metavar="FILE")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("map", help="draw a game's map")
    command.set_defaults(run=commands.draw_map)
    command.add_argument("game", metavar="GAME")
    command.add_argument("--svg", type=Path, required=True, metavar="FILE", help="- for standard output")
    command.add_argument("--palette", choices=("classic", "dark", "distinct"), default="classic")
    command.add_argument("--board", metavar="NAME", help="one board of a game with several")
    command.add_argument("--plain", action="store_true", help="the map alone, without frame and key")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("print", help="sheets to print and play")
    command.set_defaults(run=commands.print_game)
    command.add_argument("game", metavar="GAME")
    command.add_argument("--out", type=Path, default=Path("print"), metavar="DIR")
    command.add_argument("--paper", choices=("A2", "A3", "A4"), default="A3")
    command.add_argument("--data", type=Path, metavar="DIR")

    command = add("rules", help="the cases of a game's rules")
    command.set_defaults(run=commands.rules)
    command.add_argument("game", metavar="GAME")
    command.add_argument("case", nargs="?", metavar="CASE", help="a case, or a chapter such as 6")
    command.add_argument("--coverage", action="store_true", help="which cases the tests hold")
    command.add_argument("--tests", type=Path, metavar="DIR", help="the tests, if not beside the source")
    command.add_argument("--json", action="store_true")

    command = add("bench", help="measure speed against python-chess")
    command.set_defaults(run=commands.bench)
    command.add_argument("--json", action="store_true")
    command.add_argument("--game", action="append", default=[], metavar="GAME")
    command.add_argument("--seconds", type=_seconds, default=3.0, help="CPU time for each measurement")
    return top
