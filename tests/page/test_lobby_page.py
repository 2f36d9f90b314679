"""The lobby: joining a table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.browser_user import NewUser, set_loss_limit
from support.held_responses import HeldResponses

AT_TABLE = re.compile(r"/table/\w+$")


def test_a_url_that_starts_playing(new_user: NewUser) -> None:
    """`trueodds play --book rws` opens it. It leads to a seat at a new table, and the next time to the same seat."""
    ann = new_user("Ann")
    ann.open("/?play=rws")
    expect(ann.page).to_have_url(AT_TABLE)
    expect(ann.page.get_by_text("Connected", exact=True)).to_be_visible()
    table = ann.page.url.rsplit("/", 1)[1]
    state = ann.table_state(table)
    assert (state["book"]["id"], state["is_seated"]) == ("rws", True)
    ann.page.go_back()
    expect(ann.page).to_have_url(re.compile(r"/\?book=rws$"))
    expect(ann.page.get_by_role("link", name="Back to your seat")).to_be_visible()
    expect(ann.page.get_by_role("radio", name="Resorts World Sentosa")).to_be_checked()
    ann.open("/?play=rws")
    expect(ann.page).to_have_url(re.compile(rf"/table/{table}$"))
    expect(ann.page.get_by_text("Connected", exact=True)).to_be_visible()


def test_leaving_the_lobby_cancels_the_start(new_user: NewUser) -> None:
    ann = new_user("Ann")
    held = HeldResponses(ann.page, "**/api/tables")
    with ann.page.expect_request("**/api/tables"):
        ann.open("/?play=rws")
    ann.page.get_by_role("link", name="Your account").first.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Your account")
    held.release_first()
    assert ann.page.url.endswith("/me")
    assert len(held.routes) == 1, "a table was opened"


def test_a_refused_join_can_be_repeated(new_user: NewUser) -> None:
    """It needs a new command id, because the server repeats its reply to the old one."""
    ann = new_user("Ann")
    table, other = ann.page_server.open_table(), ann.page_server.open_table("rws")
    ann.post(f"/api/tables/{other}/commands", id="1", command="join", cents=20_000)
    ann.open()
    set_loss_limit(ann, 60_000)
    row = ann.page.locator(f'[data-table="{table}"]')
    row.get_by_role("button", name="Sit down").click()
    expect(row.get_by_role("alert")).to_contain_text("limit")
    ann.post(f"/api/tables/{other}/commands", id="2", command="leave")
    row.get_by_role("button", name="Sit down").click()
    expect(ann.page).to_have_url(re.compile(rf"/table/{table}$"))
    assert ann.table_state(table)["is_seated"]
