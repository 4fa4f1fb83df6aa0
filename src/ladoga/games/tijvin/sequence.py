"""The sequence of play (section 6): every moment of the turn, in its order. A chapter names the moment that follows."""

from __future__ import annotations

from collections.abc import Callable

from ...kernel.chance import die
from ...kernel.orders import Order
from ...kernel.position import Phase
from ...kernel.sequence import OVER, Automatic, Decision, Roll, Sequence, Side, phase_of, titled
from . import administration, aftermath, combat, deployment, movement, operations, sampling, supply
from .battle import in_hand
from .book import SIDES
from .position import TijvinPosition
from .steps import number


def end_turn(p: TijvinPosition) -> None:
    """The next turn, or the end of the game (6.2.4)."""
    if p.turn >= p.game.scenarios[p.scenario].turns:
        p.finish()
        p.tell("over", "14", "The game is over")
        return
    p.turn += 1
    p.go("begin-turn")


WEATHER = die("the weather", "7.W")
"""One die a turn."""


def _die(
    id_: str, case: str, title: str, short: str, words: str, carry_out: Callable[[TijvinPosition, Order], None]
) -> Roll[TijvinPosition]:
    """A die of a combat."""
    chance = die(words, case)
    return Roll(id_, case, title, short, lambda _: chance, carry_out, "combat", prompt=titled)


SET_UP = (
    Decision("set-up", "15.1", "Set-up", "set-up", deployment.prompt, deployment.ACTIONS,
             otherwise=deployment.otherwise, sample=sampling.set_up),
    Decision("set-up-2", "15.2", "Second set-up", "set-up", deployment.prompt, deployment.ACTIONS,
             otherwise=deployment.otherwise, sample=sampling.set_up),
)  # fmt: skip

ADMINISTRATION = (
    Automatic("begin-turn", "6", administration.begin_turn),
    Automatic("returns", "11.H", administration.returns),
    Decision("hq-return", "11.H", "Return of headquarters", "HQ back", administration.return_prompt,
             administration.RETURNS, otherwise=administration.no_return),
    Roll("weather", "7.W", "Weather", "weather", lambda _: WEATHER, administration.weather),
    Automatic("supply", "10", supply.check),
    Automatic("reinforcements", "8.R", administration.reinforcements),
    Decision("reinforcement", "8.R", "Reinforcements", "reinforce", administration.reinforcement_prompt,
             administration.REINFORCEMENTS, otherwise=administration.NOT_ENTERING, sample=sampling.arrival),
    Automatic("replacements", "8.P", administration.replacements),
    Roll("replacement-roll", "8.P", "Replacements", "points", administration.replacement_die,
         administration.replacement_points, phase="replacement", prompt=titled),
    Decision("replacement", "8.P", "Replacements", "replace", administration.replacement_prompt,
             administration.REPLACEMENTS, otherwise=administration.NOT_BUYING,
             sample=sampling.ending(administration.purchases, 0.1)),
    Automatic("deliveries", "8.P", administration.deliveries),
    Automatic("assignments", "9", administration.assignments),
    Decision("assignment", "9", "Assignment to headquarters", "assign", "Assign units to headquarters, then end",
             administration.ASSIGNMENTS, otherwise=administration.NOT_ASSIGNING, sample=sampling.assignment),
    Automatic("command", "9", administration.settle_command),
)  # fmt: skip

OPERATIONS = (
    Automatic("operations", "11", operations.begin),
    Automatic("activations", "11.A", operations.next_activation),
    Decision("activation", "11.A", "Activation", "activate",
             "Activate a headquarters or a unit out of command, or pass", operations.ACTIVATIONS,
             otherwise=operations.NOT_ACTIVATING, sample=sampling.activation),
    Automatic("movements", "12", movement.begin),
    Decision("movement", "12", "Movement", "move", "Move activated units, then end movement", movement.MOVEMENT,
             otherwise=movement.otherwise, sample=sampling.move, part=sampling.orders_of_one),
    Automatic("combats", "13", combat.begin),
    Decision("combat", "13", "Combat", "combat", "Attack, or end combat", combat.COMBAT,
             otherwise=combat.otherwise, sample=sampling.attack),
)  # fmt: skip

