"""The table in real browsers: what one does, others see; what the server says, everybody sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, expect

from house import House
from visitor import Visitor

Visit = Callable[..., Visitor]


COUNT = """
addEventListener('click', (event) => {
  if (event.isTrusted) sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks')) + 1)
}, true)
"""
"""Counts what the browser itself took for a click, from page to page."""


def my_chips(visitor: Visitor, spot: str) -> Any:
    return visitor.page.locator(f'[data-chip-spot="{spot}"]')


def test_a_newcomer_settles_a_first_bet_within_four_clicks(visit: Visit) -> None:
    ann = visit()
    ann.page.add_init_script(COUNT)
    ann.open()
    ann.page.get_by_role("button", name="Play now").click()
    ann.page.wait_for_url("**/table/*")
    table = ann.page.url.rsplit("/", 1)[1]
    ann.house.script.write(table, 1, "3-4")
    ann.click("pass")
    # The chip in hand may be less than the table takes: then the page offers what it does take.
    offered = ann.page.locator("[data-refused] button").first
    expect(offered.or_(my_chips(ann, "pass")).first).to_be_visible()
    if offered.is_visible():
        offered.click()
    expect(my_chips(ann, "pass")).to_have_count(1)
    assert "win" in str(ann.roll(table).locator("[data-settled]").first.get_attribute("class"))
    clicks = int(ann.page.evaluate("Number(sessionStorage.getItem('clicks'))"))
    print(f"{clicks} clicks from the lobby to a first settled bet")
    assert 2 <= clicks <= 4


def test_two_browsers_see_the_same(visit: Visit, house: House) -> None:
    table = house.table()
    ann, bob = visit("Ann"), visit("Bob")
    house.next_rolls(table, "4-4", "2-6")
    for one in (ann, bob):
        one.sit(table)
    ann.bet("pass", 2500)
    for one in (ann, bob):
        expect(my_chips(one, "pass")).to_have_count(1)
    bob.bet("field", 2500)
    for one in (ann, bob):
        expect(my_chips(one, "field")).to_have_count(1)
    for call in ("4-4", "2-6"):
        after = int(house.look(table)["sequence"])
        thrown = ann.roll(table)
        heard = bob.sees_roll(table, after)
        assert thrown.locator("strong").inner_text() == heard.locator("strong").inner_text()
        proof = json.loads(ann.page.evaluate(f"fetch('/api/tables/{table}/proofs').then((one) => one.text())"))[-1]
        assert (proof["roll"], proof["outside_seeds"], proof["missing"]) == (call, 2, [])


def test_a_refused_bet_says_why(visit: Visit, house: House) -> None:
    table = house.table(min_bet=2000)
    ann = visit("Ann")
    ann.sit(table)
    ann.bet("pass", 500)
    no = ann.page.locator("[role=alert][data-refused]")
    expect(no).to_contain_text("$20")
    expect(no).to_have_attribute("data-refused", "below_min")
    expect(my_chips(ann, "pass")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$500")


def test_a_server_that_is_started_again_loses_nothing(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann")
    house.next_rolls(table, "4-4", "4-4")
    ann.sit(table)
    ann.bet("pass", 2500)
    expect(my_chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    house.server.stop()
    expect(ann.page.locator(".bar.away")).to_contain_text("connection was lost")
    expect(my_chips(ann, "pass")).to_have_count(1)
    expect(ann.page.locator("[data-rack]")).to_have_text("$475")
    house.server.start()
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    expect(my_chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    expect(ann.page.locator("[data-rack]")).to_have_text("$525")
    ann.forgive("ERR_CONNECTION|WebSocket|ERR_EMPTY")


def test_nothing_is_settled_before_the_dice_have_landed(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann", motion=True)
    house.next_rolls(table, "6-5")
    ann.prefer(guided=True)
    ann.page.clock.install()
    ann.sit(table)
    for spot in ("pass", "field", "any7"):
        ann.bet(spot, 2500)
        expect(my_chips(ann, spot)).to_have_count(1)
    ann.page.clock.pause_at(ann.page.evaluate("Date.now()") + 1000)
    thrown = ann.throw(table)
    expect(ann.page.get_by_text("Dice are out")).to_be_visible()
    for spot in ("pass", "field", "any7"):
        expect(my_chips(ann, spot)).to_have_count(1)
    expect(ann.page.locator(".chip.lost, .pay")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$425")
    expect(ann.page.locator(f'[data-event="{thrown}"]')).to_have_count(0)
    expect(ann.announced).to_have_text("")
    ann.page.clock.run_for(1300)  # the dice have landed and were called: those who lost are taken
    expect(ann.page.locator(f'[data-event="{thrown}"]')).to_have_count(1)
    expect(ann.announced).to_contain_text("Pass wins $25")
    expect(ann.page.locator('.chip.lost[data-chip-spot="any7"]')).to_have_count(1)
    expect(ann.page.locator('[data-chip-spot="pass"] .pay')).to_have_text("+$25")
    ann.page.clock.run_for(3000)
    expect(ann.page.locator("[data-chip-tag]")).to_have_count(0)
    expect(ann.page.locator("[data-rack]")).to_have_text("$525")


def test_the_dice_go_round(visit: Visit, house: House) -> None:
    table = house.table()
    people = {name: visit(name) for name in ("Ann", "Bob")}
    house.next_rolls(table, "4-4", "3-4", "2-2", "3-4")
    for one in people.values():
        one.sit(table)
    for shooter, other in (("Ann", "Bob"), ("Bob", "Ann")):
        one = people[shooter]
        one.page.locator("button[data-do=accept_dice]").click()
        expect(one.page.get_by_text("You have the dice")).to_be_visible()
        expect(people[other].page.locator("main").get_by_text(f"{shooter} has the dice")).to_be_visible()
        one.bet("pass", 2500)
        expect(my_chips(people[other], "pass")).to_have_count(1)
        expect(people[other].roll_button).to_be_disabled()
        one.roll(table)
        one.roll(table)
    expect(people["Ann"].page.get_by_text("The dice are yours if you want them.")).to_be_visible()


def test_a_proof_is_checked_and_a_false_one_is_found(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann")
    house.next_rolls(table, "4-4")
    ann.sit(table)
    ann.bet("pass", 2500)
    expect(my_chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    ann.open(f"/proof/{table}/1")
    expect(ann.page.get_by_role("status").first).to_contain_text("Proof checked")

    def lie(route: Route) -> None:
        told = route.fetch().json()
        for proof in told:
            proof["roll"] = "6-6"
        route.fulfill(json=told)

    ann.page.route("**/api/tables/*/proofs*", lie)
    ann.page.reload()
    expect(ann.page.get_by_role("status").first).to_contain_text("not proven")
