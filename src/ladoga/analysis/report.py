"""A debrief to read: a page that needs nothing else, plain text for forums, and a picture to share."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from itertools import pairwise

from .debrief import Debrief, Deed, Moment

__all__ = ["as_html", "as_text", "picture"]

WORDS = {"good": "Good", "luck": "Luck", "bad luck": "Bad luck", "missed": "Missed", "blunder": "Blunder"}
WIDE, TALL = 820, 330
LEFT, RIGHT, TOP, FOOT = 46, 16, 18, 28

Show = Callable[[int], str]
"""The address that shows the table after an event; empty where there is none."""
Scene = Callable[[int, str], str]
"""The address of a picture of the map after an event, around a hex; empty where there is none."""


def _points(value: float) -> str:
    """A score with its sign.

    >>> _points(30), _points(-2.5), _points(0)
    ('+30', '−2.5', '0')
    """
    text = f"{value:+.1f}".removesuffix(".0") if value else "0"
    return text.replace("-", "−")


def _printed(code: str) -> str:
    """A result as it is printed: a dash stands for nothing.

    >>> _printed("-/2"), _printed("2/-"), _printed("1-2")
    ('–/2', '2/–', '1-2')
    """
    return re.sub(r"(^|/)-(?=$|/)", r"\1–", code)


# Text ---------------------------------------------------------------------------------------------


def as_text(told: Debrief) -> str:
    """For a forum or a terminal.

    >>> from ladoga.analysis.debrief import Moment
    >>> told = Debrief("marsh", "The Marsh", "evening", ("fox", "heron"), {}, "Draw", "A quiet one.", 9, 8, 8, True)
    >>> told.curve = [Moment(0, 1, "Fox prowl", 0.0, "draw"), Moment(9, 8, "Heron prowl", 1.0, "victory")]
    >>> as_text(told).splitlines()[3]
    'Draw'
    """
    names = " against ".join(f"{told.players.get(side, 'a player')} ({side.title()})" for side in told.sides)
    lines = [told.title, names, "", told.verdict, told.summary, "", "Score, had it ended there, by turn"]
    for turn, score in _by_turn(told.curve).items():
        lines.append(f"  {turn:>3}  {_points(score):>6}  {_bar(told, score)}")
    lines += ["", "Turning points"]
    for k, pin in enumerate(told.pins, 1):
        lines.append(f"  {k}. {WORDS[pin.kind]} ({pin.side.title()}), {_points(pin.swing)}: {pin.title}")
        lines.append(f"     {pin.text} [event {pin.n}]")
    if not told.pins:
        lines.append("  none")
    lines += ["", "Steps lost by turn: " + " against ".join(f"{s.title()} {told.lost(s)}" for s in told.sides)]
    for turn in sorted(told.losses):
        by = told.losses[turn]
        lines.append(f"  {turn:>3}  " + "  ".join(f"{s.title()} {by.get(s, 0):>3}" for s in told.sides))
    lines += ["", _luck_words(told)]
    for head, deeds in (("Best orders", told.best), ("Worst orders", told.worst)):
        if deeds:
            lines += ["", head, *(f"  turn {d.turn}, {d.side.title()}: {_deed_words(d)} [event {d.n}]" for d in deeds)]
    return "\n".join(lines) + "\n"


def _deed_words(deed: Deed) -> str:
    return (
        f"{deed.title}, promised {_points(round(deed.expected, 1))} steps, brought {_points(round(deed.got, 1))} "
        f"({_printed(deed.result)}, {100 * deed.chance:.1f} %)"
    )


def _luck_words(told: Debrief) -> str:
    if not told.attacks:
        return "Luck: no attack was thrown for."
    first = told.sides[0]
    luck = told.luck[first]
    fair = "so this one was fair" if abs(luck) <= told.spread else "so this one was not"
    return (
        f"Luck: {_points(round(luck, 1))} steps for the {first.title()}s over {told.attacks} attacks, against what the "
        f"odds promised. Two games in three stay within ±{told.spread:.1f}, {fair}."
    )


def _by_turn(curve: list[Moment]) -> dict[int, float]:
    """The score at the end of every turn."""
    return {moment.turn: moment.score for moment in curve}


def _bar(told: Debrief, score: float) -> str:
    most = max([abs(m.score) for m in told.curve] + [1.0])
    width = round(12 * abs(score) / most)
    return ("█" * width).rjust(12) + "|" + " " * 12 if score < 0 else " " * 12 + "|" + "█" * width


# The curve ----------------------------------------------------------------------------------------


def curve_svg(
    told: Debrief, wide: int = WIDE, tall: int = TALL, *, pins: bool = True, show: Show = lambda _: ""
) -> str:
    """The score had it ended there, in steps by event; the first side above nought, the other below. Every turn can
    be pointed at, and leads to what ``show`` says."""
    scores = [m.score for m in told.curve] or [0.0]
    low, high = min([0.0, *scores]), max([0.0, *scores])
    span = (high - low) or 1.0
    low, high = low - 0.08 * span, high + 0.12 * span
    events = max(1, told.events)

    def x(n: int) -> float:
        return LEFT + (wide - LEFT - RIGHT) * n / events

    def y(score: float) -> float:
        return TOP + (tall - TOP - FOOT) * (high - score) / (high - low)

    turns: dict[int, int] = {}
    for moment in told.curve:
        turns.setdefault(moment.turn, moment.n)
    bands, labels, turned = [], [], []
    starts = [*turns.items(), (0, events)]
    for (turn, n), (_, end) in pairwise(starts):
        if turn % 2 == 0:
            bands.append(f'<rect class="band" x="{x(n):.1f}" y="{TOP}" width="{x(end) - x(n):.1f}" '
                         f'height="{tall - TOP - FOOT}"/>')  # fmt: skip
        labels.append(f'<text class="axis" x="{(x(n) + x(end)) / 2:.1f}" y="{tall - 9}">{turn}</text>')
        last = next(m for m in reversed(told.curve) if m.turn == turn)
        fields = f'data-turn="{turn}" data-score="{_points(last.score)}" data-level="{escape(last.level)}"'
        place = f'data-x="{x(end):.1f}" data-top="{TOP}" data-foot="{tall - FOOT}" data-show="{escape(show(last.n))}"'
        turned.append(f'<rect class="turned" {fields} {place} x="{x(n):.1f}" y="{TOP}" '
                      f'width="{x(end) - x(n):.1f}" height="{tall - TOP - FOOT}"/>')  # fmt: skip
    path, under = [f"M{x(0):.1f} {y(scores[0]):.1f}"], [f"M{x(0):.1f} {y(0):.1f}V{y(scores[0]):.1f}"]
    for moment in told.curve[1:]:
        step = f"H{x(moment.n):.1f}V{y(moment.score):.1f}"
        path.append(step)
        under.append(step)
    path.append(f"H{x(events):.1f}")
    under.append(f"H{x(events):.1f}V{y(0):.1f}Z")
    marks = []
    for value in sorted({0.0, max(scores), min(scores)}):
        marks.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{wide - RIGHT}"/>'
                     f'<text class="axis end" x="{LEFT - 6}" y="{y(value) + 4:.1f}">{_points(value)}</text>'
                     )  # fmt: skip
    found = []
    for k, pin in enumerate(told.pins if pins else (), 1):
        score = next((m.score for m in reversed(told.curve) if m.n <= pin.n), 0.0)
        at = y(score) + (-16 if pin.swing > 0 else 16)
        found.append(f'<g class="pin"><circle cx="{x(pin.n):.1f}" cy="{at:.1f}" r="10"/>'
                     f'<text x="{x(pin.n):.1f}" y="{at + 4:.1f}">{k}</text></g>')  # fmt: skip
    d, area = "".join(path), "".join(under)
    key = f"{wide}x{tall}"
    return (
        f'<svg class="curve" viewBox="0 0 {wide} {tall}" role="img" aria-label="{escape(_spoken(told))}">'
        f'<defs><clipPath id="up{key}"><rect width="{wide}" height="{y(0):.1f}"/></clipPath><clipPath id="down{key}">'
        f'<rect y="{y(0):.1f}" width="{wide}" height="{tall}"/></clipPath></defs>{"".join(bands)}{"".join(marks)}'
        f'<path class="first" clip-path="url(#up{key})" d="{area}"/>'
        f'<path class="second" clip-path="url(#down{key})" d="{area}"/>'
        f'<path class="line" d="{d}"/>{"".join(labels)}{"".join(found)}{"".join(turned)}</svg>'
    )


def _spoken(told: Debrief) -> str:
    first = told.pins[0] if told.pins else None
    pins = f" {len(told.pins)} turning points. First: {first.title}, {_points(first.swing)}." if first else ""
    return f"{told.verdict}, score {_points(told.score)}.{pins}"


# The page -----------------------------------------------------------------------------------------

STYLE = """
:root{--paper:#fbf8f1;--desk:#f5efe2;--line:#d3c7ae;--ink:#26231d;--mute:#6b6354;--teal:#1c5a61;--ox:#8a2c18;
--first:#7f8b82;--second:#9c3c22;--well:#f1eadb}
*{box-sizing:border-box}body{margin:0;background:var(--desk);color:var(--ink);font:13px/1.46 Inter,system-ui,sans-serif}
header,main{max-width:1400px;margin:auto;padding:0 28px}header{padding-top:24px}
h1{font:500 36px/1.15 Spectral,Georgia,serif;margin:6px 0 2px}.sub{font:16px/1.4 Spectral,Georgia,serif;color:#4b453a}
h2{font:600 11px/1 Inter,sans-serif;letter-spacing:.09em;text-transform:uppercase;color:var(--mute);margin:0 0 10px}
main{display:grid;grid-template-columns:minmax(0,2fr) minmax(300px,1fr);gap:16px;padding-bottom:40px;margin-top:18px}
section{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:16px}
.left{display:grid;gap:16px;align-content:start}.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px}
svg.curve{width:100%;height:auto;display:block}.band{fill:var(--well)}.grid{stroke:var(--line);stroke-dasharray:2 4}
.axis{font:500 12px "Barlow Condensed","Arial Narrow",sans-serif;text-anchor:middle;fill:var(--mute)}
.axis.end{text-anchor:end}.line{fill:none;stroke:var(--ink);stroke-width:2.2}
.first{fill:var(--first);fill-opacity:.45}.second{fill:var(--second);fill-opacity:.4}.pin circle{fill:var(--ink)}
.pin text{fill:var(--paper);font:600 12px "Barlow Condensed",sans-serif;text-anchor:middle}
.bars text{font:600 11px "Barlow Condensed",sans-serif;text-anchor:middle;fill:var(--ink)}.bars .f{fill:var(--first)}
.bars .s{fill:var(--second)}ol{list-style:none;margin:0;padding:0}li{padding:10px 0;border-top:1px solid var(--line);
display:grid;grid-template-columns:28px 1fr auto;gap:10px}li:first-child{border:0}
li>i{font:600 13px/24px "Barlow Condensed",sans-serif;width:24px;height:24px;border-radius:50%;background:var(--ink);
color:var(--paper);text-align:center}li small{display:block;color:var(--mute);font-size:12px}
li em{font:600 18px "Barlow Condensed",sans-serif;color:var(--ox)}li em.up{color:var(--teal)}
.kind{font-weight:600;font-size:11px;padding:1px 6px;border-radius:4px;background:#f6e5b9;margin-right:4px}
.kind.good{background:#e0ebe9;color:#123f45}.kind.missed,.kind.blunder{background:#f3dcd3;color:#6d2010}
a{color:var(--teal)}.note{color:var(--mute);font-size:12px}.acts{display:flex;gap:10px;flex-wrap:wrap;margin-top:14px}
.btn{display:inline-flex;align-items:center;min-height:36px;padding:0 14px;border:1px solid var(--line);
border-radius:8px;background:var(--paper);color:var(--ink);text-decoration:none;
font:500 13px Inter,sans-serif;cursor:pointer}
.btn.teal{background:var(--teal);color:#f6fbfa;font-weight:600}.deeds li{grid-template-columns:1fr auto}
.turned{fill:transparent}.hair{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3}
.at{float:right;text-transform:none;letter-spacing:0}
.scene{margin:0 0 10px}.scene img{display:block;width:100%;border:1px solid var(--line);border-radius:9px;
aspect-ratio:2.4;object-fit:cover;background:var(--well)}
.scene figcaption{color:var(--mute);font-size:12px;margin-top:4px}
li.here{background:var(--well)}.key{font:500 11px "Barlow Condensed",sans-serif;border:1px solid;border-radius:3px;
padding:0 4px}@media(prefers-color-scheme:dark){:root{--paper:#26292a;--desk:#17191a;--line:#4a4e4d;--ink:#ece4d3;
--mute:#a89d84;--teal:#7fb9bd;--ox:#e08a72;--first:#9aa69c;--second:#d0694a;--well:#1a1d1e}.sub{color:#d3cab7}
.kind{color:#26231d}.btn.teal{color:#12211f}}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table{border-collapse:collapse}@media(max-width:900px){main,.pair{grid-template-columns:1fr}header,main{padding:0 14px}}
@media print{body{background:#fff}.acts{display:none}}
"""


def as_html(
    told: Debrief, show: Show = lambda _: "", acts: str = "", head: str = "", scene: Scene = lambda *_: "",
    script: str = "",
) -> str:  # fmt: skip
    """A page that needs nothing else; a server adds links to the moments of its table (``show``, ``acts``), pictures
    of them (``scene``), its typefaces (``head``) and the ``script`` of its keys.

    >>> from ladoga.analysis.debrief import Moment
    >>> told = Debrief("marsh", "The Marsh", "evening", ("fox", "heron"), {}, "Draw", "A quiet one.", 9, 8, 8, True)
    >>> told.curve = [Moment(0, 1, "Fox prowl", 0.0, "draw"), Moment(9, 8, "Heron prowl", 1.0, "victory")]
    >>> "The Marsh" in as_html(told)
    True
    """
    names = " against ".join(escape(f"{told.players.get(s, 'a player')} ({s.title()})") for s in told.sides)
    rows = "".join(f"<tr><th>{t}</th><td>{_points(s)}</td></tr>" for t, s in _by_turn(told.curve).items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(told.verdict)} · {escape(told.title)} · Ladoga</title>"
        f"<style>{STYLE}</style>{head}</head><body>"
        f'<header><p class="note">{escape(told.title)} · {names} · {told.events:,} events</p>'
        f'<h1>{escape(told.verdict)}</h1><p class="sub">{escape(told.summary)}</p>'
        f"{f'<p class=acts>{acts}</p>' if acts else ''}</header><main><div class='left'>"
        f"<section><h2>Score, had it ended there <output class='at'></output></h2>"
        f"{curve_svg(told, show=show)}"
        f'<table class="sr"><caption>Score by turn</caption>{rows}</table></section>'
        f'<div class="pair"><section><h2>Steps lost by turn</h2>{_bars(told)}</section>'
        f"<section><h2>Luck</h2><p>{escape(_luck_words(told))}</p>{_band(told)}"
        f"{_deeds(told.luckiest[:1], show, 'Best throw')}{_deeds(told.unluckiest[:1], show, 'Worst throw')}</section>"
        f"</div><div class='pair'><section><h2>Best orders</h2>{_deeds(told.best, show)}</section>"
        f"<section><h2>Worst orders</h2>{_deeds(told.worst, show)}</section></div></div>"
        f"<section><h2>Turning points</h2>{_scene(told, scene)}<ol>{_pins(told, show, scene)}</ol>"
        '<p class="note">Each swing is the change of the score, had the game ended there. “Good” and “blunder” compare '
        "the order with the staff’s own choice, on exact odds, not on how the die fell; “missed” is what the staff’s "
        "own last turn would have prevented.</p>"
        '<p class="note"><span class="key">←</span> <span class="key">→</span> walk the turns, <span class="key">Enter'
        '</span> shows the position, <span class="key">1</span> to <span class="key">6</span> the turning points.</p>'
        f"</section></main>{script}</body></html>"
    )


def _scene(told: Debrief, scene: Scene) -> str:
    """A piece of the map: where the turning point in hand happened."""
    first = next((pin for pin in told.pins if scene(pin.n, pin.hex)), None)
    if first is None:
        return ""
    source = escape(scene(first.n, first.hex))
    return (
        f'<figure class="scene"><img src="{source}" alt="The map at the turning point"><figcaption>'
        f"{told.pins.index(first) + 1}: {escape(first.title)}</figcaption></figure>"
    )


def _pins(told: Debrief, show: Show, scene: Scene) -> str:
    found = []
    for k, pin in enumerate(told.pins, 1):
        link = f' <a href="{escape(show(pin.n))}">open the table there</a>' if show(pin.n) else f" event {pin.n}"
        if drawn := scene(pin.n, pin.hex):
            there = "#" if drawn.startswith("data:") else drawn
            link = f' <a href="{escape(there)}" data-pin="{escape(drawn)}">show on map</a> ·{link}'
        found.append(
            f'<li><i>{k}</i><span><span class="kind {pin.kind.replace(" ", "-")}">{WORDS[pin.kind]}</span>'
            f"<b>{escape(pin.title)}</b><small>{pin.side.title()}: {escape(pin.text)}{link}</small></span>"
            f'<em class="{"up" if pin.swing > 0 else ""}">{_points(pin.swing)}</em></li>'
        )
    return "".join(found) or "<li><span></span><span>The score never swung far.</span></li>"


def _deeds(deeds: list[Deed], show: Show, head: str = "") -> str:
    found = []
    for deed in deeds:
        link = f' <a href="{escape(show(deed.n))}">show</a>' if show(deed.n) else f" event {deed.n}"
        found.append(
            f"<li><span>{f'<b>{head}</b> ' if head else ''}Turn {deed.turn}, {deed.side.title()}: {escape(deed.title)}"
            f"<small>{escape(_printed(deed.result))}, {100 * deed.chance:.1f} %{link}</small></span>"
            f'<em class="{"up" if (deed.got - deed.expected if head else deed.expected) > 0 else ""}">'
            f"{_points(round(deed.got - deed.expected if head else deed.expected, 1))}</em></li>"
        )
    return f'<ol class="deeds">{"".join(found)}</ol>' if found else '<p class="note">None.</p>' if not head else ""


def _bars(told: Debrief) -> str:
    turns = range(1, told.last + 1)
    most = max([v for by in told.losses.values() for v in by.values()] + [1])
    width = 400 / max(1, len(turns))
    parts = []
    for k, turn in enumerate(turns):
        x = k * width
        by = told.losses.get(turn, {})
        parts.append(f'<text x="{x + width / 2:.1f}" y="104">{turn}</text>')
        for side, kind in zip(told.sides, "fs", strict=False):
            lost = by.get(side, 0)
            tall = 78 * lost / most
            if not lost:
                continue
            top, at = (90 - tall, 86 - tall) if kind == "f" else (110, 122 + tall)
            parts.append(f'<rect class="{kind}" x="{x + width * 0.15:.1f}" y="{top:.1f}" width="{width * 0.7:.1f}" '
                         f'height="{tall:.1f}" rx="2"/><text x="{x + width / 2:.1f}" y="{at:.1f}">{lost}</text>'
                         )  # fmt: skip
    words = ", ".join(f"{side.title()} {told.lost(side)}" for side in told.sides)
    return f'<svg class="bars" viewBox="0 0 400 205" role="img" aria-label="Steps lost: {words}">{"".join(parts)}</svg>'


def _band(told: Debrief) -> str:
    """Where the luck lies in the band in which two games in three stay."""
    if not told.spread:
        return ""
    first = told.sides[0]
    at = 200 + 90 * max(-2.0, min(2.0, told.luck[first] / told.spread))
    return (
        '<svg viewBox="0 0 400 52" aria-hidden="true"><path d="M10 22H390" stroke="#d3c7ae"/>'
        '<rect x="110" y="14" width="180" height="16" rx="8" fill="#f1eadb" stroke="#d3c7ae"/>'
        f'<circle cx="{at:.1f}" cy="22" r="7" fill="#8a2c18"/><g class="axis"><text class="axis" x="110" y="46">'
        f'−{told.spread:.1f}</text><text class="axis" x="290" y="46">+{told.spread:.1f}</text></g></svg>'
    )


# The picture --------------------------------------------------------------------------------------


def picture(told: Debrief, scene: str = "") -> str:
    """A picture of 1200 by 630 to share, as SVG: the final map if there is a drawing of it (``scene``), verdict, one
    sentence, the curve, four figures, who played.

    >>> from ladoga.kernel.record import Record
    >>> from ladoga.analysis.debrief import debriefed
    >>> from ladoga.lab import Match, play_match
    >>> record = Record.parse(play_match(Match("tijvin-1941", {}, seed=1), 0, keep_record=True).record)
    >>> picture(debriefed(record, seconds=0.2))[:4]
    '<svg'
    """
    first, second = told.sides[0], told.sides[1]
    left, room = (680, 482) if scene else (60, 1080)
    cell = room / 4
    luck = "luck, in steps" if scene else f"luck of the {first.title()}s, in steps"
    figures = [
        (_points(told.score), "score"),
        (f"{told.lost(first)} : {told.lost(second)}", "steps lost"),
        (str(told.attacks), "attacks"),
        (_points(round(told.luck.get(first, 0.0), 1)), luck),
    ]
    names = " · ".join(f"{told.players.get(s, 'a player')}, {s.title()}" for s in told.sides)
    wide, tall = (520, 250) if scene else (1100, 300)
    place = f'<svg x="{left - 34}" y="{205 if scene else 190}" width="{wide}" height="{tall}" '
    curve = curve_svg(told, wide, tall, pins=True).replace("<svg ", place, 1)
    cells = "".join(
        f'<text x="{left + cell * k:.0f}" y="530" class="fig">{escape(a)}</text>'
        f'<text x="{left + cell * k:.0f}" y="552" class="cap">{escape(b)}</text>' for k, (a, b) in enumerate(figures)
    )  # fmt: skip
    style = STYLE.replace("*{box-sizing:border-box}", "").partition("@media(prefers-color-scheme")[0]
    small = 40 if scene and len(told.verdict) < 24 else 30 if scene else 54
    called = told.title if len(told.title) < 50 or not scene else told.title.partition(": ")[0]
    words = _lines_of(told.summary, 52 if scene else 110)[: 2 if scene else 1]
    said = "".join(
        f'<text x="{left}" y="{150 + 26 * k}" class="t">{escape(line)}</text>' for k, line in enumerate(words)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">'
        f"<style>{style} .fig{{font:600 34px 'Barlow Condensed','Arial Narrow',sans-serif}}"
        f".cap{{font:14px Inter,sans-serif;fill:#6b6354}}.h{{font:500 {small}px Spectral,Georgia,serif}}"
        ".i{font:italic 19px Spectral,Georgia,serif;fill:#6b6354}.t{font:20px Spectral,Georgia,serif}</style>"
        f'<rect width="1200" height="630" fill="#fbf8f1"/>{scene}'
        f'<text x="{left}" y="62" class="i">{escape(called)}</text>'
        f'<text x="{left}" y="112" class="h">{escape(told.verdict)}</text>{said}{curve}{cells}'
        f'<path d="M{left} 576H{left + room}" stroke="#d3c7ae"/><text x="{left}" y="604" class="i">Ladoga</text>'
        f'<text x="{left + room}" y="604" class="cap" text-anchor="end">{escape(names)}</text></svg>'
    )


def _lines_of(words: str, most: int) -> list[str]:
    """A sentence in lines of so many letters at most.

    >>> _lines_of("one two three", 8)
    ['one two', 'three']
    """
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
