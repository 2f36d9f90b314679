"""Somebody with a browser of their own, who sees what a person sees and does what a person does."""

from __future__ import annotations

import json
import re
import time
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, ViewportSize, expect

from house import House
from scripted_dice import drawn_seed

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PATIENCE_S = 15.0
Room = Literal["dark", "bright"]

DRAW = """
(() => {
  const draw = crypto.getRandomValues.bind(crypto)
  let draws = 0
  crypto.getRandomValues = (array) => {
    if (array.byteLength !== 32) return draw(array)
    array.fill(0).set([%d, draws >> 8, draws & 255])
    draws++
    return array
  }
})()
"""
"""Seeds have 32 bytes, and are those of `drawn_seed`; anything else stays random."""

WATCH = """
window.longTasks = []
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration))).observe({
  type: 'longtask', buffered: true,
})
"""
"""Chromium tells of tasks over 50 ms."""

SEEN = """
(spot) => {
  const { x, y, width, height } = spot.getBoundingClientRect()
  const steps = [...Array(15).keys()].map((step) => ((step * 8 + 7) % 15 + 0.5) / 15)
  const points = steps.flatMap((down) => steps.map((right) => [x + width * right, y + height * down]))
  return points.find((point) => document.elementFromPoint(...point)?.closest('[data-spot]') === spot) ?? null
}
"""
"""A point at which a spot is on top, the middle first."""


class Visitor:
    """A window, and everything that went wrong in it: errors on the console, faults of scripts, requests elsewhere."""

    def __init__(
        self, browser: Browser, house: House, number: int, name: str = "", *, size: ViewportSize = DESKTOP,
        room: Room = "dark", motion: bool = False,
    ) -> None:  # fmt: skip
        self.house = house
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._context = browser.new_context(
            base_url=house.server.address, viewport=size, has_touch=size == PHONE,
            color_scheme="light" if room == "bright" else "dark",
            reduced_motion="no-preference" if motion else "reduce",
        )  # fmt: skip
        self._context.set_default_timeout(PATIENCE_S * 1000)
        self._context.add_init_script(DRAW % drawn_seed(number, 0)[0])
        self._context.add_init_script(WATCH)
        self.page = self._context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(f"fault: {error}"))
        self.page.on("request", self._see)
        if name:
            self.post("/api/guests", name=name)

    def leave(self) -> None:
        self._context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        """Take down errors. A no of the server is not one: Chromium writes it down, and the page shows it."""
        refused = message.text.startswith("Failed to load resource: the server responded") and (
            "/api/" in message.location["url"]
        )
        if message.type in {"error", "warning"} and not refused:
            self.problems.append(f"{message.type}: {message.text}")

    def _see(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.house.server.address, "data:", "blob:")):
            self.problems.append(f"asked elsewhere: {request.url}")

    def forgive(self, pattern: str) -> None:
        """Forget problems that belong to what a test does, as errors of the network do to a server that is stopped."""
        self.problems = [problem for problem in self.problems if not re.search(pattern, problem)]

    # ---------------------------------------------------------------------------------- without the page

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Ask the server as this person, past the page."""
        answer = self._context.request.post(path, data=body, headers={"Origin": self.house.server.address})
        assert answer.ok, answer.text()
        return dict(answer.json())

    def sit(self, table: str, cents: int = 50_000) -> None:
        """Sit down past the page, and open the table."""
        self.post(f"/api/tables/{table}/wishes", id=f"sit-{cents}", wish="sit", cents=cents)
        self.open(f"/table/{table}")

    def look(self, table: str) -> dict[str, Any]:
        """Look at a table as this person, past the page."""
        answer = self._context.request.get(f"/api/tables/{table}")
        assert answer.ok, answer.text()
        return dict(answer.json())

    def prefer(self, **prefs: Any) -> None:
        """Like something about the page before it is opened: fast, guided, room, chip."""
        self._context.add_init_script(f"localStorage.setItem('trueodds', JSON.stringify({json.dumps(prefs)}))")

    # ------------------------------------------------------------------------------------- with the page

    def open(self, path: str = "/") -> None:
        self.page.goto(path, wait_until="load")

    def spot(self, spot: str) -> Locator:
        return self.page.locator(f'[data-spot="{spot}"]')

    def take_chip(self, cents: int) -> None:
        self.page.locator(f'button[data-chip="{cents}"]').click()

    def bet(self, spot: str, cents: int = 500) -> None:
        """Put a chip on a spot with the mouse."""
        self.take_chip(cents)
        self.click(spot)

    def click(self, spot: str) -> None:
        """Click a spot where a person would: where it is seen. The middle of a bent one may be another."""
        there = self.spot(spot)
        point = there.evaluate(SEEN)
        if not point:
            there.scroll_into_view_if_needed()
            point = there.evaluate(SEEN)
        assert point, f"{spot} is covered everywhere"
        self.page.mouse.click(*point)

    @property
    def roll_button(self) -> Locator:
        return self.page.locator("button[data-do=roll]")

    def roll(self, table: str) -> Locator:
        """Throw the dice, and wait until the log of the page shows what came of it; give that entry."""
        return self.sees(self.throw(table))

    def throw(self, table: str) -> int:
        """Throw the dice, and wait for the server alone; give the number of the roll's row."""
        after = int(self.house.look(table)["sequence"])
        self.roll_button.click()
        return self._rolled(table, after)

    def sees_roll(self, table: str, after: int) -> Locator:
        """Wait until the log of the page shows the next roll after a row, whoever threw it; give that entry."""
        return self.sees(self._rolled(table, after))

    def _rolled(self, table: str, after: int) -> int:
        until = time.monotonic() + PATIENCE_S
        while True:
            thrown = [int(row["number"]) for row in self.house.rows(table, after) if row["kind"] == "rolled"]
            if thrown:
                return thrown[0]
            assert time.monotonic() < until, "the dice were not thrown"
            self.page.wait_for_timeout(50)

    def sees(self, number: int) -> Locator:
        """Wait until an event is in the log of the page; give its entry."""
        entry = self.page.locator(f'[data-event="{number}"]')
        expect(entry).to_be_attached()
        return entry

    @property
    def announced(self) -> Locator:
        """What a screen reader is told of a throw."""
        return self.page.locator("[data-said]")

    # ------------------------------------------------------------------------------------------ measuring

    def violations(self) -> list[str]:
        """Let axe look at the page, with all its rules; give what it finds."""
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {one['help']}: {node['html'][:160]}" for one in found for node in one["nodes"]]

    def overflows(self) -> bool:
        """Say whether the page is wider than the window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))

    def long_tasks_ms(self) -> list[float]:
        """Give how long each task of more than 50 ms took since the page was opened."""
        return list(self.page.evaluate("longTasks"))

    def first_paint_ms(self) -> float:
        painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        return float(self.page.evaluate(painted))
