"""Chapter 3: the sequence of play. Eight steps a turn, twelve turns, then the reckoning; and a fight from its
announcement to the last advance, which interrupts movement or combat."""

from __future__ import annotations

from ...kernel.position import Phase, passed
from ...kernel.sequence import Action, Automatic, Decision, Item, Roll, Sequence, each, phase_of, titled
from . import (
    air,
    bidding,
    combat,
    forts,
    listing,
    movement,
    overrun,
    reinforcements,
    replacements,
    results,
    sampling,
    set_up,
    stacking,
)
from .edition import GERMAN, SIDES, SOVIET, Edition
from .orders import end_phase, wrong_phase
from .position import OVER, LeningradPosition
from .state import PhaseSheet

Step = tuple[str, int]
"""A phase: its moment, and whose it is."""

SET_UP: tuple[Step, ...] = (("set-up", SOVIET), ("set-up", GERMAN))
TURN: tuple[Step, ...] = (
    ("replacement", GERMAN),
    ("movement", GERMAN),
    ("combat", GERMAN),
    ("interdiction", GERMAN),
    ("fortification", SOVIET),
    ("movement", SOVIET),
    ("combat", SOVIET),
)

NOTHING_TO_DO = {
    "set-up": lambda pos: not set_up.unplaced(pos),
    "replacement": lambda pos: not replacements.eligible(pos),
    "combat": lambda pos: not combat.can_attack(pos, pos.mover),
    "interdiction": lambda pos: air.ready(pos) == 0,
    "fortification": lambda pos: forts.at_hand(pos) <= 0 or not (forts.near_sites(pos) or forts.sites(pos)),
}
"""Phases in which there may be nothing to decide."""


def phase_over(pos: LeningradPosition) -> None:
    """The next phase begins; one in which nothing can be done on entering it passes by at once (3.0)."""
    at, side, _ = pos.agenda[-1]
    pos.renew(PhaseSheet)
    pos.recounted()
    if (at, side) == TURN[-1]:
        end_turn(pos)
        if pos.turn > pos.game.turns:
            pos.turn = pos.game.turns
            pos.finish()
            return
    at, side = pos.game.next_step[at, side]
    pos.agenda = (Item(at, side),)
    if (at, side) == TURN[0]:
        pos.tell("turn", "3.0", "Turn {0}, {1}", pos.turn, pos.game.calendar[pos.turn - 1])
    if at in NOTHING_TO_DO and NOTHING_TO_DO[at](pos):
        pos.events += (passed(pos.phase),)
        end_phase(pos, None)


def end_turn(pos: LeningradPosition) -> None:
    """Step eight: interdicting air units come off the map and the turn marker advances (3.0)."""
    pos.place_air({})
    pos.air_used = 0
    pos.forts_placed = 0
    pos.turn += 1


END = Action.plain("end", end_phase)

