"""Measure how soon the page draws a bet, and how long it blocks the browser.

`python3 dev.py bench` runs it with the fixtures of the browser tests.

These figures depend on the machine, so nothing here fails because it is slow.
"""

from __future__ import annotations

import statistics

from playwright.sync_api import expect

from support.browser_user import NewUser
from support.page_server import PageServer

BETS = 40

MEASURE_REPLIES_JS = """
window.replyTimes = []
window.WebSocket = class extends WebSocket {
  sentAt = new Map()
  constructor(...args) {
    super(...args)
    this.addEventListener('message', ({ data }) => {
      const { reply_to } = JSON.parse(data)
      if (this.sentAt.has(reply_to)) replyTimes.push(performance.now() - this.sentAt.get(reply_to))
    })
  }
  send(frame) {
    const { id, command } = JSON.parse(frame)
    if (command === 'bet' || command === 'press') this.sentAt.set(id, performance.now())
    super.send(frame)
  }
}
"""
"""Measure the time from a command to its reply on the socket of the page."""

CLICK_AND_MEASURE_JS = """
(spot) => new Promise((done) => {
  const rack = document.querySelector('[data-rack]')
  const before = rack.textContent
  const start = performance.now()
  const observer = new MutationObserver(() => {
    if (rack.textContent === before) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
  })
  observer.observe(rack, { childList: true, characterData: true, subtree: true })
  document.querySelector(`[data-spot="${spot}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }))
})
"""
"""Click a spot, and return the time until the rack shows the bet and the next frame is drawn."""


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def test_time_until_bets_are_drawn(new_user: NewUser, page_server: PageServer) -> None:
    """Compare the time from click to drawn bet with the time of the server's reply. The goal is 50 ms at p95."""
    table = page_server.open_table()
    ann = new_user("Ann", motion=True)
    ann.set_preferences(guideDone=True)
    ann.page.add_init_script(MEASURE_REPLIES_JS)
    ann.join(table, 1_000_000)
    ann.select_chip(2500)
    drawn_ms = [float(ann.page.evaluate(CLICK_AND_MEASURE_JS, "field")) for _ in range(BETS)]
    ann.page.wait_for_function(f"replyTimes.length === {BETS}")
    reply_ms = [float(ms) for ms in ann.page.evaluate("replyTimes")]
    extra_ms = [drawn - reply for drawn, reply in zip(drawn_ms, reply_ms, strict=True)]
    print(
        f"p95 of {BETS} bets: drawn {p95(drawn_ms):.0f} ms after the click, reply {p95(reply_ms):.0f} ms after the "
        f"command; difference {statistics.median(extra_ms):.0f} ms at the median, {p95(extra_ms):.0f} ms at p95"
    )


def test_longest_tasks_of_the_page(new_user: NewUser, page_server: PageServer) -> None:
    """Bet and roll with all animations, for five rounds. The goal is no task above 200 ms."""
    table = page_server.open_table()
    page_server.next_rolls(table, "2-2", "3-5", "4-5", "5-5", "3-4")
    ann = new_user("Ann", motion=True)
    ann.set_preferences(guideDone=True)
    ann.join(table, 1_000_000)
    longest_ms = []
    for _ in range(5):
        ann.page.evaluate("longTasks.length = 0")
        ann.select_chip(2500)
        for spot in (
            "come" if page_server.table_state(table)["layout"]["point"] else "pass",
            "field",
            "any7",
            "hop:1-6",
        ):
            ann.click(spot)
            expect(ann.page.locator(f'[data-chip-spot="{spot}"]')).to_have_count(1)
        ann.roll(table)
        ann.page.wait_for_timeout(2800)  # dice, call, take, pay, move
        longest_ms.append(max(ann.long_tasks_ms(), default=0.0))
    print(f"longest tasks of five rounds: {[round(ms) for ms in longest_ms]} ms")