COMBAT = (
    Decision("compose", "13.I", "Attack being composed", "attack", "Add attackers and support, then commit",
             combat.COMPOSE, "combat", combat.NOT_COMPOSING, sampling.composition),
    _die("command-roll", "11.O", "Command roll", "command", "the command roll of the defender", combat.command_roll),
    Automatic("supports", "13.IIe", combat.begin_support),
    Decision("support", "13.IIe", "Support of the defence", "support", "Support the defence, then commit",
             combat.SUPPORT, "combat", combat.NOT_SUPPORTING),
    Automatic("ratings", "13.IId", combat.settle_ratings),
    Decision("rating", "13.IId", "Choice of an efficiency", "efficiency", "Choose the efficiency to fight with",
             combat.RATING, "combat", combat.NOT_RATING),
    _die("attack-die", "13.III", "Attacker's roll", "attack", "the attacker's combat roll",
         lambda p, face: p.go("defence-die", matter=in_hand(p).but(dice=(number(face), 0)))),
    _die("defence-die", "13.III", "Defender's roll", "defence", "the defender's combat roll", combat.defender_rolls),
    _die("casualty-die", "13.IV", "Casualties", "losses", "casualties", combat.casualty_roll),
    Automatic("casualties", "13.IV", combat.take_casualties),
    Decision("losses", "13.IV", "Choice of losses", "losses", "Choose the unit that loses a factor",
             combat.LOSSES, "combat", combat.NOT_LOSING),
    Automatic("after-casualties", "13.V", aftermath.after_casualties),
    Decision("stand", "13.V", "All-out defence", "stand", "Stand in an all-out defence, or yield",
             aftermath.STAND, "combat", aftermath.NOT_STANDING),
    Roll("stand-die", "13.V", "All-out defence", "stand",
         lambda p: die(f"all-out defence, holding on {aftermath.stand_number(p)} or less", "13.V"),
         aftermath.stand_roll, "combat", prompt=titled),
    Automatic("retreats", "13.V", aftermath.begin_retreat),
    Automatic("retreat-goes-on", "13.V", aftermath.retreat_goes_on),
    Decision("retreat", "13.V", "Retreat", "retreat", "Retreat",
             aftermath.RETREAT, "combat", aftermath.NOT_RETREATING),
    Automatic("penalties", "13.V", aftermath.take_penalties),
    Decision("penalty", "13.V", "Price of the retreat", "retreat", "Choose the unit that pays for the retreat",
             aftermath.PENALTY, "combat", aftermath.NOT_PAYING),
    Automatic("advances", "13.VI", aftermath.begin_advance),
    Decision("advance", "13.VI", "Advance after combat", "advance", "Advance after combat, or end",
             aftermath.ADVANCE, "combat", aftermath.NOT_ADVANCING, sampling.ending(aftermath.advances, 0.3)),
    Automatic("exploitations", "13.VI", aftermath.begin_exploitation),
    Decision("exploitation", "13.VI", "Exploitation of the victory", "exploit",
             "Exploit the victory against the beaten defender, or end", combat.EXPLOITATION, "combat",
             combat.otherwise, sampling.attack),
)  # fmt: skip

END_OF_ACTIVATION = (
    Automatic("hq-movements", "11.H", operations.begin_hq_movement),
    Decision("hq-movement", "11.H", "Headquarters movement", "HQ move",
             lambda p: f"Move {p.roster.hqs[p.active_hq].name}, or end", operations.HQ_MOVEMENT,
             otherwise=operations.not_its_move, sample=sampling.headquarters_move),
    Decision("hq-moved", "11.H", "Headquarters moved", "HQ", "End the activation", operations.HQ_MOVED,
             "hq-movement", operations.hq_has_moved, lambda _, rng: rng.choice(sampling.ACTIVATION_ENDS)),
    Automatic("end-of-turn", "6.2.4", end_turn),
)  # fmt: skip

SEQUENCE = Sequence(*SET_UP, *ADMINISTRATION, *OPERATIONS, *COMBAT, *END_OF_ACTIVATION)


def _phase(moment: Decision[TijvinPosition] | Roll[TijvinPosition], side: Side) -> Phase:
    """The phase of a moment, with the moment's own case; the weather is nobody's."""
    phase = SEQUENCE[moment.phase or moment.id]
    assert not isinstance(phase, Automatic)
    if moment.id == "weather":
        return Phase(phase.id, "", phase.case, phase.title)
    return phase_of(phase, SIDES[side])._replace(case=moment.case)


PHASES = {
    (moment.id, side): _phase(moment, side)
    for moment in SEQUENCE.moments.values() if not isinstance(moment, Automatic)
    for side in range(len(SIDES))
}  # fmt: skip
"""The phase of each moment for each side."""

PHASE_IDS = (*dict.fromkeys(phase.id for phase in PHASES.values()), OVER.id)
"""What the phases of both sides are called."""


def phase(p: TijvinPosition, at: str, side: Side) -> Phase:
    """The phase of the sequence of play that a moment belongs to."""
    found = PHASES[at, side]
    return found._replace(case=deployment.case_of(p)) if at == "set-up" else found


_TURN = (
    "hq-return", "reinforcement", "replacement", "assignment", "activation", "movement", "combat", "hq-movement",
)  # fmt: skip
"""The phases of both sides, as they come in a turn."""


def phases(sides: tuple[str, ...]) -> tuple[Phase, ...]:
    """The phases of the game (6): set-up, then in each turn administration step by step for both sides, and
    activations in turn. The side with the initiative comes first where the two alternate (11)."""
    both = range(len(sides))
    listed = [PHASES[at, side] for at in _TURN[:4] for side in both]
    listed.insert(len(sides), PHASES["weather", 0])
    set_up = (PHASES["set-up", side] for side in both)
    return (*set_up, *listed, *(PHASES[at, side] for side in both for at in _TURN[4:]))