MOMENTS: tuple[Decision[LeningradPosition] | Roll[LeningradPosition] | Automatic[LeningradPosition], ...]
MOMENTS = (
    # Before the first turn
    Decision("bid", "18.4", "Bid", "bid", titled, {
        "bid": Action(bidding.bid_of, bidding.bid, each("bid", lambda _: range(bidding.MOST + 1), "words")),
    }, otherwise=wrong_phase, sample=bidding.some_bid),
    Roll("lot", "18.4", "The lot between equal bids", "lot", bidding.lot,
         lambda pos, seat: bidding.award(pos, SIDES.index(seat.words[0]))),
    Decision("set-up", "1.0", "Set-up", "set-up", titled, {
        "place": Action(set_up.placement, set_up.place, set_up.placements),
        "end": Action.unless("end", set_up.why_not_ready, end_phase),
    }, otherwise=wrong_phase, sample=sampling.placement),
    # The steps of a turn
    Decision("replacement", "3.0", "Replacements", "replace", titled, {
        "rebuild": Action(replacements.rebuilding, replacements.rebuild,
                          each("rebuild", lambda pos: map(pos.name, replacements.eligible(pos)))),
        "end": END,
    }, otherwise=wrong_phase),
    Decision("movement", "3.0", "Movement", "move", titled, {
        "move": Action(movement.march_of, movement.move, listing.moves),
        "overrun": Action.unlisted(overrun.overrun_of, overrun.overrun),
        "enter": Action(reinforcements.entry_of, reinforcements.enter, reinforcements.entries),
        "end": Action.unless("end", stacking.why_not_end, stacking.end_movement),
    }, otherwise=wrong_phase, sample=sampling.move, part=sampling.orders_of_one),
    Decision("removal", "4.6", "Removal of units over the stacking limit", "removal",
             "Choose which units over the stacking limit are removed", {
        "remove": Action(stacking.removal, stacking.remove, each(
            "remove", lambda pos: [pos.name(slot) for h in stacking.overfull(pos, pos.mover) for slot in pos.at[h]])),
    }, phase="movement", otherwise=stacking.removals_first),
    Decision("combat", "3.0", "Combat", "combat", titled, {
        "target": Action(combat.targeted, combat.compose, combat.targets),
        "attack": Action.unlisted(combat.composed, combat.announce),
        "end": Action.unless("end", combat.why_not_end, end_phase),
    }, otherwise=wrong_phase, sample=sampling.attack),
    Decision("interdiction", "3.0", "Air interdiction", "interdict", titled, {
        "interdict": Action(air.interdiction, air.interdict,
                            lambda pos: pos.ground.orders_at("interdict", pos.ground.land if air.ready(pos) else 0)),
        "end": END,
    }, otherwise=wrong_phase, sample=sampling.interdiction),
    Decision("fortification", "3.0", "Fortification", "forts", titled, {
        "fort": Action(forts.fort_site, forts.build,
                       lambda pos: pos.ground.orders_at("fort", forts.sites(pos) if forts.at_hand(pos) > 0 else 0)),
        "end": END,
    }, otherwise=wrong_phase, sample=sampling.fort),
    Automatic("phase over", "3.0", phase_over),
    # A fight
    Decision("compose", "9.1", "Attack being composed", "attack", "Compose the attack", {
        "target": Action(combat.targeted, combat.compose, combat.targets),
        "add": Action(combat.joined, combat.compose, each("add", lambda pos: map(pos.name, combat.joining(pos)))),
        "air": Action(combat.supported, combat.compose, each("air", combat.more_air, "words")),
        "commit": Action.unless("commit", lambda pos: combat.why_no_commit(pos, combat.in_hand(pos)),
                                lambda pos, _: combat.announce(pos, combat.in_hand(pos))),
        "cancel": Action.plain("cancel", lambda pos, _: pos.done()),
    }, phase="combat", otherwise=wrong_phase, sample=sampling.composition),
    Decision("air", "13.1", "Air support of the defence", "air", "Commit air units to the defence", {
        "air": Action(results.guarded, results.guard, each("air", lambda pos: range(air.ready(pos) + 1), "words")),
    }, phase="combat", otherwise=wrong_phase, sample=sampling.any_order),
    Automatic("odds", "9.1", results.odds),
    Roll("reveal", "14.1", "Untried units are revealed", "reveal", results.draws, results.reveal, "combat",
         results.draw),
    Roll("roll", "9.5", "The die is rolled", "die", lambda pos: pos.game.edition.roll, results.roll, "combat",
         lambda pos, rng: pos.game.edition.roll.sample(rng)),
    *(
        Decision(at, "10.0", f"{who}'s loss or retreat", "losses", results.asked_to_pay, {
            "lose": Action(results.loss, results.lose, each("lose", results.losers)),
            "retreat": Action(results.retreat_of, results.retreat, results.retreats),
        }, phase="combat", otherwise=results.result_first, sample=sampling.payment)
        for at, who in (("defend", "Defender"), ("attack", "Attacker"))
    ),
    Automatic("attackers", "10.3", results.attackers_part),
    Automatic("victors", "10.9", results.victors_part),
    *(
        Decision(at, "10.9", title, "advance", prompt, {
            "advance": Action(results.advance_of, results.advance, results.advances),
            "end": Action.unless("end", results.why_no_end, lambda pos, _: pos.done()),
        }, phase="combat", otherwise=wrong_phase, sample=sampling.advance)
        for at, title, prompt in (
            ("advance", "Advance after combat", results.asked_to_advance),
            ("counter", "Defender's advance after combat", "Defender: advance after combat"),
        )
    ),
)  # fmt: skip
SEQUENCE = Sequence(*MOMENTS)


def phases(edition: Edition) -> dict[Step, Phase]:
    """The phases of an edition; step eight happens by itself when the turn ends."""
    before = SET_UP if edition.scenario.free_german is not None else SET_UP[:1]
    found = {step: phase_of(SEQUENCE.decisions[step[0]], SIDES[step[1]]) for step in (*before, *TURN)}
    found[OVER] = Phase("over", "", "18.0", "The game is over")
    if bidding.OPTION in edition.index.options:
        found |= bidding.PHASES
    return {step: phase._replace(case=edition.case(phase.case)) for step, phase in found.items()}
