"""Answers that a page waits for until a test lets them go."""

from __future__ import annotations

from playwright.sync_api import Page, Route


class Held:
    """What a page asks for under a pattern of addresses, held back."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self._page, self._pattern = page, pattern
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def let_go(self) -> None:
        """Let the first one go, and wait until the page has heard the answer."""
        with self._page.expect_response(self._pattern) as answered:
            self.routes[0].continue_()
        answered.value.finished()
        self._page.evaluate("new Promise((done) => setTimeout(done))")  # what waited for the answer has run by then
