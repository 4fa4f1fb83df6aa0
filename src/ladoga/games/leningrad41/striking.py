"""Fire that has been committed: reveals, dice, losses, rubble and what follows (10.3-10.18, 12.8, 15.3)."""

from __future__ import annotations

from ...hexes import mask_of
from ...kernel.events import Odds, Result, Struck
from ...kernel.orders import Order
from .counters import GERMAN, SOVIET
from .fire import defenders, eliminates, firing_side, modifiers, net, parted, strength
from .ground import hexside
from .marching import halt, pause
from .state import GONE, POOL, Attack, State, Step


def compose(pos: State, attack: Attack) -> None:
    """A fire is being composed, which nobody else is told of."""
    pos.attack = attack


def cancel(pos: State, _: object) -> None:
    """It is given up."""
    pos.attack = None


def commit(pos: State, attack: Attack) -> None:
    """Fire: the units are spent, the hex is attacked, its hidden units are flipped (6.6, 10.2, 10.5)."""
    pos.attack = attack
    pos.attacked |= 1 << attack.target
    pos.fired |= mask_of(attack.units)
    names = ", ".join(pos.unit(p).id for p in attack.units)
    how = f" at the bridge to {pos.number(attack.beyond)}" if attack.kind == "bridge" else ""
    verb = _do(attack, "assault") if attack.assault else f"{_do(attack, 'fire')} at"
    told, where = f"{{}} {verb} {{}}{{}} with strength {{}}", pos.number(attack.target)
    odds = odds_of(pos, attack)
    pos.tell("fire", "10.3", told, names, where, how, odds.attack, odds.column, side=pos.side, fact=odds)
    pos.push(*_reveals(pos, attack), Step("strike"))


def odds_of(pos: State, attack: Attack) -> Odds:
    """The strength of a fire, and the column it is read in, by its name on the table (10.3)."""
    combat, points = pos.tables.combat, strength(pos, attack)
    return Odds(points, None, combat.columns[combat.column(points)])


def _do(attack: Attack, verb: str) -> str:
    """What the firing units do, one of them or several."""
    return verb if len(attack.units) > 1 else f"{verb}s"


def _reveals(pos: State, attack: Attack) -> list[Step]:
    """Hidden units are flipped when the German attacks their hex in any way (6.6), be it for a bridge."""
    if firing_side(pos, attack) == SOVIET:
        return []
    return [Step("reveal", p) for p in pos.stacks.get(attack.target, ()) if pos.unit(p).back]


def strike(pos: State, step: Step) -> None:
    """Roll for every defender with its own modifiers (10.13), or for the bridge or structure."""
    attack = pos.fire
    if attack.kind in ("bridge", "structure"):
        drm = net(modifiers(pos, attack, None))
        pos.push(Step("die", number=drm, words=(attack.kind,)), Step("finish"))
        return
    if attack.kind == "defensive":
        struck = [step.piece]
        after = Step("after-defensive", step.piece, words=step.words)
    else:
        struck = defenders(pos, attack)
        after = Step("aftermath")
    rolls = [Step("die", p, number=net(modifiers(pos, attack, pos.unit(p))), words=("fire",)) for p in struck]
    pos.push(*rolls, after)


def fire_rolled(pos: State, step: Step, face: int) -> None:
    """The die for a defender (10.14)."""
    name, hit = pos.unit(step.piece).id, _hits(pos, step, face)
    told = f"{{}} in {{}} {'is eliminated' if hit else 'holds'} (die {{}}, modified {{}})"
    pos.tell("result", "10.14", told, name, pos.number(pos.fire.target), face, face + step.number,
             fact=Struck(name, "E" if hit else "-", int(hit)))  # fmt: skip
    if hit:
        pos.eliminate(step.piece)


def bridge_rolled(pos: State, step: Step, face: int) -> None:
    """The die for a bridge (10.17)."""
    if not _hits(pos, step, face):
        _no_effect(pos, "10.17", step, face)
        return
    ends = pos.fire.target, pos.fire.beyond
    pos.broken |= {hexside(*ends)}
    told = "The bridge between {} and {} is demolished"
    pos.tell("bridge", "10.17", told, *map(pos.number, ends), fact=Result("E"))


def structure_rolled(pos: State, step: Step, face: int) -> None:
    """The die for a structure (10.19)."""
    if _hits(pos, step, face):
        _make_rubble(pos, Result("E"))
    else:
        _no_effect(pos, "10.19", step, face)


def _hits(pos: State, step: Step, face: int) -> bool:
    return eliminates(pos, strength(pos, pos.fire), step.number, face)


