"""Messages that depend on the server: what the next roll decides, why you cannot roll, who sits."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser_user import NewUser
from support.page_server import PageServer


def test_a_roll_that_only_decides_come_bets_is_not_a_come_out(new_user: NewUser, page_server: PageServer) -> None:
    table, ann = page_server.open_table(), new_user("Ann")
    page_server.next_rolls(table, "2-6", "4-5", "4-4")
    ann.join(table)
    ann.bet("pass", 2500)
    ann.roll(table)
    ann.bet("come", 2500)
    ann.roll(table)
    ann.roll(table)
    main = ann.page.locator("main")
    expect(main).to_contain_text("Come-out roll.")
    ann.page.get_by_role("button", name="No line bet").click()
    expect(main).to_contain_text("Only come bets are decided.")
    expect(main).not_to_contain_text("Come-out roll.")


def test_the_roll_button_shows_why_it_is_disabled(new_user: NewUser, page_server: PageServer) -> None:
    table, ann, bob = page_server.open_table(), new_user("Ann"), new_user("Bob")
    bob.open(f"/table/{table}")
    expect(bob.roll_button).to_contain_text("Join the table first")
    ann.join(table)
    expect(ann.roll_button).to_contain_text("Make a line bet first")
    bob.join(table)
    expect(bob.roll_button).to_contain_text("The dice are offered to Ann")
    ann.page.get_by_role("button", name="Take the dice").click()
    expect(bob.roll_button).to_contain_text("Ann has the dice")
    ann.bet("pass", 2500)
    expect(ann.roll_button).not_to_contain_text("Make a line bet first")


@pytest.mark.parametrize(("game", "seats"), [("craps", 0), ("mini_craps", 1)])
def test_players_can_stand_up_where_they_sit(new_user: NewUser, page_server: PageServer, game: str, seats: int) -> None:
    table, ann = page_server.open_table(game=game), new_user("Ann")
    ann.join(table)
    expect(ann.page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    stand = ann.page.get_by_role("button", name="Stand up")
    expect(stand).to_have_count(seats)
    if seats:
        stand.click()
        ann.page.get_by_role("button", name="Sit down").click()
        expect(stand).to_have_count(1)
