"""The table in real browsers: every user sees the same game."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Route, expect

from support.browser_user import BrowserUser, NewUser
from support.page_server import PageServer

COUNT_CLICKS_JS = """
addEventListener('click', (event) => {
  if (event.isTrusted) sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks')) + 1)
}, true)
"""
"""Count trusted clicks across pages."""


def chips(user: BrowserUser, spot: str) -> Locator:
    return user.page.locator(f'[data-chip-spot="{spot}"]')


def test_a_new_user_settles_a_bet_within_four_clicks(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.add_init_script(COUNT_CLICKS_JS)
    ann.open()
    ann.page.get_by_role("button", name="Play now").click()
    ann.page.wait_for_url("**/table/*")
    table = ann.page.url.rsplit("/", 1)[1]
    ann.page_server.script.set_rolls(table, 1, "3-4")
    ann.click("pass")
    # The selected chip may be below the table minimum. The page then suggests an amount.
    suggestion = ann.page.locator("[data-refused] button").first
    expect(suggestion.or_(chips(ann, "pass")).first).to_be_visible()
    if suggestion.is_visible():
        suggestion.click()
    expect(chips(ann, "pass")).to_have_count(1)
    assert "win" in str(ann.roll(table).locator("[data-settled]").first.get_attribute("class"))
    clicks = int(ann.page.evaluate("Number(sessionStorage.getItem('clicks'))"))
    print(f"{clicks} clicks from the lobby to a first settled bet")
    assert 2 <= clicks <= 4


def test_two_users_see_the_same_game(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann, bob = new_user("Ann"), new_user("Bob")
    page_server.next_rolls(table, "4-4", "2-6")
    for user in (ann, bob):
        user.join(table)
    ann.bet("pass", 2500)
    for user in (ann, bob):
        expect(chips(user, "pass")).to_have_count(1)
    bob.bet("field", 2500)
    for user in (ann, bob):
        expect(chips(user, "field")).to_have_count(1)
    for dice in ("4-4", "2-6"):
        after = int(page_server.table_state(table)["sequence"])
        ann_entry = ann.roll(table)
        bob_entry = bob.wait_for_roll(table, after)
        assert ann_entry.locator("strong").inner_text() == bob_entry.locator("strong").inner_text()
        proof = json.loads(
            ann.page.evaluate(f"fetch('/api/tables/{table}/proofs').then((response) => response.text())")
        )[-1]
        assert (proof["dice"], proof["client_seeds"], proof["missing"]) == (dice, 2, [])


def test_a_refused_bet_shows_the_reason(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table(min_bet=2000)
    ann = new_user("Ann")
    ann.join(table)
    ann.bet("pass", 500)
    refusal = ann.page.locator("[role=alert][data-refused]")
    expect(refusal).to_contain_text("$20")
    expect(refusal).to_have_attribute("data-refused", "below_min")
    expect(chips(ann, "pass")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$500")


def test_a_server_restart_loses_nothing(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann")
    page_server.next_rolls(table, "4-4", "4-4")
    ann.join(table)
    ann.bet("pass", 2500)
    expect(chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    page_server.server.stop()
    expect(ann.page.locator(".bar.away")).to_contain_text("Connection lost")
    expect(chips(ann, "pass")).to_have_count(1)
    expect(ann.page.locator("[data-rack]")).to_have_text("$475")
    page_server.server.start()
    ann.wait_until_connected()
    expect(chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    expect(ann.page.locator("[data-rack]")).to_have_text("$525")
    ann.ignore_problems("ERR_CONNECTION|WebSocket|ERR_EMPTY")


def test_nothing_is_settled_before_the_dice_land(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann", motion=True)
    page_server.next_rolls(table, "6-5")
    ann.set_preferences(guideDone=True)
    ann.page.clock.install()
    ann.join(table)
    for spot in ("pass", "field", "any7"):
        ann.bet(spot, 2500)
        expect(chips(ann, spot)).to_have_count(1)
    ann.page.clock.pause_at(ann.page.evaluate("Date.now()") + 1000)
    sequence = ann.roll_on_server(table)
    expect(ann.page.get_by_text("Dice are out")).to_be_visible()
    for spot in ("pass", "field", "any7"):
        expect(chips(ann, spot)).to_have_count(1)
    expect(ann.page.locator(".chip.lost, .pay")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$425")
    expect(ann.page.locator(f'[data-event="{sequence}"]')).to_have_count(0)
    expect(ann.announcement).to_have_text("")
    ann.page.clock.run_for(1300)  # the dice have landed and were called, and losing bets are taken
    expect(ann.page.locator(f'[data-event="{sequence}"]')).to_have_count(1)
    expect(ann.announcement).to_contain_text("Pass wins $25")
    expect(ann.page.locator('.chip.lost[data-chip-spot="any7"]')).to_have_count(1)
    expect(ann.page.locator('[data-chip-spot="pass"] .pay')).to_have_text("+$25")
    ann.page.clock.run_for(3000)
    expect(ann.page.locator("[data-chip-tag]")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$525")


def test_the_dice_pass_from_player_to_player(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    users = {name: new_user(name) for name in ("Ann", "Bob")}
    page_server.next_rolls(table, "4-4", "3-4", "2-2", "3-4")
    for user in users.values():
        user.join(table)
    for shooter, other in (("Ann", "Bob"), ("Bob", "Ann")):
        user = users[shooter]
        user.page.locator("button[data-action=accept_dice]").click()
        expect(user.page.get_by_text("You have the dice")).to_be_visible()
        expect(users[other].page.locator("main").get_by_text(f"{shooter} has the dice")).to_be_visible()
        user.bet("pass", 2500)
        expect(chips(users[other], "pass")).to_have_count(1)
        expect(users[other].roll_button).to_be_disabled()
        user.roll(table)
        user.roll(table)
    expect(users["Ann"].page.get_by_text("The dice are offered to you.")).to_be_visible()


def test_a_false_proof_is_detected(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann")
    page_server.next_rolls(table, "4-4")
    ann.join(table)
    ann.bet("pass", 2500)
    expect(chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    ann.open(f"/proof/{table}/1")
    expect(ann.page.get_by_role("status").first).to_contain_text("Proof checked")

    def falsify(route: Route) -> None:
        proofs = route.fetch().json()
        for proof in proofs:
            proof["dice"] = "6-6"
        route.fulfill(json=proofs)

    ann.page.route("**/api/tables/*/proofs*", falsify)
    ann.page.reload()
    expect(ann.page.get_by_role("status").first).to_contain_text("not valid")
