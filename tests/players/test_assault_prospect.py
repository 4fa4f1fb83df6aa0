"""The Assaults as the planner reads them: agreed with the rules, and drafts mended for the better."""

from __future__ import annotations

import random
from functools import cache

import pytest

from ladoga.games.assault import combat, supply
from ladoga.games.assault.figures import GERMAN, SIDES, SOVIET
from ladoga.games.assault.position import AssaultPosition
from ladoga.games.assault.prospect import ALL, AssaultProspect
from ladoga.kernel.game import load_game
from ladoga.kernel.position import CHANCE
from ladoga.kernel.prospect import prospect_of
from ladoga.players.doctrine import doctrine_of
from ladoga.players.planner.conduct import Conduct
from ladoga.players.planner.search import Search
from ladoga.players.staff import StaffPlayer

GAMES = ("assault-leningrad", "assault-stalingrad")


@cache
def at(game_id: str, turn: int, phase: str) -> AssaultPosition:
    """A position from a game between staffs."""
    game, rng = load_game(game_id), random.Random(4)
    pos = game.start(next(iter(game.scenarios)))
    seats = {side: StaffPlayer() for side in SIDES}
    while not (pos.turn == turn and pos.phase.id == phase and pos.choice is None and pos.to_move == pos.phase.side):
        mover = pos.to_move
        assert mover is not None
        pos = pos.play(pos.legal.random(rng) if mover == CHANCE else seats[mover].choose(pos.view(mover), rng))
    assert isinstance(pos, AssaultPosition)
    return pos


def prospect(pos: AssaultPosition, side: str) -> AssaultProspect:
    found = prospect_of(pos.view(side))
    assert isinstance(found, AssaultProspect)
    return found


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_supply_is_that_of_the_rules(game_id: str, phase: str) -> None:
    pos = at(game_id, 5, phase)
    seen = prospect(pos, pos.phase.side)
    lines = supply.lines(pos)
    for side in (GERMAN, SOVIET):
        unfed = seen.unfed(side, seen.stand)
        for n in seen.of(side):
            if seen.stand.where[n] >= 0:
                assert bool(unfed >> n & 1) != supply.in_supply(pos, seen.slots[n], lines), seen.units[n].id


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_zones_and_reach_are_those_of_the_rules(game_id: str, phase: str) -> None:
    pos = at(game_id, 5, phase)
    seen = prospect(pos, pos.phase.side)
    for side in (GERMAN, SOVIET):
        rigid, zones, whole = seen.zones(side, seen.stand)
        lay = pos.lay(side)
        assert (rigid, zones, whole) == (lay.rigid, lay.rigid | lay.fluid, lay.zone)
    for n in seen.of(seen.side):
        unit = seen.units[n]
        if seen.stand.where[n] >= 0 and unit.symbol not in ("worker", "hq"):
            ends = seen.grid.mask(pos.reach(unit.id))
            assert not ends & ~seen.reach(n) & ~seen.ground.garrison, unit.id


@pytest.mark.parametrize("game_id", GAMES)
def test_blows_have_the_odds_of_the_rules(game_id: str) -> None:
    pos = at(game_id, 5, "german-combat")
    seen, weighed = prospect(pos, "german"), 0
    for h in combat.targets(pos):
        units = [seen.slots.index(i) for i in combat.candidates(pos, (h,))]
        fight = combat.battle(pos, (h,), [seen.slots[n] for n in units])
        if fight.column < 0:
            continue
        blow = seen.blow(units, h, seen.stand)
        rolls = seen._rolls(fight.column, fight.modifier)
        assert blow == seen._outcome(rolls, units, h, seen.stand.at[h], seen.stand)
        assert sum(chance for _, _, chance in rolls) == pytest.approx(1.0)
        assert 0.0 <= blow.falls <= 1.0
        assert 0.0 <= blow.dead <= 1.0
        weighed += 1
    assert weighed


def test_defenders_who_cannot_retreat_pay_in_steps() -> None:
    seen = prospect(at("assault-stalingrad", 5, "german-combat"), "german")
    free = seen._taken(1, [2.0, 3.0], 5.0, 1.0, 1.5, False)
    trapped = seen._taken(1, [2.0, 3.0], 5.0, 1.0, 1.5, True)
    assert free == (1.5, 1.0, 0.0)
    assert trapped == (2.0, 0.0, 0.5)
    assert seen._taken(ALL, [2.0, 3.0], 5.0, 1.0, 1.5, False) == (6.0, 1.0, 1.0)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("side", SIDES)
def test_a_draft_is_mended_for_the_better(game_id: str, side: str) -> None:
    pos = at(game_id, 5, f"{side}-movement")
    view = pos.view(side)
    seen = prospect(pos, side)
    search = Search(seen, random.Random(1), lambda looks: looks >= 60)
    drafts = doctrine_of(game_id).drafts(view, {})
    search.draw_on([Conduct()._ends(seen, draft) for draft in drafts])
    before = search.best.value
    plan = search.mend()
    assert plan.appraisal.value >= before
    assert plan.before == before
    for n, h in enumerate(plan.stand.where):
        if seen.units[n].side == seen.side and h != seen.stand.where[n]:
            assert seen.reach(n) >> h & 1
