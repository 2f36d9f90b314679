"""Responses that a page waits for until a test releases them."""

from __future__ import annotations

from playwright.sync_api import Page, Route


class HeldResponses:
    """Holds back the responses to all requests of a page that match a URL pattern."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self._page, self._pattern = page, pattern
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def release_first(self) -> None:
        """Release the first response, and wait until the page has handled it."""
        with self._page.expect_response(self._pattern) as response:
            self.routes[0].continue_()
        response.value.finished()
        self._page.evaluate("new Promise((done) => setTimeout(done))")  # by then, callbacks of the page have run
