"""Units by their full names, for sentences: a counter says ``12`` and ``II/28p``, people say more.

Names are read off what lies on the table, so that a view never tells a name its side may not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from .position import Event
from .sides import style_of
from .table import Counter

SIZES = {"I": "Company", "II": "Battalion", "III": "Regiment", "X": "Brigade", "XX": "Division", "XXX": "Corps",
         "XXXX": "Army"}  # fmt: skip
BRANCHES = {
    "infantry": "Infantry", "armor": "Armored", "mechanized": "Motorized", "motorized": "Motorized",
    "cavalry": "Cavalry", "artillery": "Artillery", "engineer": "Engineer", "antitank": "Antitank", "rocket": "Rocket",
    "marine": "Marine", "airborne": "Parachute", "security": "NKVD", "worker": "Workers", "rail-gun": "Railroad Gun",
}  # fmt: skip
WORDS = {
    "K": "Motorcycle", "PJ": "Antitank", "Pi": "Engineer", "StG": "Assault Gun", "Br": "Bridge",
    "rec": "Reconnaissance",
    "A": "Artillery", "M": "Motorized", "p": "Rifle", "F": "Parachute", "St": "Parachute Assault", "W": "Rocket",
    "Fl": "Flak", "P": "SS Polizei", "T": "SS Totenkopf", "PA": "SS Polizei Artillery", "TA": "SS Totenkopf Artillery",
    "Prec": "SS Polizei Reconnaissance", "PPJ": "SS Polizei Antitank", "PPi": "SS Polizei Engineer",
    "TK": "SS Totenkopf Motorcycle", "Trec": "SS Totenkopf Reconnaissance", "TPJ": "SS Totenkopf Antitank",
    "TPi": "SS Totenkopf Engineer", "TStG": "SS Totenkopf Assault Gun", "StPi": "Assault Engineer",
    "FPi": "Flieger Engineer", "FPJ": "Flieger Antitank", "FA": "Flieger Artillery", "NKVD": "NKVD",
    "Kir": "Kirov Workers", "LG": "Lenin Workers", "MG": "Machine Gun", "Kom": "Komsomol", "KirT": "Kirov Tank",
    "AT": "Antitank", "AA": "Anti-aircraft", "MixA": "Mixed Artillery", "DNOA": "Militia Artillery", "En": "Engineer",
    "ACar": "Armored Car", "RBF": "Red Banner Fleet Marine", "RB": "Reserve Rifle", "H": "Howitzer",
    "Pz": "Panzer", "Mot": "Motorized", "Inf": "Infantry", "ID": "Infantry", "ARKO": "Artillery Command",
    "D.F.": "Rifle",
    "D.F. Gu": "Guards Rifle", "D.T.": "Tank", "B.T.": "Tank", "Br. Mnt.": "Mountain", "R.Art": "Artillery",
    "B.Kat": "Katyusha", "D.Cab": "Cavalry", "AT.R.": "Antitank", "Br.I.N.": "Naval Infantry", "Br. Gran": "Grenadier",
}  # fmt: skip
"""What the letters on counters stand for."""
WHOLE = re.compile(r"\b(Division|Brigade|Regiment|Corps|HQ|Unit|Battalion|School|Fleet|air unit|Task Force|Fort)\b")
LEADERS = ("leader", "air", "naval", "bomber", "fort")


def ordinal(number: str) -> str:
    """A number as it is spoken: ``12th``, ``291st``; two joined ones both.

    >>> ordinal("12"), ordinal("291"), ordinal("22"), ordinal("128+310")
    ('12th', '291st', '22nd', '128th/310th')
    """
    if "+" in number:
        return "/".join(ordinal(part) for part in number.split("+"))
    tens, ones = int(number) // 10 % 10, int(number) % 10
    return f"{number}{'th' if tens == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th')}"


def full_name(counter: Counter) -> str:
    """What a unit is called in a sentence.

    >>> full_name(Counter("12", "german", name="12", size="XX"))
    '12th Infantry Division'
    >>> full_name(Counter("II/28p", "german", name="II/28p", size="II", symbol="mechanized"))
    'II Battalion, 28th Rifle Regiment'
    >>> full_name(Counter("back-3", "soviet", hex="4516", symbol="unknown", face_down=True))
    'hidden unit in 4516'
    """
    c = counter
    return _named(c.id, c.side, c.symbol, c.size, c.name, c.hex if c.face_down else "", c.face_down, c.colour)


@lru_cache(4096)
def _named(unit: str, side: str, symbol: str, size: str, name: str, where: str, face_down: bool, colour: str) -> str:
    if face_down or symbol == "unknown":
        return f"hidden unit in {where}" if where else "hidden unit"
    branch = style_of(side).branches.get(symbol) or BRANCHES.get(symbol, "")
    echelon = SIZES.get(size, "")
    if not name:
        return f"hidden {branch.lower()} {echelon.lower()} {unit}".replace("  ", " ")
    if symbol == "hq":
        return _headquarters(name)
    if WHOLE.search(name) or symbol in LEADERS:
        return _turned(name)
    if re.match(r"\d/\dG?DNO", unit):
        return _parsed(unit, branch, echelon)
    if re.fullmatch(r"\d+(\+\d+)?", name):
        guards = "Guards " if colour == "guards" else ""
        return f"{ordinal(name)} {guards}{branch} {echelon}".strip()
    return _parsed(name.partition(" (")[0], branch, echelon) or name


def _headquarters(name: str) -> str:
    """A headquarters: ``39 A.Korps (Mot)``."""
    if found := re.fullmatch(r"(\d+) Army", name):
        return f"{ordinal(found[1])} Army"
    name = name.replace("A.Korps", "Corps").replace(" (Mot)", "")
    return re.sub(r"\b(\d+) Corps", lambda m: f"{ordinal(m[1])} Corps", name)


@lru_cache(512)
def formation_name(name: str) -> str:
    """What a unit belongs to, as it is spoken.

    >>> formation_name("39 A.Korps (Mot)"), formation_name("I A.Korps"), formation_name("41")
    ('39th Corps', 'I Corps', '41')
    """
    return _headquarters(name)


def _turned(name: str) -> str:
    """A regiment before its division: ``1st Panzer, 113th Motorized Regiment``."""
    division, comma, regiment = name.partition(", ")
    return f"{regiment}, {division} Division" if comma and "Regiment" in regiment else name


def _parsed(name: str, branch: str, echelon: str) -> str:
    """A designation in figures and letters."""
    if found := re.fullmatch(r"(I{1,3}|IV)/(\d*)(\w*)", name):
        number = f"{ordinal(found[2])} " if found[2] else ""
        return f"{found[1]} Battalion, {number}{WORDS.get(found[3], branch)} Regiment"
    if found := re.fullmatch(r"(\d)/(\d)(G?)DNO", name.rpartition("/")[0] or name):
        return f"{ordinal(found[1])} Regiment, {ordinal(found[2])} {'Guards ' if found[3] else ''}Militia Division"
    head = name.partition("/")[0]
    if head.startswith("SS "):
        return f"{head} {echelon}".strip()
    if found := re.fullmatch(r"(\d+(?:\+\d+)?) ?([A-Za-z][\w. ]*)?", head):
        word = branch if found[2] == "T" and branch == "Tank" else WORDS.get(found[2] or "", "")
        if found[2] == "ARKO":
            return f"{ordinal(found[1])} {word}"
        recon = "Reconnaissance" if not found[2] and branch == "Cavalry" else ""
        return f"{ordinal(found[1])} {word or recon or branch} {echelon}".strip()
    return f"{WORDS[head]} {echelon}" if head in WORDS else ""


def names_of(*tables: Iterable[Counter]) -> dict[str, str]:
    """The full name of every counter on some tables; a later table knows better."""
    return {counter.id: full_name(counter) for counters in tables for counter in counters}


def several(names: Iterable[str]) -> str:
    """Many units in one breath: those alike share their kind.

    >>> several(["1st Panzer Division", "6th Panzer Division", "36th Motorized Division"])
    '1st and 6th Panzer Divisions and 36th Motorized Division'
    >>> several(["hidden unit in 4516", "hidden unit in 4516"])
    '2 hidden units in 4516'
    >>> several(["hidden tank division a5", "hidden tank division a7"])
    'hidden tank divisions a5 and a7'
    """
    groups: dict[str, list[str]] = {}
    untried: dict[str, list[str]] = {}
    for name in names:
        if found := re.fullmatch(r"(hidden .+) ([ia]\d+)", name):
            untried.setdefault(found[1], []).append(found[2])
            continue
        number, _, kind = name.partition(" ")
        alike = re.match(r"\d|hidden$|I", number) is not None and kind
        groups.setdefault(kind if alike else name, []).append(number if alike else "")
    hidden = (f"{_plural(kind) if ids[1:] else kind} {listed(ids)}" for kind, ids in untried.items())
    return listed([*(_group(kind, numbers) for kind, numbers in groups.items()), *hidden])


def _group(kind: str, numbers: list[str]) -> str:
    if len(numbers) == 1:
        return f"{numbers[0]} {kind}".strip()
    if set(numbers) <= {"hidden"}:
        return f"{len(numbers)} hidden {_plural(kind)}"
    return f"{listed(numbers)} {_plural(kind)}" if all(numbers) else f"{len(numbers)} {kind}"


def _plural(kind: str) -> str:
    """Of a kind of unit; a kind that goes on after a comma or a place takes its plural there.

    >>> _plural("Panzer Division"), _plural("unit in 4516"), _plural("Battalion, 8th Motorized Regiment")
    ('Panzer Divisions', 'units in 4516', 'Battalions, 8th Motorized Regiment')
    >>> _plural("Army"), _plural("Corps")
    ('Armies', 'Corps')
    """
    return re.sub(r"^([^,]*?)(,| in |$| [ia]\d+$)", lambda m: f"{_many(m[1])}{m[2]}", kind, count=1)


def _many(noun: str) -> str:
    if noun.endswith("Corps"):
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def listed(parts: Iterable[str]) -> str:
    """Things in a row: ``a, b and c``."""
    *most, last = list(parts) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def renamed(fact: str, names: Mapping[str, str]) -> str:
    """A fact of an event with units by their full names, alone or in a row.

    >>> renamed("1+2", {"1": "1st Infantry Division", "2": "2nd Infantry Division"})
    '1st and 2nd Infantry Divisions'
    """
    if fact in names:
        return names[fact]
    if (found := re.fullmatch(r"(.+ at )(\S+)", fact)) and found[2] in names:
        return found[1] + names[found[2]]
    units = re.split(r"\+|, | and ", fact)
    return several(names[unit] for unit in units) if all(unit in names for unit in units) else fact


def labelled(label: str, names: Mapping[str, str]) -> str:
    """A line of a ledger that begins or ends with a unit, with the unit's full name.

    >>> labelled("losses of 1/1", {"1/1": "1st Regiment"}), labelled("12 reduced", {"12": "12th Infantry Division"})
    ('losses of 1st Regiment', '12th Infantry Division reduced')
    """
    first, space, rest = label.partition(" ")
    if first in names:
        return f"{names[first]}{space}{rest}"
    head, of, last = label.rpartition(" of ")
    return f"{head}{of}{names[last]}" if of and last in names else label


def tidy(sentence: str) -> str:
    """A sentence whose facts were renamed: it begins with a capital letter, and no place is named twice.

    >>> tidy("hidden unit in 2308 in 2308 is turned up")
    'Hidden unit in 2308 is turned up'
    """
    once = re.sub(r"\bin (\w+) in \1\b", r"in \1", sentence)
    return once[:1].upper() + once[1:]


class Names:
    """The names that an audience has learned so far, to tell it what happened."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def look(self, counters: Iterable[Counter]) -> None:
        """Look at a table again. Some games write a unit's own abbreviation in sentences, so that is known as well."""
        for counter in counters:
            name = self.known[counter.id] = counter.called or full_name(counter)
            if len(counter.name) > 3 and counter.name != counter.id and not counter.name.isdigit():
                self.known.setdefault(counter.name, name)

    def tell(self, event: Event) -> str:
        """An event in one sentence, its units by their full names."""
        facts = (renamed(fact, self.known) if isinstance(fact, str) else fact for fact in event.facts)
        return tidy(event.template.format(*facts))

    def say(self, text: str) -> str:
        """A text in which an id stands at the end, as in a prompt: ``Fire, or let it pass: II/8M``."""
        head, colon, unit = text.rpartition(": ")
        return f"{head}{colon}{renamed(unit, self.known)}" if colon else text
