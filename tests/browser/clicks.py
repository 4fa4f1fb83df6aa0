"""A hand that plays given orders by mouse, with as few clicks as the table asks for, and counts them."""

SEEN = """() => {
    const all = (q) => [...document.querySelectorAll(q)];
    const table = document.querySelector(".table").dataset;
    return {
        chosen: (table.chosen || "").split(" ").filter(Boolean),
        listed: all(".units li[data-row]").map((li) => [li.dataset.row, !li.querySelector("button").disabled]),
        whole: all(".stack .acts button").some((b) => b.textContent.startsWith("Whole stack")),
        odds: all(".odds .btn.commit").length > 0, menu: all(".menu button").map((b) => b.dataset.order || ""),
        acts: all(".acts [data-order]").map((b) => b.dataset.order),
        variants: all(".odds .variants [data-order]").map((b) => [b.dataset.order, b.classList.contains("on")]),
    };
}"""

TOPS = """() => Object.fromEntries(
    [...document.querySelectorAll(".piece.can")].map((p) => [p.dataset.hex, p.dataset.unit])
)"""


class Clicks:
    """Plays orders at a table opened from a record; only what the mouse does counts."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.count = 0
        self.by = {}

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

    def order_button(self, text, within=""):
        self.press(f'{within} [data-order="{text}"]')

    # Orders -------------------------------------------------------------------------------------

    def play(self, order):
        """One order, by the gestures for single orders."""
        before, count = self.player.version, self.count
        self._play(order)
        self.player.wait_past(before)
        self.by[order.verb] = self.by.get(order.verb, 0) + self.count - count

    def _play(self, order):
        if order.verb == "end":
            self.press(".btn.end")
            if self.page.locator(".toast.ask").count():
                self.press(".toast.ask .teal")
        elif order.verb == "commit":
            self.press(".odds .btn.commit")
        elif order.verb == "target":
            self.hex(order.hexes[0])
            if self.seen()["menu"]:
                self.order_button(str(order), ".menu")
        else:
            self._units(order)

    def join(self, units):
        """Units join the attack that is put together, in any order: a click on a hex adds its top unit, one on a row
        the unit of the row."""
        left, count = set(units), self.count
        while left:
            before = self.player.version
            tops = self.page.evaluate(TOPS)
            hex_ = next((hex_ for hex_, unit in tops.items() if unit in left), None)
            if hex_ is not None:
                self.hex(hex_)
                left.discard(tops[hex_])
            else:
                unit = next(unit for unit, able in self.seen()["listed"] if able and unit in left)
                self.press(f'.units li[data-row="{unit}"] button')
                left.discard(unit)
            self.player.wait_past(before)
        self.by["add"] = self.by.get("add", 0) + self.count - count

    def _units(self, order):
        self._choose(order.units)
        if order.hexes:
            self.hex(order.hexes[-1])
            seen = self.seen()
            if seen["menu"]:
                self.order_button(str(order), ".menu")
            elif seen["odds"]:
                variants = dict(seen["variants"])
                if variants and not variants.get(str(order), False):
                    self.order_button(str(order), ".odds .variants")
                    self.seen()
                self.press(".odds .btn.commit")
        else:
            self.order_button(str(order), ".acts")

    def _choose(self, units):
        """Have exactly these units chosen."""
        wanted, seen = set(units), self.seen()
        if set(seen["chosen"]) == wanted:
            return
        listed = {unit for unit, able in seen["listed"] if able}
        if not wanted <= listed or not set(seen["chosen"]) & listed:
            self.hex(self.player.unit(units[0]).get_attribute("data-hex"))
            seen = self.seen()
            listed = {unit for unit, able in seen["listed"] if able}
        if len(wanted) > 1 and wanted == listed and set(seen["chosen"]) != wanted:
            self.press(".stack .acts button:has-text('Whole stack')")
            self.seen()
            return
        for unit in sorted(wanted - set(seen["chosen"])) + sorted(set(seen["chosen"]) - wanted):
            self.press(f'.units li[data-row="{unit}"] button')
            self.seen()
