"""The sequence of play (section 6): every step of the turn, and how one leads to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...kernel.position import Phase
from . import administration, aftermath, combat, deployment, movement, operations, sinyavino, supply
from .book import SIDES
from .steps import Roll, Step, pass_by

if TYPE_CHECKING:
    from .position import TijvinPosition

STEPS: dict[str, Step] = {
    "set-up": deployment.STEP,
    "set-up-2": deployment.STEP,
    "hq-return": administration.RETURN,
    "reinforcement": administration.REINFORCEMENT,
    "replacement": administration.REPLACEMENT,
    "assignment": administration.ASSIGNMENT,
    "activation": operations.ACTIVATION,
    "movement": movement.STEP,
    "combat": combat.COMBAT,
    "compose": combat.COMPOSE,
    "support": combat.SUPPORT,
    "rating": combat.RATING,
    "losses": combat.LOSSES,
    "stand": aftermath.STANDING,
    "retreat": aftermath.RETREAT,
    "penalty": aftermath.PENALTY,
    "advance": aftermath.ADVANCE,
    "exploitation": combat.EXPLOITATION,
    "hq-movement": operations.HQ_MOVEMENT,
    "hq-moved": operations.HQ_MOVED,
}
"""Steps in which a side decides."""

CHANCES: dict[str, Roll] = {
    "weather": administration.WEATHER,
    "replacement-roll": administration.REPLACEMENT_ROLL,
    "command-roll": combat.COMMAND_ROLL,
    "attack-die": combat.ATTACK_DIE,
    "defence-die": combat.DEFENCE_DIE,
    "casualty-die": combat.CASUALTY_DIE,
    "stand-die": aftermath.STAND_DIE,
}
"""Steps in which a die decides."""


def begin_movement(p: TijvinPosition) -> None:
    """The movement segment (6.2.1); it goes by if no activated unit may move. Under fog it never does, for whom a
    headquarters activates is hidden (17.1)."""
    p.mover = p.side
    if p.active & ~sinyavino.bound(p) or p.fog:
        p.stage = "movement"
    else:
        pass_by(p, "movement", "combat-begins")


def end_turn(p: TijvinPosition) -> None:
    """The next turn, or the end of the game (6.2.4)."""
    if p.turn >= p.game.scenarios[p.scenario].turns:
        p.active, p.active_hq, p.battle = 0, -1, None
        p.stage = "over"
        p.note("over", "14", "The game is over")
        return
    p.turn += 1
    p.stage = "begin-turn"


AUTOMATIC: dict[str, Callable[[TijvinPosition], None]] = {
    "begin-turn": administration.begin_turn,
    "returns": administration.returns,
    "supply": supply.check,
    "reinforcements-of-first": lambda p: administration.reinforcements_of(p, administration.in_turn(p)[0]),
    "reinforcements-of-second": lambda p: administration.reinforcements_of(p, administration.in_turn(p)[1]),
    "replacements-of-first": lambda p: administration.replacements_of(p, administration.in_turn(p)[0]),
    "replacements-of-second": lambda p: administration.replacements_of(p, administration.in_turn(p)[1]),
    "deliveries": administration.deliveries,
    "assignments-of-first": lambda p: administration.assignments_of(p, administration.in_turn(p)[0]),
    "assignments-of-second": lambda p: administration.assignments_of(p, administration.in_turn(p)[1]),
    "command": administration.settle_command,
    "operations": operations.begin,
    "activations": operations.next_activation,
    "movements": begin_movement,
    "combat-begins": combat.enter,
    "combats": combat.begin,
    "supports": combat.begin_support,
    "ratings": combat.settle_ratings,
    "casualties": combat.take_casualties,
    "after-casualties": aftermath.after_casualties,
    "retreats": aftermath.begin_retreat,
    "retreat-goes-on": aftermath.retreat_goes_on,
    "penalties": aftermath.take_penalties,
    "advances": aftermath.begin_advance,
    "exploitations": aftermath.begin_exploitation,
    "hq-movements": operations.begin_hq_movement,
    "activation-ends": operations.end_activation,
    "end-of-turn": end_turn,
}
"""What happens between decisions without anybody deciding."""


def settle(p: TijvinPosition) -> None:
    """Go on until somebody has to decide or roll."""
    while p.stage in AUTOMATIC:
        AUTOMATIC[p.stage](p)


_PHASES: dict[str, tuple[str, str, str]] = {
    "set-up": ("set-up", "15.1", "Set-up"),
    "set-up-2": ("set-up-2", "15.2", "Second set-up"),
    "hq-return": ("hq-return", "11.H", "Return of headquarters"),
    "weather": ("weather", "7.W", "Weather"),
    "reinforcement": ("reinforcement", "8.R", "Reinforcements"),
    "replacement-roll": ("replacement", "8.P", "Replacements"),
    "replacement": ("replacement", "8.P", "Replacements"),
    "assignment": ("assignment", "9", "Assignment to headquarters"),
    "activation": ("activation", "11.A", "Activation"),
    "movement": ("movement", "12", "Movement"),
    "combat": ("combat", "13", "Combat"),
    "compose": ("combat", "13.I", "Combat"),
    "command-roll": ("combat", "11.O", "Combat"),
    "support": ("combat", "13.IIe", "Combat"),
    "rating": ("combat", "13.IId", "Combat"),
    "attack-die": ("combat", "13.III", "Combat"),
    "defence-die": ("combat", "13.III", "Combat"),
    "casualty-die": ("combat", "13.IV", "Combat"),
    "losses": ("combat", "13.IV", "Combat"),
    "stand": ("combat", "13.V", "Combat"),
    "stand-die": ("combat", "13.V", "Combat"),
    "retreat": ("combat", "13.V", "Combat"),
    "penalty": ("combat", "13.V", "Combat"),
    "advance": ("combat", "13.VI", "Combat"),
    "exploitation": ("combat", "13.VI", "Combat"),
    "hq-movement": ("hq-movement", "11.H", "Headquarters movement"),
    "hq-moved": ("hq-movement", "11.H", "Headquarters movement"),
    "over": ("over", "14", "End of the game"),
}
"""Phase, case and title of each step."""


PHASE_IDS = tuple(dict.fromkeys(
    word if word in ("weather", "over") else f"{side}-{word}" for word, _, _ in _PHASES.values() for side in SIDES
))  # fmt: skip
"""What the phases of both sides are called."""


CHOICES = {
    "compose": "the attack being composed",
    "support": "the support of the defence",
    "rating": "the choice of an efficiency",
    "losses": "the choice of losses",
    "stand": "the all-out defence",
    "retreat": "the retreat",
    "penalty": "the price of the retreat",
    "advance": "the advance after combat",
    "exploitation": "the exploitation of the victory",
}
"""Steps inside a combat that have to be settled before its phase can be ended."""


def phase(p: TijvinPosition) -> Phase:
    """The phase of the sequence of play that a step belongs to."""
    word, case, title = _PHASES[p.stage]
    if word == "set-up":
        case = deployment.case_of(p)
    return Phase(word, "", case, title) if word in ("weather", "over") else _phase_of(p.side, word, case, title)


def _phase_of(side: str, word: str, case: str, title: str) -> Phase:
    return Phase(f"{side}-{word}", side, case, f"{side.capitalize()} {title[0].lower()}{title[1:]}")


_TURN = (
    "hq-return", "reinforcement", "replacement", "assignment", "activation", "movement", "combat", "hq-movement",
)  # fmt: skip
"""The phases of both sides, as they come in a turn."""


def phases(sides: tuple[str, ...]) -> tuple[Phase, ...]:
    """The phases of the game (6): set-up, then in each turn administration step by step for both sides, and
    activations in turn. The side with the initiative comes first where the two alternate (11)."""
    administration, operations = _TURN[:4], _TURN[4:]
    listed = [_side_phase(side, word) for word in administration for side in sides]
    listed.insert(len(sides), Phase("weather", "", *_PHASES["weather"][1:]))
    set_up = (_side_phase(side, "set-up") for side in sides)
    return (*set_up, *listed, *(_side_phase(side, word) for side in sides for word in operations))


def _side_phase(side: str, word: str) -> Phase:
    _, case, title = _PHASES[step_of(word)]
    return _phase_of(side, word, case, title)


def step_of(word: str) -> str:
    """The first step of a phase, by its word without the side."""
    return next(stage for stage, (name, _, _) in _PHASES.items() if name == word and stage != "replacement-roll")
