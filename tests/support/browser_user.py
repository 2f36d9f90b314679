"""A user with a browser window, who does what a person does and sees what a person sees."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, ViewportSize, expect

from support.page_server import PageServer
from support.scripted_dice import known_seed

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
TIMEOUT_S = 60.0
"""Generous, because other tests may keep the machine busy. A test that passes does not wait for it."""

Theme = Literal["dark", "light"]

KNOWN_SEEDS_JS = """
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
"""Random values of 32 bytes are seeds: they become those of `known_seed`. Other values stay random."""

LONG_TASKS_JS = """
window.longTasks = []
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration))).observe({
  type: 'longtask', buffered: true,
})
"""
"""Chromium reports tasks that take more than 50 ms."""

VISIBLE_POINT_JS = """
(spot) => {
  const { x, y, width, height } = spot.getBoundingClientRect()
  const steps = [...Array(15).keys()].map((step) => ((step * 8 + 7) % 15 + 0.5) / 15)
  const offsets = steps.flatMap((down) => steps.map((right) => [width * right, height * down]))
  const isVisible = ([dx, dy]) => document.elementFromPoint(x + dx, y + dy)?.closest('[data-spot]') === spot
  const [dx, dy] = offsets.find(isVisible) ?? []
  return dx === undefined ? null : { x: x + dx, y: y + dy, dx, dy }
}
"""
"""Return a point where a spot is not covered, in the window and relative to the spot, starting from its center."""


