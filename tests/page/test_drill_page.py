"""The dealer's drill in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser_user import NewUser
from support.held_responses import HeldResponses


def test_a_late_exercise_does_not_change_the_url(new_user: NewUser) -> None:
    ann = new_user()
    held = HeldResponses(ann.page, "**/api/drill?*")
    with ann.page.expect_request("**/api/drill?*"):
        ann.open("/drill")
    ann.page.get_by_role("link", name="trueodds").first.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Craps, by the book")
    held.release_first()
    assert ann.page.url == f"{ann.page_server.server.address}/"


def test_invalid_amounts_are_not_graded(new_user: NewUser) -> None:
    """12,50 is not an amount: the page asks for it again and does not grade it as wrong."""
    ann = new_user()
    ann.open("/drill?book=new_jersey&level=1&number=7")
    amounts = ann.page.locator("input.amount")
    expect(amounts.first).to_be_visible()
    for index in range(amounts.count()):
        amounts.nth(index).fill("12,50" if index == 0 else "$1,250")
    ann.page.get_by_role("button", name="Check").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("Enter an amount like 12.50")
    expect(amounts.first).to_be_focused()
    amounts.first.fill("12.50")
    ann.page.get_by_role("button", name="Check").click()
    expect(ann.page.get_by_role("heading", level=2)).to_contain_text(f"of {amounts.count()} correct")


def test_invalid_parameters_are_ignored(new_user: NewUser) -> None:
    ann = new_user()
    ann.open("/drill?book=rws&level=5&number=2147483648")
    expect(ann.page.get_by_label("Level")).to_have_value("1")
    expect(ann.page.get_by_label("Rulebook")).to_have_value("rws")
