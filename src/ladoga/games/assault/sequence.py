"""The sequence of play (4.0): two player-turns a game-turn with what may come in between, and an attack from its first
target to the last advance, which interrupts a combat phase."""

from __future__ import annotations

from typing import Any

from ...hexes import NOWHERE, members
from ...kernel.orders import Order
from ...kernel.position import Phase, passed
from ...kernel.sequence import NOBODY, Action, Automatic, Decision, Item, Roll, Sequence, titled
from . import air, arrivals, attack, combat, fleet, inset, listing, movement, results, sampling, supply, victory
from .figures import GERMAN, SOVIET
from .orders import end_phase, out_of_place
from .pending import Transfers
from .state import State

Step = tuple[str, int]
"""A phase: its moment, and whose it is."""

SET_UP: Step = ("set-up", SOVIET)
TURN: tuple[Step, ...] = (
    ("air-bombardment", GERMAN),
    ("supply", GERMAN),
    ("movement", GERMAN),
    ("combat", GERMAN),
    ("mechanized-movement", GERMAN),
    ("air-bombardment", SOVIET),
    ("supply", SOVIET),
    ("movement", SOVIET),
    ("naval-fire", SOVIET),
    ("combat", SOVIET),
    ("naval-cover", SOVIET),
)
NEXT = dict(zip((SET_UP, *TURN), (*TURN, TURN[0]), strict=True))
PLAYER_TURN_OVER = (("mechanized-movement", GERMAN), ("combat", SOVIET))
"""The last phases of the player-turns that have an end of their own (8.37)."""

PHASES = (
    Phase("soviet-set-up", "soviet", "5.1", "Place the units that start in the city"),
    Phase("german-air-bombardment", "german", "12.3", "German air bombardment"),
    Phase("german-supply", "german", "11.1", "German supply determination"),
    Phase("german-movement", "german", "6.1", "German movement"),
    Phase("german-combat", "german", "10.1", "German combat"),
    Phase("german-mechanized-movement", "german", "6.2", "German mechanized movement"),
    Phase("soviet-air-bombardment", "soviet", "12.3", "Soviet air bombardment"),
    Phase("soviet-supply", "soviet", "11.1", "Soviet supply determination"),
    Phase("soviet-movement", "soviet", "6.1", "Soviet movement"),
    Phase("soviet-naval-fire", "soviet", "13.4", "Lay the fleet's guns for attack"),
    Phase("soviet-combat", "soviet", "10.1", "Soviet combat"),
    Phase("soviet-naval-cover", "soviet", "13.5", "Lay the fleet's guns for defence"),
    Phase("game-over", "", "17.0", "The game is over"),
)
OVER: Step = ("over", NOBODY)
STEPS: dict[str, Step] = dict(zip((phase.id for phase in PHASES), (SET_UP, *TURN, OVER), strict=True))
"""By the id of a phase what it is in the sequence."""
NAVAL_PHASES = frozenset({"soviet-naval-fire", "soviet-naval-cover"})
MOVEMENT_PHASES = frozenset({"german-movement", "german-mechanized-movement", "soviet-movement"})
COMBAT_PHASES = frozenset({"german-combat", "soviet-combat"})


# From phase to phase ------------------------------------------------------------------------------


def phase_over(pos: State) -> None:
    """What the end of a phase brings."""
    at, side, _ = pos.agenda[-1]
    if at == "supply":
        supply.check(pos)
    elif at == "air-bombardment" and pos.air:
        pos.support_left, pos.air = pos.air, 0
    elif at in ("movement", "mechanized-movement"):
        pos.moved = pos.transferred = 0
    elif at == "combat":
        pos.support, pos.support_left, pos.fought, pos.sorties = 0, 0, 0, ()
        pos.attacked = pos.transferred = 0
        pos.retreated &= pos.teams[side]
    elif at == "naval-cover":
        arrivals.refill_cup(pos)
    pos.go("fringe" if (at, side) in PLAYER_TURN_OVER else "next phase")


def player_turn_over(pos: State) -> None:
    """Markers come off (12.41, 13.10, 17.25)."""
    pos.disrupted &= ~pos.teams[pos.side]
    pos.retreated &= ~pos.teams[pos.side]
    pos.fire_on = NOWHERE
    if pos.side == GERMAN:
        victory.check_garrisons(pos)
    pos.go("next phase")


