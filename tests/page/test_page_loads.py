"""The first page in a real browser: it loads cleanly, quickly and from here alone, at every address."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from test_budget import MOST_BYTES
from trueodds.rulebook import book_ids
from visitor import DESKTOP, PHONE, Room, Visitor

Visit = Callable[..., Visitor]
TITLES = {
    "/": "Craps, by the book",
    "/new": "Make a table",
    "/me": "Your account",
    "/drill": "The dealer's drill",
    "/table/nowhere": "Table",
    "/proof/nowhere/1": "Roll 1",
}
"""What every address is headed by, those of nothing included."""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("room", ["dark", "bright"])
def test_the_lobby_loads(visit: Visit, room: Room, size: dict[str, int]) -> None:
    """A fixture demands that nothing is on the console and nothing was asked for elsewhere."""
    ann = visit(size=size, room=room)
    ann.open()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(TITLES["/"])
    expect(ann.page.get_by_role("radio")).to_have_count(len(book_ids()))
    expect(ann.page.get_by_text("No table is open.")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.dataset.room") == room
    assert not ann.overflows()
    asked = [url.removeprefix(ann.house.server.address) for url in ann.requests if "/api/" in url]
    once = asked[: asked.index("/api/tables")]  # tables are asked for again and again
    assert sorted(once) == ["/api/books", "/api/me?or_nobody=true"]
    ann.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    print(f"first paint after {ann.first_paint_ms():.0f} ms, long tasks {ann.long_tasks_ms()}")


def test_scripts_that_are_sent(visit: Visit) -> None:
    ann = visit()
    ann.open()
    sent = ann.page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter((one) => one.name.endsWith('.js')).map((one) => one.encodedBodySize)"
    )
    print(f"{sum(sent):,} bytes of scripts")
    assert 0 < sum(sent) <= MOST_BYTES


@pytest.mark.parametrize("path", TITLES)
def test_every_address_can_be_reloaded(visit: Visit, path: str) -> None:
    ann = visit()
    ann.open(path)
    title = ann.page.get_by_role("heading", level=1)
    expect(title).to_have_text(TITLES[path])
    ann.page.reload()
    expect(title).to_have_text(TITLES[path])
    assert re.fullmatch(rf"http://127\.0\.0\.1:\d+{path}(\?.*)?", ann.page.url)


def test_policy_is_kept_by_the_browser(visit: Visit) -> None:
    """What the headers promise holds: no script of a string, none from elsewhere."""
    ann = visit()
    ann.open()
    ann.page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.bad = 1'}))")
    assert ann.page.evaluate("window.bad") is None
    assert any("Content Security Policy" in problem for problem in ann.problems)
    ann.forgive("Content Security Policy")
