"""Which steps can be pending in a document: what each kind needs, and which of them play can wait for."""

from __future__ import annotations

from collections.abc import Callable

from . import arrivals, fire, flips, marching
from .counters import GERMAN, SIDES
from .state import G_MOVE, S_MOVE, WAITING, State, Step


def problem(pos: State, step: Step) -> str:
    """What a step lacks, wherever it stands in the queue; nothing if it is whole."""
    if step.kind == "die":
        return _DICE[step.words[0]](pos, step) if step.words[0] in _DICE else ""
    return _STEPS[step.kind](pos, step) if step.kind in _STEPS else ""


def first_problem(pos: State, step: Step) -> str:
    """Why play cannot be waiting for a step: there is nothing to choose or draw."""
    if step.kind == "draw" and (step.number < 1 or arrivals.left_in_pool(pos, step.words[0]) < 1):
        return "there is nothing to draw"
    if step.kind == "reveal":
        if pos.behind[step.piece - pos.roster.backs.start] >= 0:
            return "a unit that somebody knows is turned over at once (6.6)"
        return "" if flips.reveal_chance(pos, step).outcomes else "no unit is left that it could be (6.6)"
    if step.kind == "offer" and not fire.firers(pos, step):
        return "nobody is next to the unit to fire at it (9.2)"
    if step.kind in ("lose", "host"):
        choices = fire.price_orders(pos) if step.kind == "lose" else arrivals.host_orders(pos, step.piece)
        return "" if choices else "there is nothing to choose"
    return ""


def _on_map(pos: State, step: Step) -> str:
    if step.piece < 0 or pos.where[step.piece] < 0:
        return "needs a unit on the map"
    return ""


def _mover(pos: State, step: Step) -> str:
    wrong = _on_map(pos, step)
    if not wrong and pos.unit(step.piece).side != pos.side:
        return "needs a unit of the side that moves"
    if wrong or pos.phase_number in (G_MOVE, S_MOVE):
        return wrong
    return "belongs to a movement phase"


def _offer(pos: State, step: Step) -> str:
    wrong = _mover(pos, step)
    if not wrong and step.words not in ((), (SIDES[1 - pos.side],)):
        return "needs the enemy as the owner of the hex before, or nobody (4.2)"
    return wrong


def _join(pos: State, step: Step) -> str:
    if pos.attack is None or pos.attack.kind != "defensive":
        return "needs a defensive fire (9.2)"
    return _on_map(pos, step)


def _walk(pos: State, step: Step) -> str:
    if not step.path or pos.moving is None or pos.moving.piece != step.piece:
        return "needs a moving unit and a path"
    here = pos.where[step.piece]
    for there in step.path:
        if not pos.map.grid.adjacent(here, there):
            return "the path is broken"
        here = there
    return ""


def _reveal(pos: State, step: Step) -> str:
    if step.piece not in pos.roster.backs or pos.where[step.piece] < 0:
        return "needs a face-down unit on the map (6.6)"
    return ""


def _attack(pos: State, step: Step) -> str:
    return "" if pos.attack is not None else "needs an attack"


def _assault(pos: State, step: Step) -> str:
    if pos.attack is None or not pos.attack.assault or pos.attack.kind != "fire":
        return "needs a close assault (10.15)"
    if step.kind == "lose" and not pos.attack.fanatic:
        return "needs a fanatical assault (17.3)"
    if step.kind == "advance" and step.hex != pos.attack.target:
        return "needs the hex that was assaulted (10.15)"
    return ""


def _strike(pos: State, step: Step) -> str:
    if pos.attack is not None and pos.attack.kind == "defensive":
        return _offer(pos, step)
    return _attack(pos, step)


def _fire_die(pos: State, step: Step) -> str:
    attack = pos.attack
    if attack is None or attack.kind in ("bridge", "structure") or not attack.units:
        return "needs a fire at units"
    if step.piece < 0 or pos.where[step.piece] != attack.target:
        return "needs a unit in the target hex"
    return ""


def _demolition(pos: State, step: Step) -> str:
    return "" if pos.attack is not None and pos.attack.kind == step.words[0] else f"needs a {step.words[0]} attack"


def _fleet(pos: State, step: Step) -> str:
    return "" if step.piece >= 0 and pos.unit(step.piece).type == "naval-bombardment" else "needs the fleet (15.3)"


def _metro(pos: State, step: Step) -> str:
    return _mover(pos, step) or ("" if step.hex >= 0 else "needs a hex")


def _landing(pos: State, step: Step) -> str:
    if step.piece < 0 or pos.unit(step.piece).side != GERMAN or pos.where[step.piece] != WAITING:
        return "needs a waiting German unit (18.1)"
    return "" if step.hex >= 0 else "needs a hex"


def _tie(pos: State, step: Step) -> str:
    if not 0 <= step.number <= 6:
        return "needs a face of the first die, or none yet (19.1)"
    return "" if len(arrivals.divisions_left(pos)) == 2 else "needs two divisions that have not come (19.1)"


def _draw(pos: State, step: Step) -> str:
    german = (*pos.roster.divisions, "56")
    if step.words[0] in ("LW", "56", "LFR", "42", *(f"dead-{name}" for name in german)):
        return ""
    return f"nothing is drawn from {step.words[0]!r}"


def _host(pos: State, step: Step) -> str:
    if step.piece < 0 or pos.unit(step.piece).side != GERMAN or pos.where[step.piece] != WAITING:
        return "needs a waiting German unit (7.6)"
    return ""


def _shoot(pos: State, step: Step) -> str:
    at = pos.pending.index(step)
    rest = pos.pending[at + 1 :]
    return "" if rest and rest[0].kind == "offer" else "needs an offer behind it (9.2)"


def _repair(pos: State, step: Step) -> str:
    if step.hex < 0 or not pos.overstacked(pos.side) >> step.hex & 1:
        return "needs a hex with over-stacked units (6.4)"
    return "" if next(marching.repairs(pos, step.hex), None) is not None else "there is nothing to choose"


def _struck(pos: State, step: Step) -> str:
    return "" if step.piece >= 0 and pos.attack is not None else "needs a unit that is fired at"


Problem = Callable[[State, Step], str]

_STEPS: dict[str, Problem] = {
    "walk": _walk,
    "reveal": _reveal,
    "join": _join,
    "offer": _offer,
    "strike": _strike,
    "aftermath": _attack,
    "after-defensive": _struck,
    "shoot": _shoot,
    "lose": _assault,
    "advance": _assault,
    "repair": _repair,
    "draw": _draw,
    "host": _host,
}

_DICE: dict[str, Problem] = {
    "fire": _fire_die,
    "bridge": _demolition,
    "structure": _demolition,
    "rubble": _attack,
    "fleet": _fleet,
    "metro": _metro,
    "landing": _landing,
    "drift": _landing,
    "tie": _tie,
}