def next_phase(pos: State) -> None:
    """The next phase, or the end of the game after the last of the last turn; first units may be transferred (8.32)."""
    step = pos.agenda[-1][:2]
    if step == TURN[-1]:
        if pos.turn == pos.game.turns:
            pos.finish()
            pos.tell("end", "17.0", "The game is over")
            return
        pos.turn += 1
    at, side = NEXT[step]
    pos.agenda = (Item("phase begins", side), Item(at, side))
    if side == GERMAN and inset.each_phase(pos) and inset.can_transfer(pos):
        pos.interrupt("transfers", SOVIET, Transfers())


def phase_begins(pos: State) -> None:
    """What the beginning of a phase brings (11.36, 12.2, 16.22; 19.72)."""
    at, side, _ = pos.agenda[-1]
    pos.go("choice")
    if at == "air-bombardment":
        air.begin(pos)
    elif at == "movement":
        if side == GERMAN:
            arrivals.withdraw(pos)
            arrivals.return_headquarters(pos)
        else:
            arrivals.begin_draws(pos)


def choice(pos: State) -> None:
    """A phase in which nothing can be done passes (4.0); supply needs no word."""
    pos.done()
    if has_choice(pos):
        return
    if pos.agenda[-1].at != "supply" and pos.phase in pos.game.phases:
        pos.events = (*pos.events, passed(pos.phase))
    end_phase(pos, None)


def has_choice(pos: State) -> bool:
    """Whether anything can be done in the phase that is entered."""
    at = pos.agenda[-1].at
    if at == "combat":
        target = any(combat.possible(pos, (h,)) for h in members(combat.within_touch(pos)))
        return target or (pos.side == SOVIET and inset.can_transfer(pos))
    if at in ("movement", "mechanized-movement") and listing.has_move(pos):
        return True
    others = (action for verb, action in SEQUENCE.decisions[at].actions.items() if verb != "end")
    return any(next(iter(action.orders(pos)), None) is not None for action in others)


# The moments --------------------------------------------------------------------------------------

END = Action.plain("end", end_phase)
TRANSFER = Action(inset.transfer_of, inset.transfer, listing.transfers)
MOVEMENT: dict[str, Action[State, Any]] = {
    "move": Action(movement.march_of, movement.move, listing.movement),
    "enter": Action.unlisted(arrivals.entry_of, arrivals.enter),
    "transfer": Action.unlisted(inset.transfer_of, inset.transfer),
    "end": Action.unless("end", arrivals.why_not_end, end_phase),
}
FIRE: dict[str, Action[State, Any]] = {"fire": Action(fleet.shot_at, fleet.fire, fleet.shots), "end": END}