class BrowserUser:
    """A browser window and its problems: console errors, script errors and requests to other servers."""

    def __init__(
        self, browser: Browser, page_server: PageServer, number: int, name: str = "", *, size: ViewportSize = DESKTOP,
        theme: Theme = "dark", motion: bool = False,
    ) -> None:  # fmt: skip
        self.page_server = page_server
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._address = page_server.server.address
        self._context = browser.new_context(
            base_url=self._address, viewport=size, has_touch=size == PHONE, color_scheme=theme,
            reduced_motion="no-preference" if motion else "reduce",
        )  # fmt: skip
        self._context.set_default_timeout(TIMEOUT_S * 1000)
        self._context.add_init_script(KNOWN_SEEDS_JS % known_seed(number, 0)[0])
        self._context.add_init_script(LONG_TASKS_JS)
        self.page = self._context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        self.page.on("request", self._on_request)
        if name:
            self.post("/api/guests", name=name)

    def close(self) -> None:
        self._context.close()

    def _on_console(self, message: ConsoleMessage) -> None:
        """Record errors. Chromium also logs refused API requests, which are not errors: the page shows them."""
        is_refusal = message.text.startswith("Failed to load resource: the server responded") and (
            "/api/" in message.location["url"]
        )
        if message.type in {"error", "warning"} and not is_refusal:
            self.problems.append(f"{message.type}: {message.text}")

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self._address, "data:", "blob:")):
            self.problems.append(f"request to another server: {request.url}")

    def ignore_problems(self, pattern: str) -> None:
        """Drop the problems that a test causes on purpose, such as network errors while the server is stopped."""
        self.problems = [problem for problem in self.problems if not re.search(pattern, problem)]

    # ---------------------------------------------------------------------------------- without the page

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Send a request as this user, without the page."""
        response = self._context.request.post(path, data=body, headers={"Origin": self._address})
        assert response.ok, response.text()
        return dict(response.json())

    def join(self, table: str, cents: int = 50_000) -> None:
        """Join a table without the page, then open the page and wait until it is connected."""
        self.post(f"/api/tables/{table}/commands", id=f"join-{cents}", command="join", cents=cents)
        self.open(f"/table/{table}")
        self.wait_until_connected()

    def table_state(self, table: str) -> dict[str, Any]:
        """Return the snapshot of a table as this user sees it."""
        response = self._context.request.get(f"/api/tables/{table}")
        assert response.ok, response.text()
        return dict(response.json())

    def set_preferences(self, **preferences: Any) -> None:
        """Store preferences before the page is opened: fast, guideDone, theme, chip."""
        self._context.add_init_script(f"localStorage.setItem('trueodds', JSON.stringify({json.dumps(preferences)}))")

    # ------------------------------------------------------------------------------------- with the page

    def open(self, path: str = "/") -> None:
        self.page.goto(path, wait_until="load")

    def wait_until_connected(self) -> None:
        """Wait until the page of a table can send commands."""
        expect(self.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()

    def spot(self, spot: str) -> Locator:
        return self.page.locator(f'[data-spot="{spot}"]')

    def select_chip(self, cents: int) -> None:
        self.page.locator(f'button[data-chip="{cents}"]').click()

    def bet(self, spot: str, cents: int = 500) -> None:
        """Bet a chip on a spot with the mouse."""
        self.select_chip(cents)
        self.click(spot)

    def click(self, spot: str) -> None:
        """Wait until a spot is enabled and click it where it is visible. The center of the pass line may be covered.

        The point is relative to the spot, because the page may scroll or move the felt before the click.
        """
        target = self.spot(spot)
        expect(target).to_be_enabled()
        point = self._visible_point(target)
        target.click(position={"x": point["dx"], "y": point["dy"]})

    def visible_point(self, spot: str) -> tuple[float, float]:
        """Return a point of the window where a spot is not covered by another one."""
        point = self._visible_point(self.spot(spot))
        return point["x"], point["y"]

    def _visible_point(self, target: Locator) -> dict[str, float]:
        point = target.evaluate(VISIBLE_POINT_JS)
        if not point:
            target.scroll_into_view_if_needed()
            point = target.evaluate(VISIBLE_POINT_JS)
        assert point, "the spot is covered everywhere"
        return dict(point)

    @property
    def roll_button(self) -> Locator:
        return self.page.locator("button[data-action=roll]")

    def roll(self, table: str) -> Locator:
        """Roll the dice, wait until the log shows the roll, and return its entry."""
        return self.wait_for_event(self.roll_on_server(table))

    def roll_on_server(self, table: str) -> int:
        """Roll the dice, wait only for the server, and return the sequence number of the roll."""
        after = int(self.page_server.table_state(table)["sequence"])
        self.roll_button.click()
        return self._next_roll_event(table, after)

    def wait_for_roll(self, table: str, after: int) -> Locator:
        """Wait until the log shows the next roll of any player after a sequence number, and return its entry."""
        return self.wait_for_event(self._next_roll_event(table, after))

    def _next_roll_event(self, table: str, after: int) -> int:
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            rolls = [
                int(event["sequence"]) for event in self.page_server.events(table, after) if event["kind"] == "rolled"
            ]
            if rolls:
                return rolls[0]
            assert time.monotonic() < deadline, "the dice were not rolled"
            self.page.wait_for_timeout(50)

    def wait_for_event(self, sequence: int) -> Locator:
        """Wait until the log shows an event, and return its entry."""
        entry = self.page.locator(f'[data-event="{sequence}"]')
        expect(entry).to_be_attached()
        return entry

    @property
    def announcement(self) -> Locator:
        """The text for screen readers."""
        return self.page.locator("[data-announcement]")

    # ------------------------------------------------------------------------------------------ measuring

    def violations(self) -> list[str]:
        """Check the page with all rules of axe and return the violations."""
        violations = Axe().run(self.page).response["violations"]
        return [f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in violations for node in rule["nodes"]]

    def overflows(self) -> bool:
        """Return whether the page is wider than the window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))

    def long_tasks_ms(self) -> list[float]:
        """Return the durations of all tasks over 50 ms since the page was opened."""
        return list(self.page.evaluate("longTasks"))

    def first_paint_ms(self) -> float:
        first_paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        return float(self.page.evaluate(first_paint))


NewUser = Callable[..., BrowserUser]


def set_loss_limit(user: BrowserUser, cents: int) -> None:
    """Set the loss limit of a user without the page."""
    user.page.evaluate(
        "(cents) => fetch('/api/me/limits', {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({loss_cents: cents, time_ms: null})}).then((response) => response.json())", cents,
    )  # fmt: skip
