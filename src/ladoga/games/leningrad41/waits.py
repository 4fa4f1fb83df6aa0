"""Which steps can be pending in a document: what each kind needs, and which of them play can wait for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from . import arrivals, fire, flips, marching
from .counters import GERMAN, SIDES
from .state import G_MOVE, S_MOVE, WAITING, State, Step

Need = tuple[Callable[[State, Step], object], str]
"""What must be so, and what is said where it is not; a hole stands for the word of the step."""


def _waits(pos: State, step: Step) -> bool:
    return step.piece >= 0 and pos.unit(step.piece).side == GERMAN and pos.where[step.piece] == WAITING


ON_MAP: Need = (lambda pos, step: step.piece >= 0 and pos.where[step.piece] >= 0, "needs a unit on the map")
HEX: Need = (lambda _, step: step.hex >= 0, "needs a hex")
FIRE: Need = (lambda pos, _: pos.attack is not None, "needs an attack")
MOVER: tuple[Need, ...] = (
    ON_MAP,
    (lambda pos, step: pos.unit(step.piece).side == pos.side, "needs a unit of the side that moves"),
    (lambda pos, _: pos.phase_number in (G_MOVE, S_MOVE), "belongs to a movement phase"),
)
OFFER: tuple[Need, ...] = (
    *MOVER,
    (lambda pos, step: step.words in ((), (SIDES[1 - pos.side],)),
     "needs the enemy as the owner of the hex before, or nobody (4.2)"),
)  # fmt: skip
ASSAULT: Need = (
    lambda pos, _: pos.attack is not None and pos.attack.assault and pos.attack.kind == "fire",
    "needs a close assault (10.15)",
)
DEMOLITION: Need = (lambda pos, step: pos.attack is not None and pos.attack.kind == step.words[0], "needs a {} attack")
LANDING: tuple[Need, ...] = ((_waits, "needs a waiting German unit (18.1)"), HEX)

STEPS: Mapping[str, tuple[Need, ...]] = {
    "walk": (
        (lambda pos, step: step.path and pos.moving is not None and pos.moving.piece == step.piece,
         "needs a moving unit and a path"),
        (lambda pos, step: all(pos.map.grid.adjacent(a, b) for a, b in pairwise((pos.where[step.piece], *step.path))),
         "the path is broken"),
    ),
    "reveal": (
        (lambda pos, step: step.piece in pos.roster.backs and pos.where[step.piece] >= 0,
         "needs a face-down unit on the map (6.6)"),
    ),
    "join": (
        (lambda pos, _: pos.attack is not None and pos.attack.kind == "defensive", "needs a defensive fire (9.2)"),
        ON_MAP,
    ),
    "offer": OFFER,
    "strike": (FIRE,),
    "aftermath": (FIRE,),
    "after-defensive": (
        (lambda pos, step: step.piece >= 0 and pos.attack is not None, "needs a unit that is fired at"),
    ),
    "shoot": (
        (lambda pos, step: [s.kind for s in pos.pending[pos.pending.index(step) + 1 :]][:1] == ["offer"],
         "needs an offer behind it (9.2)"),
    ),
    "lose": (ASSAULT, (lambda pos, _: pos.fire.fanatic, "needs a fanatical assault (17.3)")),
    "advance": (ASSAULT, (lambda pos, step: step.hex == pos.fire.target, "needs the hex that was assaulted (10.15)")),
    "repair": (
        (lambda pos, step: step.hex >= 0 and pos.overstacked(pos.side) >> step.hex & 1,
         "needs a hex with over-stacked units (6.4)"),
        (lambda pos, step: next(marching.repairs(pos, step.hex), None) is not None, "there is nothing to choose"),
    ),
    "draw": (
        (lambda pos, step: step.words[0] in ("LW", "LFR", "42", "56", *(
            f"dead-{name}" for name in (*pos.roster.divisions, "56"))), "nothing is drawn from {!r}"),
    ),
    "host": ((_waits, "needs a waiting German unit (7.6)"),),
}  # fmt: skip

DICE: Mapping[str, tuple[Need, ...]] = {
    "fire": (
        (lambda pos, _: pos.attack is not None and pos.attack.kind not in ("bridge", "structure") and pos.attack.units,
         "needs a fire at units"),
        (lambda pos, step: step.piece >= 0 and pos.where[step.piece] == pos.fire.target,
         "needs a unit in the target hex"),
    ),
    "bridge": (DEMOLITION,),
    "structure": (DEMOLITION,),
    "rubble": (FIRE,),
    "fleet": (
        (lambda pos, step: step.piece >= 0 and pos.unit(step.piece).type == "naval-bombardment",
         "needs the fleet (15.3)"),
    ),
    "metro": (*MOVER, HEX),
    "landing": LANDING,
    "drift": LANDING,
    "tie": (
        (lambda _, step: 0 <= step.number <= 6, "needs a face of the first die, or none yet (19.1)"),
        (lambda pos, _: len(arrivals.divisions_left(pos)) == 2, "needs two divisions that have not come (19.1)"),
    ),
}  # fmt: skip


def problem(pos: State, step: Step) -> str:
    """What a step lacks, wherever it stands in the queue; nothing if it is whole."""
    if step.kind == "die":
        needs = DICE.get(step.words[0], ())
    else:
        defensive = step.kind == "strike" and pos.attack is not None and pos.attack.kind == "defensive"
        needs = STEPS.get("offer" if defensive else step.kind, ())
    return next((told.format(*step.words) for fits, told in needs if not fits(pos, step)), "")


def first_problem(pos: State, step: Step) -> str:
    """Why play cannot be waiting for a step: there is nothing to choose or draw."""
    if step.kind == "draw" and (step.number < 1 or arrivals.left_in_pool(pos, step.words[0]) < 1):
        return "there is nothing to draw"
    if step.kind == "reveal":
        if pos.hidden(step.piece) >= 0:
            return "a unit that somebody knows is turned over at once (6.6)"
        return "" if flips.reveal_chance(pos, step).outcomes else "no unit is left that it could be (6.6)"
    if step.kind == "offer" and not fire.firers(pos, step):
        return "nobody is next to the unit to fire at it (9.2)"
    if step.kind in ("lose", "host"):
        choices = fire.price_orders(pos) if step.kind == "lose" else arrivals.host_orders(pos, step.piece)
        return "" if choices else "there is nothing to choose"
    return ""