def _no_effect(pos: State, case: str, step: Step, face: int) -> None:
    pos.tell("result", case, "No effect (die {}, modified {})", face, face + step.number, fact=Result("-"))


def rubble_rolled(pos: State, _: Step, face: int) -> None:
    """The die after a fire that left nobody in the hex (10.18, 12.10)."""
    faces = pos.tables.rubble
    if face in (faces.air_strike if pos.fire.kind == "air" else faces.offensive_fire):
        _make_rubble(pos)


def rubble_case(pos: State) -> str:
    """The rule by which a hex is rubbled: air strikes and structure attacks have their own (10.19, 12.10)."""
    return {"air": "12.10b", "structure": "10.19"}.get(pos.attack.kind if pos.attack else "", "10.18")


def _make_rubble(pos: State, fact: Result | None = None) -> None:
    pos.rubble |= 1 << pos.fire.target
    pos.tell("rubble", rubble_case(pos), "{} is rubble", pos.number(pos.fire.target), fact=fact)


def aftermath(pos: State, step: Step) -> None:
    """After the last die: the price of fanaticism, rubble, advance (10.15, 10.18, 17.3)."""
    attack = pos.fire
    steps = [Step("lose")] if attack.fanatic else []
    if not pos.occupied[1 - pos.side] >> attack.target & 1:
        if (pos.ground.built & ~pos.rubble) >> attack.target & 1:
            steps.append(Step("die", words=("rubble",)))
        if attack.assault:
            steps.append(Step("advance", hex=attack.target))
    pos.push(*steps, Step("finish"))


def finish(pos: State, step: Step) -> None:
    """Used Soviet air markers go back to the pool, the fleet withdraws (12.4, 15.3)."""
    attack, pos.attack = pos.attack, None
    if attack is None or pos.side == GERMAN:
        return
    for piece in attack.units:
        if attack.kind == "air":
            pos.where[piece] = POOL
        elif attack.kind == "naval":
            pos.where[piece] = GONE
            pos.push(Step("die", piece, words=("fleet",)))


def fleet_gone(pos: State, step: Step, face: int) -> None:
    """The fleet withdraws for as many turns as its die says (15.3)."""
    pos.fleet_back = pos.turn + face
    when = f"turn {pos.fleet_back}" if pos.fleet_back <= pos.game.turns else "never, the game ends before"
    pos.tell("fleet", "15.3", "{} returns: {} (die {})", pos.unit(step.piece).id, when, face, side=SOVIET)


def fire_back(pos: State, attack: Attack) -> None:
    """Fire: hidden units are flipped now, not before (6.6)."""
    pos.attack, hidden = parted(pos, attack)
    pos.push(*(s for back in hidden for s in (Step("reveal", back), Step("join", back))), Step("shoot"))


def let_pass(pos: State, _: Order) -> None:
    """Nobody fires at the moving unit."""
    step = pos.pop()
    pos.attack = None
    pos.tell("pass", "9.2", "No defensive fire at {}", pos.unit(step.piece).id, side=1 - pos.side)


def join(pos: State, step: Step) -> None:
    """A unit flipped to fire joins if it can (9.3); otherwise it just lies there face up."""
    unit = pos.unit(step.piece)
    if not unit.fires_defensively:
        pos.tell("fire", "9.3", "{} cannot fire defensively", unit.id, side=unit.side)
        return
    attack = pos.fire
    pos.attack = attack._replace(units=(*attack.units, step.piece))


def shoot(pos: State, step: Step) -> None:
    """Resolve the defensive fire at the moving unit alone (9.2), if anybody fires."""
    attack = pos.attack
    if attack is None or not attack.units:
        pos.attack = None
        return
    offered = pos.pop()
    names, mover = ", ".join(pos.unit(p).id for p in attack.units), pos.unit(offered.piece).id
    told = f"{{}} {_do(attack, 'fire')} defensively at {{}} in {{}} with strength {{}}"
    where, odds = pos.number(attack.target), odds_of(pos, attack)
    pos.tell("fire", "9.2", told, names, mover, where, odds.attack, odds.column, side=1 - pos.side, fact=odds)
    pos.push(*_reveals(pos, attack), Step("strike", offered.piece, words=offered.words))


def after_defensive(pos: State, step: Step) -> None:
    """The mover is gone, and with it the control of a hex that it died on entering (4.2), or stops, or may go on (8.8,
    9.2)."""
    attack, pos.attack = pos.fire, None
    if pos.where[step.piece] < 0:
        if step.words:
            pos.control ^= 1 << attack.target
        halt(pos, step.piece)
        pos.moving = None
    else:
        pause(pos, step.piece)
