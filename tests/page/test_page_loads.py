"""Every page loads in a real browser, without errors and without requests to other servers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.browser import MAX_SCRIPT_BYTES
from support.browser_user import DESKTOP, PHONE, NewUser, Theme
from trueodds.rulebook import book_ids

TITLES = {
    "/": "Craps, by the book",
    "/new": "New table",
    "/me": "Your account",
    "/drill": "Dealer's drill",
    "/table/nowhere": "Table",
    "/proof/nowhere/1": "Roll 1",
}
"""The heading of every path, including paths of tables that do not exist."""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_lobby_loads(new_user: NewUser, theme: Theme, size: dict[str, int]) -> None:
    """The fixture also checks the console and requests to other servers."""
    ann = new_user(size=size, theme=theme)
    ann.open()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(TITLES["/"])
    expect(ann.page.get_by_role("radio")).to_have_count(len(book_ids()))
    expect(ann.page.get_by_text("No tables are open.")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.dataset.theme") == theme
    assert not ann.overflows()
    requests = [url.removeprefix(ann.page_server.server.address) for url in ann.requests if "/api/" in url]
    first = requests[: requests.index("/api/tables")]  # the list of tables is polled
    assert sorted(first) == ["/api/books", "/api/me?optional=true"]
    ann.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    print(f"first paint after {ann.first_paint_ms():.0f} ms, long tasks {ann.long_tasks_ms()}")


def test_script_size_on_the_network(new_user: NewUser) -> None:
    ann = new_user()
    ann.open()
    sizes = ann.page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter((entry) => entry.name.endsWith('.js')).map((entry) => entry.encodedBodySize)"
    )
    print(f"{sum(sizes):,} bytes of scripts")
    assert 0 < sum(sizes) <= MAX_SCRIPT_BYTES


@pytest.mark.parametrize("path", TITLES)
def test_every_path_can_be_reloaded(new_user: NewUser, path: str) -> None:
    ann = new_user()
    ann.open(path)
    title = ann.page.get_by_role("heading", level=1)
    expect(title).to_have_text(TITLES[path])
    ann.page.reload()
    expect(title).to_have_text(TITLES[path])
    assert re.fullmatch(rf"http://127\.0\.0\.1:\d+{path}(\?.*)?", ann.page.url)


def test_the_browser_enforces_the_policy(new_user: NewUser) -> None:
    """Inline scripts are blocked."""
    ann = new_user()
    ann.open()
    ann.page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.bad = 1'}))")
    assert ann.page.evaluate("window.bad") is None
    assert any("Content Security Policy" in problem for problem in ann.problems)
    ann.ignore_problems("Content Security Policy")
