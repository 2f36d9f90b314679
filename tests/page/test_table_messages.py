"""Words of the page that only the server can know: what is thrown for, why one may not throw, who sits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from house import House
from visitor import Visitor

Visit = Callable[..., Visitor]


def test_the_round_that_only_decides_come_bets_is_no_come_out(visit: Visit, house: House) -> None:
    table, ann = house.table(), visit("Ann")
    house.next_rolls(table, "2-6", "4-5", "4-4")
    ann.sit(table)
    ann.bet("pass", 2500)
    ann.roll(table)
    ann.bet("come", 2500)
    ann.roll(table)
    ann.roll(table)
    said = ann.page.locator("main")
    expect(said).to_contain_text("Come-out roll.")
    ann.page.get_by_role("button", name="No line bet").click()
    expect(said).to_contain_text("Only come bets are decided.")
    expect(said).not_to_contain_text("Come-out roll.")


def test_the_button_to_roll_says_why_not(visit: Visit, house: House) -> None:
    table, ann, bob = house.table(), visit("Ann"), visit("Bob")
    bob.open(f"/table/{table}")
    expect(bob.roll_button).to_contain_text("sit down first")
    ann.sit(table)
    expect(ann.roll_button).to_contain_text("first a line bet")
    bob.sit(table)
    expect(bob.roll_button).to_contain_text("the dice are offered to Ann")
    ann.page.get_by_role("button", name="Take the dice").click()
    expect(bob.roll_button).to_contain_text("Ann has the dice")
    ann.bet("pass", 2500)
    expect(ann.roll_button).not_to_contain_text("first a line bet")


@pytest.mark.parametrize(("game", "seats"), [("craps", 0), ("mini_craps", 1)])
def test_one_gets_up_where_players_sit(visit: Visit, house: House, game: str, seats: int) -> None:
    table, ann = house.table(game=game), visit("Ann")
    ann.sit(table)
    expect(ann.page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    up = ann.page.get_by_role("button", name="Get up")
    expect(up).to_have_count(seats)
    if seats:
        up.click()
        ann.page.get_by_role("button", name="Sit down").click()
        expect(up).to_have_count(1)
