"""Making a table: options that are written, chips that are refused, invitations."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from visitor import Visitor

Visit = Callable[..., Visitor]
AT_TABLE = re.compile(r"/table/\w+(\?invitation=.*)?$")


def test_what_cannot_be_read_stays_in_its_field(visit: Visit) -> None:
    ann = visit("Ann")
    ann.open("/new")
    option = ann.page.locator('[data-option="min_bet"]')
    field, make = option.get_by_role("textbox"), ann.page.locator("[data-do=make]")
    write(field, "20")
    write(field, "2o")
    expect(field).to_have_value("2o")
    expect(option).to_contain_text("This cannot be read as a number.")
    make.click()
    expect(ann.page.locator(".end")).to_contain_text("cannot be read")
    write(field, "25")
    expect(option).not_to_contain_text("cannot be read")
    make.click()
    expect(ann.page).to_have_url(AT_TABLE)
    assert ann.look(ann.page.url.rsplit("/", 1)[1])["min_bet"] == 2500


@pytest.mark.parametrize("who", ["Anybody", "By invitation"])
def test_fewer_chips_meet_a_limit(visit: Visit, who: str) -> None:
    """The table that was opened is the one to sit down at, however often the chips are refused."""
    ann = visit("Ann")
    ann.open("/new")
    lose_at_most(ann, 20_000)
    opened: list[str] = []
    ann.page.on("request", lambda asked: opened.append(asked.url) if asked.method == "POST" else None)
    ann.page.get_by_role("radio", name=who).check()
    ann.page.locator("[data-do=make]").click()
    sit = ann.page.get_by_role("button", name=re.compile("sit down", re.IGNORECASE))
    if who == "By invitation":
        sit.click()
    expect(ann.page.get_by_role("alert")).to_contain_text("limit")
    ann.page.get_by_label("Chips to sit down with").fill("150")
    sit.click()
    expect(ann.page).to_have_url(AT_TABLE)
    expect(ann.page.locator("[data-spot=pass]")).to_be_visible()
    assert len([url for url in opened if url.endswith("/api/tables")]) == 1


def write(field: Locator, text: str) -> None:
    field.fill(text)
    field.blur()


def lose_at_most(visitor: Visitor, cents: int) -> None:
    """Set a limit past the page."""
    visitor.page.evaluate(
        "(cents) => fetch('/api/me/limits', {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({loss_cents: cents, time_ms: null})}).then((answer) => answer.json())", cents,
    )  # fmt: skip
