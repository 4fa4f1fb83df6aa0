"""Two hands at a table of any game: everything done by mouse, or everything by keys.

Both do the same: move a unit or two, make an attack where one is offered, settle what must be settled with
the first choice shown, and end each phase.
"""

LOOK = """() => {
    const all = (q) => [...document.querySelectorAll(q)];
    const table = document.querySelector(".table").dataset;
    return {
        version: Number(table.version || 0), phase: table.phase || "", side: table.side || "", n: Number(table.n || 0),
        curtain: all(".curtain button").length > 0, ask: all(".toast.ask").length > 0,
        odds: all(".odds .btn.commit").length > 0, menu: all(".menu button.go").length,
        decisions: all(".decisions button").map((b) => b.textContent),
        waiting: all(".waiting button").length, acts: all(".stack .acts .go").length,
        can: [...new Set(all(".piece.can").map((p) => p.dataset.hex))].sort(),
        ways: all("[data-way]").map((w) => w.dataset.way).sort(),
        offers: all("[data-offer]").map((o) => o.dataset.offer).sort(),
        aims: all("[data-offer].aim").map((o) => o.dataset.offer).sort(),
        chosen: table.chosen || "",
        end: all(".btn.end:not(.held)").length > 0 && table.yours === "true",
        due: all(".outcome [data-order], .outcome [data-advance]").length,
    };
}"""


class Hands:
    """Acts at a table, with the mouse or with the keys alone."""

    def __init__(self, player, *, keys):
        self.player = player
        self.page = player.page
        self.keys = keys
        self.moved = 0
        self.attacked = False

    def look(self):
        """What the table offers, once every question has its answer."""
        self.page.wait_for_selector(".table[data-busy='0']", state="attached")
        return self.page.evaluate(LOOK)

    def press(self, button):
        """A button: clicked, or reached and pressed."""
        if self.keys:
            button.focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()

    def touch(self, hex_):
        """A hex: clicked, or gone to and acted on."""
        if not self.keys:
            self.player.click_hex(hex_)
            return
        self.page.locator(".map").focus()
        self.page.keyboard.press("/")
        self.page.keyboard.type(hex_)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        self.page.wait_for_function("h => document.querySelector('.inspector b')?.textContent === h", arg=hex_)
        self.page.keyboard.press("Enter")

    def turn(self, side, pause=None):
        """Play on until the other side has the next player-turn; ``pause`` is called once in the middle of it."""
        for _ in range(90):
            seen = self.look()
            if seen["curtain"]:
                self.press(self.page.locator(".curtain button"))
                self.page.wait_for_selector(".table[data-version]")
                continue
            if seen["phase"] and not seen["phase"].startswith(side):
                return
            if pause is not None and self.moved:
                pause()
                pause = None
                continue
            self.step(seen)
        raise AssertionError("the player-turn does not end")

    def step(self, seen):
        """One thing after another, as they are offered."""
        if seen["ask"]:
            self.press(self.page.locator(".toast.ask .teal"))
        elif seen["odds"]:
            self.attacked = True
            self.press(self.page.locator(".odds .btn.commit"))
        elif seen["menu"]:
            self.press(self.page.locator(".menu button.go").first)
        elif "movement" in seen["phase"] and self.moved < 2 and seen["can"]:
            self.move(seen)
        elif seen["aims"] and not self.attacked:
            self.touch(seen["aims"][0])
        elif seen["due"]:
            self.press(self.page.locator(".outcome button").first)
        elif seen["end"]:
            self.press(self.page.locator(".btn.end"))
        elif set(seen["decisions"]) - {"Call the attack off", "Pass"} or (
            seen["decisions"] and not seen["can"] and not seen["waiting"]
        ):
            self.press(self.page.locator(".decisions button").first)
        elif seen["offers"]:
            self.touch(seen["offers"][0])
        else:
            self.use(seen)

    def compose(self, seen):
        """One step towards an attack: choose among what is asked, a target, a unit to join."""
        if seen["menu"]:
            target = self.page.locator(".menu button.go", has_text="Attack")
            self.press((target if target.count() else self.page.locator(".menu button.go")).first)
        elif seen["aims"] and not seen["can"] and not seen["waiting"]:
            self.touch(seen["aims"][0])
        else:
            self.use(seen)

    def let_go(self):
        """Nothing chosen any more, and no question about it on its way."""
        self.page.locator(".map").focus()
        while self.look()["chosen"]:
            self.page.keyboard.press("Escape")

    def move(self, seen):
        """The first unit that may go somewhere goes to the first hex it may go to."""
        for hex_ in seen["can"]:
            self.let_go()
            self.touch(hex_)
            if ways := self.look()["ways"]:
                self.touch(ways[0])
                self.moved += 1
                if self.look()["version"] > seen["version"]:
                    self.let_go()
                return
        self.moved = 2

    def use(self, seen):
        """A unit that must do something: where it may go, or the first order it has."""
        if seen["ways"]:
            self.touch(seen["ways"][0])
        elif seen["acts"]:
            self.press(self.page.locator(".stack .acts .go").first)
        elif seen["waiting"]:
            self.press(self.page.locator(".waiting button").first)
        else:
            self.touch(seen["can"][0])