MOMENTS: tuple[Decision[State] | Roll[State] | Automatic[State], ...]
MOMENTS = (
    Decision("set-up", "5.1", "Set-up", "set-up", titled, {
        "place": Action(arrivals.placement_of, arrivals.place, arrivals.placements),
        "end": Action.unless("end", arrivals.why_not_ready, end_phase),
    }, otherwise=out_of_place, sample=sampling.placement),
    # The phases of a player-turn
    Decision("air-bombardment", "12.3", "Air bombardment", "bomb", titled, {
        "bomb": Action(air.target_of, air.bomb, air.bombings),
        "end": Action.plain("end", air.take_off),
    }, otherwise=out_of_place, sample=sampling.bombing),
    Decision("supply", "11.1", "Supply determination", "supply", titled, {"end": END}, otherwise=out_of_place),
    Decision("movement", "6.1", "Movement", "move", titled, MOVEMENT, otherwise=out_of_place, sample=sampling.move,
             part=sampling.orders_of_one),
    Decision("combat", "10.1", "Combat", "combat", titled, {
        "transfer": TRANSFER,
        "support": Action.unlisted(attack.supported, attack.support),
        "target": Action(attack.targeted, lambda pos, now: pos.interrupt("compose", pos.side, now), attack.openings),
        "attack": Action.unlisted(attack.struck, attack.announce),
        "end": END,
    }, otherwise=out_of_place, sample=sampling.attack),
    Decision("mechanized-movement", "6.2", "Mechanized movement", "mech move", titled, MOVEMENT, otherwise=out_of_place,
             sample=sampling.move, part=sampling.orders_of_one),
    Decision("naval-fire", "13.4", "Naval fire", "fleet", titled, FIRE, otherwise=out_of_place),
    Decision("naval-cover", "13.5", "Naval cover", "fleet defence", titled, FIRE, otherwise=out_of_place),
    # From phase to phase
    Automatic("phase over", "4.0", phase_over),
    Automatic("fringe", "8.37", inset.clear_fringe),
    Decision("crowd", "8.37", "Unit for which there is no room", "room", "Too many units for the hex: give one up", {
        "remove": Action(inset.removal_of, inset.remove, lambda pos: [
            Order("remove", (pos.roster[index].id,)) for index in inset.crowd(pos)]),
    }, otherwise=inset.MAKE_ROOM_FIRST),
    Automatic("player-turn over", "4.0", player_turn_over),
    Automatic("next phase", "4.0", next_phase),
    Decision("transfers", "8.32", "Transfer of units in the city", "transfer",
             "Transfer units before the German phase begins", {
        "transfer": TRANSFER,
        "end": Action.plain("end", inset.end_transfers),
    }, otherwise=out_of_place),
    Automatic("phase begins", "4.0", phase_begins),
    Automatic("choice", "4.0", choice),
    # Air
    Roll("availability", "12.2", "Roll for air units", "die", lambda _: air.AVAILABILITY, air.availability),
    Roll("bombing", "12.33", "Roll of the bombers", "die", lambda _: air.BOMBARDMENT, air.hit,
         prompt="Roll for air bombardment"),
    Decision("victim", "12.44", "Naming of the unit that is disrupted", "hit", "Name the unit that is disrupted", {
        "disrupt": Action(air.victim_of, air.disrupt, air.victims),
    }, otherwise=air.NAME_IT_FIRST),
    Decision("shelter", "13.11", "Fleet's run for the harbour", "fleet", "Run for the harbour or stay at sea", {
        "shelter": Action.plain("shelter", air.shelter),
        "stay": Action.plain("stay", air.stay),
    }, otherwise=out_of_place),
    # Movement
    Decision("summons", "8.33", "Manning of the city", "summons", "Man the districts of the city", {
        "transfer": TRANSFER,
        "end": Action.unless("end", inset.why_not_manned, inset.man),
    }, otherwise=out_of_place),
    Roll("draw", "19.72", "Draw from the cup", "draw", arrivals.cup, arrivals.draw),
    # An attack
    Decision("compose", "10.1", "Attack that is being put together", "attack", "Put the attack together", {
        "add": Action(attack.joined, State.hold, attack.joiners),
        "target": Action(attack.further, State.hold, attack.further_targets),
        "commit": Action(attack.committed, attack.announce, lambda pos: (
            (attack.COMMIT,) if isinstance(attack.committed(pos, attack.COMMIT), attack.Attack) else ())),
        "cancel": Action.plain("cancel", lambda pos, _: pos.done()),
    }, otherwise=out_of_place, sample=sampling.composition),
    Roll("roll", "10.21", "Roll of the attack", "die", lambda _: combat.DIE, results.fall,
         prompt="Roll for the attack"),
    Automatic("overwhelmed", "10.21", lambda pos: results.carry_out(pos, "DE")),
    Automatic("penalties", "10.24", results.penalties),
    Decision("penalty", "10.24", "Penalty that is being taken", "losses", results.prompt, {
        "retreat": Action(results.retreat_of, results.retreat, results.retreats),
        "stand": Action.unless("stand", results.why_no_stand, results.stand),
        "lose": Action(results.loss_of, results.lose, results.losses),
        "end": Action.unless("end", results.why_no_end, results.stay),
    }, otherwise=results.RESULT_FIRST),
    Automatic("victors", "10.51", results.victors),
    Decision("advance", "10.51", "Advance after combat", "advance", "Advance after combat", {
        "advance": Action(results.advance_of, results.advance,
                          lambda pos: results.advances(pos, pos.agenda[0].matter)),
        "end": Action.plain("end", lambda pos, _: pos.done()),
    }, otherwise=results.ADVANCE_FIRST),
)  # fmt: skip
SEQUENCE = Sequence(*MOMENTS)
