"""A hand that plays given orders by mouse, with as few clicks as the table asks for, and counts them."""

SEEN = """() => {
    const all = (q) => [...document.querySelectorAll(q)];
    const table = document.querySelector(".table").dataset;
    return {
        chosen: (table.chosen || "").split(" ").filter(Boolean),
        listed: all(".units li[data-row]:has(button:not(:disabled))").map((li) => li.dataset.row),
        formations: all(".stack [data-formation]").map((b) => b.dataset.formation),
        odds: all(".odds .btn.commit").length > 0, menu: all(".menu button").length,
        due: all(".outcome [data-order]").map((b) => b.dataset.order),
        joins: all("[data-join]").map((b) => b.dataset.join),
        able: all(".piece.can").map((p) => [p.dataset.unit, p.dataset.hex]),
        variants: all(".odds .variants [data-order]").map((b) => [b.dataset.order, b.classList.contains("on")]),
    };
}"""


JOINED = """units => ![...document.querySelectorAll(".piece.can")].some((p) => units.includes(p.dataset.unit))"""
"""Units that have joined in can no longer be chosen."""


class Clicks:
    """Plays orders at a table; only what the mouse does counts."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.count = 0
        self.by = {}
        self.told = []

    # What a hand can do -------------------------------------------------------------------------

    def seen(self):
        self.page.wait_for_selector(".table[data-busy='0']", state="attached")
        return self.page.evaluate(SEEN)

    def hex(self, hex_):
        self.count += 1
        self.player.click_hex(hex_)

    def press(self, selector):
        self.count += 1
        self.page.locator(selector).first.click()

    def where(self, unit):
        return self.page.locator(f".piece[data-unit='{unit}']").get_attribute("data-hex")

    # Orders -------------------------------------------------------------------------------------

    def play(self, orders):
        """Orders that belong together, as few clicks as it takes."""
        verb, count, before = orders[0].verb, self.count, self.player.version
        if verb == "add":
            self._join([order.units[0] for order in orders])
        elif verb == "advance":
            self._advance(orders)
        else:
            (order,) = orders
            self._one(order)
        self.player.wait_past(before)
        self.seen()
        self.by[verb] = self.by.get(verb, 0) + self.count - count
        self.told.append((self.count - count, [str(order) for order in orders]))

    def _one(self, order):
        if order.verb == "end":
            self.press(".btn.end")
            if self.page.locator(".toast.ask").count():
                self.press(".toast.ask .teal")
        elif order.verb == "commit":
            self.press(".odds .btn.commit")
        elif order.verb == "target":
            self.hex(order.hexes[0])
            if self.seen()["menu"]:
                self.press(f'.menu [data-order="{order}"]')
        elif str(order) in self.seen()["due"]:
            self.press(f'.outcome [data-order="{order}"]')
        else:
            self._choose(order.units)
            self.hex(order.hexes[-1])
            self._strike(order)

    def _strike(self, order):
        """Commit what the click has weighed, with the support that is meant."""
        seen = self.seen()
        if seen["menu"]:
            self.press(f'.menu [data-order="{order}"]')
        elif seen["odds"]:
            if seen["variants"] and not dict(seen["variants"])[str(order)]:
                self.press(f'.odds .variants [data-order="{order}"]')
                self.seen()
            self.press(".odds .btn.commit")

    def _join(self, units):
        """All that may, all of a stack, or one after another."""
        left = set(units)
        while left:
            before, seen = self.player.version, self.seen()
            stacks = {}
            for unit, hex_ in seen["able"]:
                stacks.setdefault(hex_, []).append(unit)
            whole = next((h for h, us in stacks.items() if set(us) <= left and h in seen["joins"]), None)
            if {unit for us in stacks.values() for unit in us} <= left and "all" in seen["joins"]:
                taken = {unit for us in stacks.values() for unit in us}
                self.press('[data-join="all"]')
            elif whole is not None:
                taken = set(stacks[whole])
                self.press(f'[data-join="{whole}"]')
            else:
                hex_ = next(h for h, us in stacks.items() if us[-1] in left)
                taken = {stacks[hex_][-1]}
                self.hex(hex_)
            self.player.wait_past(before)
            self.page.wait_for_function(JOINED, arg=sorted(taken))
            left -= taken

    def _advance(self, orders):
        """All at once where all go to one hex, else by their buttons."""
        left = list(orders)
        while left:
            to = left[0].hexes[-1]
            together = [order for order in left if order.hexes[-1] == to]
            button = self.page.locator(f'.outcome [data-advance="{to}"]')
            into = [o for o in self.seen()["due"] if o.split()[2].split("-")[-1] == to]
            before = int(self.page.locator(".table").get_attribute("data-n"))
            if len(together) > 1 and button.count() and len({o.split()[1] for o in into}) == len(together):
                self.press(f'.outcome [data-advance="{to}"]')
                done = together
            else:
                self.press(f'.outcome [data-order^="advance {left[0].units[0]} "][data-order$="{to}"]')
                done = left[:1]
            self.page.wait_for_function(
                "n => Number(document.querySelector('.table').dataset.n) >= n", arg=before + len(done)
            )
            left = [order for order in left if order not in done]

    def _choose(self, units):
        """Have exactly these units chosen."""
        wanted, seen = set(units), self.seen()
        if set(seen["chosen"]) == wanted:
            return
        if not wanted <= set(seen["listed"]) or not set(seen["chosen"]) & set(seen["listed"]):
            self.hex(self.where(units[0]))
            seen = self.seen()
        if len(wanted) > 1 and wanted == set(seen["listed"]) and set(seen["chosen"]) != wanted:
            self.press(".stack .acts button:has-text('Whole stack')")
            return
        if len(wanted) == 1 and len(seen["listed"]) > 1:
            self.press(f'.units li[data-row="{units[0]}"] .only')
            return
        corps = {unit.partition("/")[2] for unit in units}
        if len(wanted) > 2 and len(corps) == 1 and corps <= set(seen["formations"]):
            self.press(f'.stack [data-formation="{corps.pop()}"]')
            self.seen()
            return
        for unit in sorted(wanted - set(seen["chosen"])) + sorted(set(seen["chosen"]) - wanted):
            self.press(f'.units li[data-row="{unit}"] button')
            self.seen()
