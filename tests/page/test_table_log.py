"""The table log: it can load all rolls, and it groups them by hand."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser_user import NewUser
from support.page_server import PageServer
from support.running_server import http_client

ROLLS = 150


def play(page_server: PageServer, table: str, rolls: int) -> None:
    """Let one player make a number of rolls, with a line bet whenever it is required."""
    with http_client(page_server.server, name="Early") as http:
        commands = 0

        def send(**command: object) -> int:
            nonlocal commands
            commands += 1
            return http.post(f"/api/tables/{table}/commands", json={"id": str(commands), **command}).status_code

        assert send(command="join", cents=10_000_000) == 200
        count = 0
        while count < rolls:
            if send(command="roll") == 200:
                count += 1
            else:
                assert send(command="bet", spot="pass", stake_cents=1000) == 200
        send(command="leave")


def test_the_log_loads_all_rolls(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    play(page_server, table, ROLLS)
    assert int(page_server.table_state(table)["sequence"]) > 400 + 10, "more events than the page loads at first"
    ann = new_user("Ann")
    ann.open(f"/table/{table}")
    log = ann.page.get_by_role("region", name="Table log")
    earlier = log.get_by_role("button", name="Earlier rolls")
    log.get_by_role("tab", name="Rolls").click()
    caption = log.locator("figcaption")
    expect(caption).not_to_contain_text(f"{ROLLS} rolls")
    earlier.click()
    expect(caption).to_contain_text(f"{ROLLS} rolls")
    expect(earlier).to_have_count(0)
    expect(log.get_by_role("tabpanel")).to_be_focused()
    log.get_by_role("tab", name="Log").click()
    first = log.get_by_role("link", name="Proof of roll 1", exact=True)
    expect(first).to_have_count(0)
    while earlier.count():
        earlier.click()
    expect(first).to_have_count(1)


def test_a_hand_ends_when_the_dice_are_passed(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    page_server.next_rolls(table, "3-3", "2-2", "6-3")
    ann, bob = new_user("Ann"), new_user("Bob")
    for user in (ann, bob):
        user.join(table)
    ann.bet("pass", 2500)
    for _ in range(2):
        ann.roll(table)
    ann.page.get_by_role("button", name="Pass the dice").click()
    bob.page.get_by_role("button", name="Take the dice").click()
    bob.roll(table)
    log = ann.page.get_by_role("region", name="Table log")
    log.get_by_role("tab", name="Rolls").click()
    hands = log.locator(".hands li")
    expect(hands).to_have_count(2)
    expect(hands.nth(0)).to_contain_text("1 roll, 0 points made, in progress")
    expect(hands.nth(1)).to_contain_text("2 rolls, 0 points made")
    expect(hands.nth(1)).not_to_contain_text("in progress")
