"""The table in real browsers: what one does, others see; what the server says, everybody sees."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, expect

from house import House
from visitor import Visitor

Visit = Callable[..., Visitor]


def my_chips(visitor: Visitor, spot: str) -> Any:
    return visitor.page.locator(f'[data-chip-spot="{spot}"]')


def test_a_newcomer_settles_a_first_bet_within_four_clicks(visit: Visit) -> None:
    ann = visit()
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
        assert house.rows(table, after)
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
    expect(ann.page.get_by_role("alert").filter(has_text="connection was lost")).to_be_visible()
    expect(my_chips(ann, "pass")).to_have_count(1)
    expect(ann.page.locator("[data-rack]")).to_have_text("$475")
    house.server.start()
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    expect(my_chips(ann, "pass")).to_have_count(1)
    ann.roll(table)
    expect(ann.page.locator("[data-rack]")).to_have_text("$525")
    ann.forgive("ERR_CONNECTION|WebSocket|ERR_EMPTY")


def test_the_dice_go_round(visit: Visit, house: House) -> None:
    table = house.table()
    people = {name: visit(name) for name in ("Ann", "Bob")}
    house.next_rolls(table, "4-4", "3-4", "2-2", "3-4")
    for one in people.values():
        one.sit(table)
    for shooter, other in (("Ann", "Bob"), ("Bob", "Ann")):
        one = people[shooter]
        take = one.page.locator("button[data-do=accept_dice]")
        if take.count():
            take.first.click()
        one.bet("pass", 2500)
        expect(my_chips(people[other], "pass")).to_have_count(1)
        expect(people[other].roll_button).to_be_disabled()
        one.roll(table)
        one.roll(table)
    expect(people["Ann"].page.locator("[data-do=accept_dice], .holder").first).to_be_visible()


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


def test_how_soon_a_bet_is_drawn(visit: Visit, house: House) -> None:
    """From the click to chips that the server has said yes to, against the server's own answer to the same wish."""
    table = house.table()
    ann = visit("Ann")
    ann.sit(table, 1_000_000)
    ann.take_chip(2500)
    ann.page.wait_for_timeout(500)
    drawn_ms = [float(ann.page.evaluate(CLICK, "field")) for _ in range(40)]
    expect(ann.page.locator("[data-rack]")).to_have_text("$9,000")
    answered_ms = []
    for number in range(40):
        began = time.perf_counter()
        ann.post(f"/api/tables/{table}/wishes", id=f"own-{number}", wish="bet", spot="field", cents=2500)
        answered_ms.append((time.perf_counter() - began) * 1000)
    drawn, answered = (statistics.quantiles(ms, n=20)[-1] for ms in (drawn_ms, answered_ms))
    longest = max(ann.long_tasks_ms(), default=0)
    print(
        f"p95 from click to drawn {drawn:.0f} ms, the server's answer {answered:.0f} ms, longest task {longest:.0f} ms"
    )


CLICK = """
(spot) => new Promise((done) => {
  const rack = document.querySelector('[data-rack]')
  const before = rack.textContent
  const began = performance.now()
  const watch = new MutationObserver(() => {
    if (rack.textContent === before) return
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
  })
  watch.observe(rack, { childList: true, characterData: true, subtree: true })
  document.querySelector(`[data-spot="${spot}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }))
})
"""
"""Chips leave the rack when the server's view of the table has come, and the next frame has drawn it."""
