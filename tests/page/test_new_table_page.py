"""Creating a table: options, refused buy-ins, invitations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from support.browser_user import NewUser, set_loss_limit

AT_TABLE = re.compile(r"/table/\w+(\?invitation=.*)?$")


def test_invalid_text_stays_in_its_field(new_user: NewUser) -> None:
    ann = new_user("Ann")
    ann.open("/new")
    option = ann.page.locator('[data-option="min_bet"]')
    field, create = option.get_by_role("textbox"), ann.page.locator("[data-action=create]")
    write(field, "20")
    write(field, "2o")
    expect(field).to_have_value("2o")
    expect(option).to_contain_text("Enter a number.")
    create.click()
    expect(ann.page.locator(".end")).to_contain_text("Check the highlighted fields")
    write(field, "25")
    expect(option).not_to_contain_text("Enter a number.")
    create.click()
    expect(ann.page).to_have_url(AT_TABLE)
    assert ann.table_state(ann.page.url.rsplit("/", 1)[1])["min_bet"] == 2500


@pytest.mark.parametrize("access", ["Everyone", "Invited players"])
def test_a_smaller_buy_in_meets_the_loss_limit(new_user: NewUser, access: str) -> None:
    """A refused buy-in does not open a second table."""
    ann = new_user("Ann")
    ann.open("/new")
    set_loss_limit(ann, 20_000)
    posts: list[str] = []
    ann.page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    ann.page.get_by_role("radio", name=access).check()
    ann.page.locator("[data-action=create]").click()
    sit = ann.page.get_by_role("button", name=re.compile("sit down", re.IGNORECASE))
    if access == "Invited players":
        sit.click()
    expect(ann.page.get_by_role("alert")).to_contain_text("limit")
    ann.page.get_by_label("Buy-in").fill("150")
    sit.click()
    expect(ann.page).to_have_url(AT_TABLE)
    expect(ann.page.locator("[data-spot=pass]")).to_be_visible()
    assert len([url for url in posts if url.endswith("/api/tables")]) == 1


def write(field: Locator, text: str) -> None:
    field.fill(text)
    field.blur()
