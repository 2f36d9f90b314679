"""Creating a table: options, refused buy-ins, invitations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from support.browser_user import NewUser, set_loss_limit
from support.houses import BOOKS

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


@pytest.mark.parametrize("book", BOOKS)
def test_a_maximum_of_odds_and_strict_dont_bets_can_be_chosen(new_user: NewUser, book: str) -> None:
    ann = new_user("Ann")
    ann.open(f"/new?book={book}")
    maximum = ann.page.locator('[data-option="odds_max_bet"]').get_by_role("textbox")
    expect(maximum).to_have_value("")
    expect(maximum).to_have_attribute("placeholder", "none")
    write(maximum, "2500")
    ann.page.locator("details.rest > summary").click()
    replace = ann.page.locator('[data-option="dont_replace"]').get_by_role("combobox")
    assert replace.locator("option").all_inner_texts() == ["free", "strict"]
    replace.select_option("strict")
    ann.page.locator("[data-action=create]").click()
    expect(ann.page).to_have_url(AT_TABLE)
    state = ann.table_state(ann.page.url.rsplit("/", 1)[1])
    assert state["book"]["id"] == book
    assert (state["house"]["options"]["odds_max_bet"], state["house"]["options"]["dont_replace"]) == (250_000, "strict")


def write(field: Locator, text: str) -> None:
    field.fill(text)
    field.blur()
