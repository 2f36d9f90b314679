"""The dealer's drill in a browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from held import Held
from visitor import Visitor

Visit = Callable[..., Visitor]


def test_an_exercise_that_comes_late_leaves_the_address_alone(visit: Visit) -> None:
    ann = visit()
    held = Held(ann.page, "**/api/drill?*")
    with ann.page.expect_request("**/api/drill?*"):
        ann.open("/drill")
    ann.page.get_by_role("link", name="trueodds").first.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Craps, by the book")
    held.let_go()
    assert ann.page.url == f"{ann.house.server.address}/"


def test_amounts_are_read_as_everywhere(visit: Visit) -> None:
    """12,50 is no 1,250: it is asked for again, and not marked as wrong."""
    ann = visit()
    ann.open("/drill?book=new_jersey&level=1&number=7")
    amounts = ann.page.locator("input.amount")
    expect(amounts.first).to_be_visible()
    for index in range(amounts.count()):
        amounts.nth(index).fill("12,50" if index == 0 else "$1,250")
    ann.page.get_by_role("button", name="Check").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("Not an amount like 12.50")
    expect(amounts.first).to_be_focused()
    amounts.first.fill("12.50")
    ann.page.get_by_role("button", name="Check").click()
    expect(ann.page.get_by_role("heading", level=2)).to_contain_text(f"of {amounts.count()} right")


def test_an_address_beyond_the_drill(visit: Visit) -> None:
    ann = visit()
    ann.open("/drill?book=rws&level=5&number=2147483648")
    expect(ann.page.get_by_label("Level")).to_have_value("1")
    expect(ann.page.get_by_label("Book")).to_have_value("rws")
