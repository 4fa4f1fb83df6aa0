"""What each command takes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_network
from math import inf
from pathlib import Path
from typing import NoReturn

from .. import __version__
from . import commands

STORE = "LADOGA_STORE"
"""What says in the environment where games are kept: what stands among the words of a command, everybody can read."""


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


def _network(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise argparse.ArgumentTypeError(f"an address or a network, not {text!r}") from None


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon:
        raise argparse.ArgumentTypeError("an address is HOST:PORT, such as 127.0.0.1:9100")
    return host.strip("[]") or "127.0.0.1", _port(port)


def _seconds(text: str) -> float:
    return _positive(text, "a number of seconds", "0 seconds")


def _positive(text: str, what: str = "a number", least: str = "0") -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{what}, not {text!r}") from None
    if not 0 < value < inf:
        raise argparse.ArgumentTypeError(f"must be more than {least}")
    return value


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(prog="ladoga", description="The hex-and-counter wargames of the Leningrad campaign.")
    top.add_argument("--version", action="version", version=f"ladoga {__version__}")
    every = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], int], told: str) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = every.add_parser(name, help=told)
        command.set_defaults(run=run)
        return command

    for chapter in (
        _playing, _serving, _keeping, _knowing, _positions, _records, _pictures, _simulating, _comparing, _judging,
        _measuring,
    ):  # fmt: skip
        chapter(add)
    return top


def read(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """A command line read. Sides are the game's own words, so ``--german staff`` is read last: ``seats`` holds who
    was named for which side, and the command holds the sides against its game.

    >>> read(["simulate", "leningrad-1979", "--german", "staff"]).seats
    {'german': 'staff'}
    """
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    named: dict[str, str] = {}
    words = [part for word in rest for part in (word.split("=", 1) if word.startswith("--") else [word])]
    while "seats" in arguments and len(words) > 1 and words[0].startswith("--"):
        named[words[0][2:]] = words[1]
        words = words[2:]
    if words:
        given = sys.argv[1:] if argv is None else argv
        Parser(prog=f"ladoga {given[0]}").error(f"unrecognized arguments: {' '.join(words)}")
    arguments.seats = named
    return arguments


Add = Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]
"""What adds a command: its name, what runs it, and what it is for."""


# What several commands take -------------------------------------------------------------------------


def _game(command: argparse.ArgumentParser, needed: bool = True) -> None:
    told = "its id, such as leningrad-1979; ladoga games lists them"
    command.add_argument("game", metavar="GAME", nargs=None if needed else "?", help=told)


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar="DIR", help="your corrections to the game's data")


def _set_up(command: argparse.ArgumentParser) -> None:
    command.add_argument("--scenario", metavar="NAME", help="the first one if not given")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="set an option")


def _sides(command: argparse.ArgumentParser, usual: str) -> None:
    command.set_defaults(seats={})
    command.epilog = (
        f"--SIDE PLAYER says who plays a side of the game, such as --german staff; if not said: {usual}. "
        "Players: random, greedy, staff, general; the levels of the front page, recruit and officer; the sparring "
        "partners raider, rusher and hedgehog; or one of your own as file.py:Class."
    )


def _think(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--think",
        type=_seconds,
        metavar="SECONDS",
        help="time a player-turn for those who search, such as the general; a fixed amount of work if not given",
    )


def _cores(command: argparse.ArgumentParser, usual: str) -> None:
    command.add_argument(
        "--cores", type=_count, metavar="N", help=f"cores that a player who is given a time may think on; {usual}"
    )


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="as JSON, for programs")


def _json_file(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", metavar="FILE", help="results as JSON; - for standard output")


def _repeated(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_whole, default=0, metavar="S", help="another seed, other dice; 0 if not given")
    command.add_argument("--workers", type=_count, default=1, metavar="W", help="processes that share the work")


def _experiment(command: argparse.ArgumentParser) -> None:
    """What everything takes that plays many games."""
    _repeated(command)
    _set_up(command)
    _think(command)
    _json_file(command)


# The commands, in the order of ``commands`` -----------------------------------------------------------


def _playing(add: Add) -> None:
    command = add("play", commands.play, "play, in the browser or in the terminal")
    _game(command, needed=False)
    command.add_argument("--terminal", action="store_true", help="play here, with typed orders")
    _set_up(command)
    _sides(command, "human for the first side and staff for the other")
    _think(command)
    _cores(command, "all of them if not given")
    command.add_argument(
        "--record", type=Path, metavar="FILE",
        help="look at this record and play on from it; in the terminal, continue or keep it",
    )  # fmt: skip
    _data(command)
    command.add_argument("--db", type=Path, metavar="FILE", help="where games are kept (browser)")
    command.add_argument("--port", type=_port, default=0, help="port on this machine; a free one if not given")
    command.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def _serving(add: Add) -> None:
    command = add("serve", commands.serve, "serve several people")
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at; this machine only if not given")
    command.add_argument("--port", type=_port, default=8000, help="8000 if not given")
    command.add_argument(
        "--store", "--db", default=os.environ.get(STORE) or "ladoga.db", metavar="WHERE",
        help=f"where games are kept: a file, or postgresql://... which several servers may share; {STORE} if not given",
    )  # fmt: skip
    command.add_argument(
        "--trusted-proxy", action="append", default=[], metavar="ADDRESS", type=_network,
        help="a proxy whose word is taken about where visitors come from, such as 127.0.0.1; may be repeated",
    )  # fmt: skip
    command.add_argument("--secure", action="store_true", help="visitors come over TLS: cookies and pages say so")
    command.add_argument("--metrics", type=_address, metavar="HOST:PORT", help="where Prometheus reads figures")
    command.add_argument("--json-logs", action="store_true", help="logs as JSON lines")
    command.add_argument("--thinkers", type=_count, default=0, metavar="N", help="processes for computer players")
    _cores(command, "one if not given, so that each thinks beside the others")
    command.add_argument(
        "--spectator-delay", type=float, default=0.0, metavar="SECONDS",
        help="those who only watch a game with secrets see it so much later",
    )  # fmt: skip
    command.add_argument(
        "--host-name", action="append", default=[], metavar="NAME",
        help="a name the server is known under, such as games.example.org; may be repeated",
    )  # fmt: skip
    command.add_argument(
        "--webhook", default="", metavar="URL",
        help="every turn that waits for somebody who is away is told there, signed with LADOGA_WEBHOOK_SECRET",
    )  # fmt: skip
    command.add_argument(
        "--webhooks-inside", action="store_true",
        help="people may be told of their turn at addresses in this server's own network too",
    )  # fmt: skip
    _data(command)
    command.add_argument("--editor", action="store_true", help="guests may correct maps for their own matches")
    command.add_argument(
        "--wait", type=float, default=60.0, metavar="SECONDS",
        help="how long to wait at the start for a database that is not there yet",
    )  # fmt: skip


def _keeping(add: Add) -> None:
    command = add("store", commands.store, "copy, check, back up or restore what a server keeps")
    deed = command.add_subparsers(title="deeds", metavar="DEED", required=True, dest="deed").add_parser
    one = deed("copy", help="into an empty store: from a file to PostgreSQL, or back")
    one.add_argument("source", metavar="FROM", help="a file, or postgresql://...")
    one.add_argument("target", metavar="TO", help="a file, or postgresql://...")
    kept = f"a file, or postgresql://...; {STORE}, ladoga.db here, or else your own matches, if not given"
    for name, words in (
        ("check", "read everything and replay every match"),
        ("backup", "everything as it is now in a file, while the server runs"),
        ("restore", "a backup into an empty store"),
    ):
        one = deed(name, help=words)
        if name != "check":
            one.add_argument("file", type=Path, metavar="FILE", help="the backup")
        one.add_argument("--store", "--db", default=os.environ.get(STORE) or None, metavar="WHERE", help=kept)


def _knowing(add: Add) -> None:
    command = add("games", commands.games, "the games there are, or the words of one")
    _game(command, needed=False)
    _json(command)

    command = add("rules", commands.rules, "the cases of a game's rules")
    _game(command)
    command.add_argument("case", nargs="?", metavar="CASE", help="a case, or a chapter such as 6")
    command.add_argument("--coverage", action="store_true", help="which cases the tests hold")
    command.add_argument("--tests", type=Path, metavar="DIR", help="the tests, if not beside the source")
    _json(command)


def _positions(add: Add) -> None:
    command = add("position", commands.position, "load a position, list or play orders")
    _game(command)
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
    _json(command)
    _data(command)

    command = add("odds", commands.odds, "exact odds of an attack")
    _game(command)
    command.add_argument("file", metavar="FILE", help="position document; - for standard input")
    command.add_argument("order", metavar="ORDER", help="the attack, such as 'attack 1/41 0403'")
    _json(command)
    _data(command)


def _records(add: Add) -> None:
    command = add("replay", commands.replay, "read a record as a log")
    command.add_argument("file", type=Path, metavar="FILE", help="the record")
    command.add_argument("--at", type=_whole, metavar="N", help="the position after event N, as a document")
    _json(command)
    _data(command)

    command = add("debrief", commands.debrief, "how a recorded game went: the curve, turning points, luck, losses")
    command.add_argument("file", type=Path, metavar="RECORD", help="the record")
    command.add_argument("--html", type=Path, metavar="FILE", help="a page that needs nothing else")
    command.add_argument("--picture", type=Path, metavar="FILE", help="a picture to share, as SVG")
    command.add_argument("--text", action="store_true", help="for forums, on standard output; usual without --html")
    command.add_argument("--think", type=_seconds, default=15.0, metavar="SECONDS", help="time for the judgement")
    _data(command)

    command = add("export", commands.export, "records as tables that anybody can query")
    command.add_argument("file", type=Path, nargs="+", metavar="FILE", help="records, or folders of records")
    command.add_argument("--to", type=Path, required=True, metavar="DIR", help="the folder for the tables")
    command.add_argument("--format", choices=("parquet", "jsonl"), default="parquet", help="parquet if not given")

    command = add("check", commands.check, "verify a record: every order, the dice, the end")
    command.add_argument("file", type=Path, nargs="+", metavar="FILE", help="the records")
    _data(command)


def _pictures(add: Add) -> None:
    command = add("map", commands.draw_map, "draw a game's map")
    _game(command)
    command.add_argument("--svg", type=Path, required=True, metavar="FILE", help="- for standard output")
    command.add_argument("--palette", choices=("classic", "dark", "distinct"), default="classic")
    command.add_argument("--board", metavar="NAME", help="one board of a game with several")
    command.add_argument("--plain", action="store_true", help="the map alone, without frame and key")
    _data(command)

    command = add("print", commands.print_game, "sheets to print and play")
    _game(command)
    command.add_argument("--out", type=Path, default=Path("print"), metavar="DIR", help="the folder for them")
    command.add_argument("--paper", choices=("A2", "A3", "A4"), default="A3")
    _data(command)


def _asking(command: argparse.ArgumentParser, metavar: str, ask: str, least: str = "") -> None:
    """What is asked about the games, and for differences how large one must be to matter."""
    command.add_argument("--ask", action="append", default=[], metavar=metavar, help=ask)
    if least:
        command.add_argument("--least", type=_positive, default=None, metavar="D", help=least)


def _simulating(add: Add) -> None:
    command = add("simulate", commands.simulate, "play many games between computer players")
    _game(command)
    command.add_argument("--games", type=_count, default=100, metavar="N", help="how many; 100 if not given")
    _sides(command, "random")
    _experiment(command)
    command.add_argument("--plot", type=Path, metavar="FILE", help="an HTML report with plots")
    command.add_argument("--records", type=Path, metavar="DIR", help="keep every game's record")
    command.add_argument("--csv", type=Path, metavar="FILE", help="outcomes as CSV")
    command.add_argument("--parquet", type=Path, metavar="FILE", help="outcomes as Parquet (needs ladoga[parquet])")
    _asking(
        command, "QUESTION",
        "how often? such as '2604 german turn 12', 'margin > 0 turn 6', 'units soviet < 20', 'winner german'",
    )  # fmt: skip
    command.add_argument("--resume", type=Path, metavar="FILE", help="keep results here, and go on from them")
    command.add_argument(
        "--cluster", default="", metavar="ADDRESS",
        help="share the work among the workers of a Dask scheduler, as tcp://10.0.0.1:8786 (needs ladoga[cluster])",
    )  # fmt: skip
    command.add_argument("--audit", action="store_true", help="count what each side left undone or did badly")
    _data(command)


def _comparing(add: Add) -> None:
    command = add("compare", commands.compare, "what a change does: two versions of a game on the same dice")
    _game(command)
    command.add_argument(
        "--against", action="append", required=True, metavar="CHANGE",
        help="what is different in the other version: a folder of corrections (none: as shipped), SIDE=PLAYER, "
        "scenario=NAME, OPTION=VALUE; may be repeated",
    )  # fmt: skip
    command.add_argument("--games", type=_count, default=400, metavar="PAIRS", help="pairs of games at the most; 400")
    _sides(command, "staff")
    _asking(
        command, "FIGURE",
        "margin, 'margin turn 6', 'units soviet turn 8', turns, orders, or a question of simulate; "
        "if none is given margin and who wins",
        least="the least difference that matters: stop too when the true one is surely smaller",
    )  # fmt: skip
    _experiment(command)
    _data(command)


def _judging(add: Add) -> None:
    command = add(
        "sensitivity", commands.sensitivity, "which judged figures matter: each at both ends of what is plausible"
    )
    _game(command)
    command.add_argument("--games", type=_count, default=40, metavar="PAIRS", help="pairs for each end at the most; 40")
    _sides(command, "staff")
    _asking(
        command, "FIGURE",
        "as in compare; the first one says when an end is decided; if none is given margin and who wins",
        least="the least difference that matters: an end that surely does less is not played on",
    )  # fmt: skip
    command.add_argument(
        "--together", action="store_true", help="all figures at once, in mirrored pairs: a tenth of the games"
    )
    command.add_argument("--only", action="append", default=[], metavar="NAME", help="only this range; may be repeated")
    command.add_argument("--ranges", type=Path, metavar="FILE", help="ranges of your own, instead of the game's")
    command.add_argument("--keep", type=Path, metavar="DIR", help="keep every game here, and go on from them")
    command.add_argument("--plot", type=Path, metavar="FILE", help="an HTML report with the tornado")
    _experiment(command)


def _measuring(add: Add) -> None:
    command = add("tournament", commands.tournament, "rank computer players")
    _game(command)
    command.add_argument("--players", required=True, metavar="A,B,C", help="two or more different ones")
    command.add_argument("--games", type=_count, default=20, metavar="PAIRS", help="side-swapped pairs of games")
    _experiment(command)
    _data(command)

    command = add("problems", commands.problems, "let a computer player try the book of problems")
    _game(command, needed=False)
    command.add_argument("--player", default="general", metavar="PLAYER", help="general if not given")
    _think(command)
    _cores(command, "one if not given")
    command.add_argument("--dice", type=_count, metavar="N", help="on so many dice; as each problem says if not given")
    _json(command)

    command = add("bench", commands.bench, "measure speed against python-chess")
    _json(command)
    command.add_argument("--game", action="append", default=[], metavar="GAME", help="only this one; may be repeated")
    command.add_argument("--seconds", type=_seconds, default=3.0, help="CPU time for each measurement")
