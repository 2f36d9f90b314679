"""How soon the page shows what the server said, and for how long it is busy."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from playwright.sync_api import expect

from house import House
from visitor import Visitor

Visit = Callable[..., Visitor]

MOST_MORE_MS = 50
MOST_BUSY_MS = 200
BETS = 40

LISTEN = """
window.answers = []
window.WebSocket = class extends WebSocket {
  sentAt = new Map()
  constructor(...how) {
    super(...how)
    this.addEventListener('message', ({ data }) => {
      const { answer } = JSON.parse(data)
      if (this.sentAt.has(answer)) answers.push(performance.now() - this.sentAt.get(answer))
    })
  }
  send(frame) {
    const { id, wish } = JSON.parse(frame)
    if (wish === 'bet' || wish === 'press') this.sentAt.set(id, performance.now())
    super.send(frame)
  }
}
"""
"""How long the server takes from a frame to its answer, on the socket of the page itself."""

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


def p95(figures: list[float]) -> float:
    return statistics.quantiles(figures, n=20)[-1]


def test_how_soon_a_bet_is_drawn(visit: Visit, house: House) -> None:
    """From the click to chips that the server has said yes to, against its own answer to the same wish.

    The promise is about the 95th percentile and is printed. What is demanded is that a quarter of the bets keep it:
    other work on the machine delays some bets and never speeds one up, while a page that became slow delays them all.
    """
    table = house.table()
    ann = visit("Ann", motion=True)
    ann.prefer(guided=True)
    ann.page.add_init_script(LISTEN)
    ann.sit(table, 1_000_000)
    ann.take_chip(2500)
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    drawn_ms = [float(ann.page.evaluate(CLICK, "field")) for _ in range(BETS)]
    ann.page.wait_for_function(f"answers.length === {BETS}")
    answered_ms = [float(one) for one in ann.page.evaluate("answers")]
    more_ms = [drawn - answered for drawn, answered in zip(drawn_ms, answered_ms, strict=True)]
    print(
        f"p95 of {BETS} bets: drawn {p95(drawn_ms):.0f} ms after the click, answered {p95(answered_ms):.0f} ms after "
        f"it was sent; {statistics.median(more_ms):.0f} ms more at the median, {p95(more_ms):.0f} ms at p95"
    )
    assert statistics.quantiles(more_ms, n=4)[0] <= MOST_MORE_MS


def test_the_page_is_never_busy_for_long(visit: Visit, house: House) -> None:
    """Bets and throws after the page was loaded, with all motion; five rounds, of which a quarter keeps the bound."""
    table = house.table()
    house.next_rolls(table, "2-2", "3-5", "4-5", "5-5", "3-4")
    ann = visit("Ann", motion=True)
    ann.prefer(guided=True)
    ann.sit(table, 1_000_000)
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    longest_ms = []
    for _ in range(5):
        ann.page.evaluate("longTasks.length = 0")
        ann.take_chip(2500)
        for spot in ("come" if house.look(table)["layout"]["point"] else "pass", "field", "any7", "hop:1-6"):
            ann.click(spot)
            expect(ann.page.locator(f'[data-chip-spot="{spot}"]')).to_have_count(1)
        ann.roll(table)
        ann.page.wait_for_timeout(2800)  # dice, call, take, pay, move
        longest_ms.append(max(ann.long_tasks_ms(), default=0.0))
    # Machines are shared: others hold rounds up and speed none up, while a page that became slow is so in all of them.
    print(f"longest tasks of five rounds: {[round(one) for one in longest_ms]} ms")
    assert statistics.quantiles(longest_ms, n=4)[0] <= MOST_BUSY_MS
