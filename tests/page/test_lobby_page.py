"""The lobby: coming to a table."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from held import Held
from test_new_table_page import lose_at_most
from visitor import Visitor

Visit = Callable[..., Visitor]
AT_TABLE = re.compile(r"/table/\w+$")


def test_an_address_that_bids_to_play(visit: Visit) -> None:
    """`trueodds play --book rws` opens it: a seat at a new table of the book, and the next time the same seat."""
    ann = visit("Ann")
    ann.open("/?play=rws")
    expect(ann.page).to_have_url(AT_TABLE)
    expect(ann.page.get_by_text("Connected", exact=True)).to_be_visible()
    table = ann.page.url.rsplit("/", 1)[1]
    seen = ann.look(table)
    assert (seen["book"]["id"], seen["seated"]) == ("rws", True)
    ann.page.go_back()
    expect(ann.page).to_have_url(re.compile(r"/\?book=rws$"))
    expect(ann.page.get_by_role("link", name="Back to your seat")).to_be_visible()
    expect(ann.page.get_by_role("radio", name="Resorts World Sentosa")).to_be_checked()
    ann.open("/?play=rws")
    expect(ann.page).to_have_url(re.compile(rf"/table/{table}$"))
    expect(ann.page.get_by_text("Connected", exact=True)).to_be_visible()


def test_whoever_went_elsewhere_is_not_sent_to_a_table(visit: Visit) -> None:
    ann = visit("Ann")
    held = Held(ann.page, "**/api/tables")
    with ann.page.expect_request("**/api/tables"):
        ann.open("/?play=rws")
    ann.page.get_by_role("link", name="Your account").first.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Your account")
    held.let_go()
    assert ann.page.url.endswith("/me")
    assert len(held.routes) == 1, "a table was opened"


def test_a_seat_that_was_refused_can_be_asked_for_again(visit: Visit) -> None:
    """A refusal is kept under the id of its wish: asked for under the same id, the seat would be refused for ever."""
    ann = visit("Ann")
    wanted, other = ann.house.table(), ann.house.table("rws")
    ann.post(f"/api/tables/{other}/wishes", id="1", wish="sit", cents=20_000)
    ann.open()
    lose_at_most(ann, 60_000)
    row = ann.page.locator(f'[data-table="{wanted}"]')
    row.get_by_role("button", name="Sit down").click()
    expect(row.get_by_role("alert")).to_contain_text("limit")
    ann.post(f"/api/tables/{other}/wishes", id="2", wish="leave")
    row.get_by_role("button", name="Sit down").click()
    expect(ann.page).to_have_url(re.compile(rf"/table/{wanted}$"))
    assert ann.look(wanted)["seated"]
