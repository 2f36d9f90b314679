"""The log of the page: it goes back to the first throw, and says where a hand was over."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from house import House
from running_server import asking
from visitor import Visitor

Visit = Callable[..., Visitor]

ROLLS = 150


def play(house: House, table: str, rolls: int) -> None:
    """Let somebody alone throw so often, with a line bet whenever the book wants one."""
    with asking(house.server, name="Early") as http:
        wishes = 0

        def wish(**given: object) -> int:
            nonlocal wishes
            wishes += 1
            return http.post(f"/api/tables/{table}/wishes", json={"id": str(wishes), **given}).status_code

        assert wish(wish="sit", cents=10_000_000) == 200
        thrown = 0
        while thrown < rolls:
            if wish(wish="roll") == 200:
                thrown += 1
            else:
                assert wish(wish="bet", spot="pass", cents=1000) == 200
        wish(wish="leave")


def test_the_log_goes_back_to_the_first_throw(visit: Visit, house: House) -> None:
    table = house.table()
    play(house, table, ROLLS)
    assert int(house.look(table)["sequence"]) > 400 + 10, "more than a page comes with"
    ann = visit("Ann")
    ann.open(f"/table/{table}")
    log = ann.page.get_by_role("region", name="What happened")
    earlier = log.get_by_role("button", name="Earlier rolls")
    log.get_by_role("tab", name="Rolls").click()
    told = log.locator("figcaption")
    expect(told).not_to_contain_text(f"{ROLLS} rolls")
    earlier.click()
    expect(told).to_contain_text(f"{ROLLS} rolls")
    expect(earlier).to_have_count(0)
    expect(log.get_by_role("tabpanel")).to_be_focused()
    log.get_by_role("tab", name="Log").click()
    first = log.get_by_role("link", name="Proof of roll 1", exact=True)
    expect(first).to_have_count(0)
    while earlier.count():
        earlier.click()
    expect(first).to_have_count(1)


def test_a_hand_is_over_when_the_dice_are_passed(visit: Visit, house: House) -> None:
    table = house.table()
    house.next_rolls(table, "3-3", "2-2", "6-3")
    ann, bob = visit("Ann"), visit("Bob")
    for one in (ann, bob):
        one.sit(table)
    ann.bet("pass", 2500)
    for _ in range(2):
        ann.roll(table)
    ann.page.get_by_role("button", name="Pass the dice").click()
    bob.page.get_by_role("button", name="Take the dice").click()
    bob.roll(table)
    log = ann.page.get_by_role("region", name="What happened")
    log.get_by_role("tab", name="Rolls").click()
    hands = log.locator(".hands li")
    expect(hands).to_have_count(2)
    expect(hands.nth(0)).to_contain_text("1 roll, 0 points made, under way")
    expect(hands.nth(1)).to_contain_text("2 rolls, 0 points made")
    expect(hands.nth(1)).not_to_contain_text("under way")
