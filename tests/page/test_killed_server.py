"""A server that is killed in the middle of a hand: nothing is lost on the screen, and the hand goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browsing import Chromium
from house import House
from process import ServerProcess
from scripted_dice import Script
from visitor import Visitor

MOST_ROLLS = 60
LEASE_MS = 40_000
"""The lease of a killed process has to run out, which takes 10 s on a machine that has nothing else to do."""

SHOWN = """
() => ({
  chips: [...document.querySelectorAll('[data-chip-tag]')].map((chip) => ({ ...chip.dataset })),
  point: document.querySelector('.puck.on')?.style.transform ?? null,
  log: [...document.querySelectorAll('[data-event]')].map((entry) => entry.innerText),
  rack: document.querySelector('[data-rack]').innerText,
})
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def ann(server: ServerProcess, chromium: Chromium) -> Iterator[Visitor]:
    house = House(server, Script())
    with chromium.driven() as browser:
        visitor = Visitor(browser, house, 0, "Ann")
        yield visitor
        visitor.leave()
    house.close()
    visitor.forgive("ERR_CONNECTION|WebSocket|ERR_EMPTY")
    assert visitor.problems == []


def shown(visitor: Visitor) -> dict[str, Any]:
    return dict(visitor.page.evaluate(SHOWN))


def test_a_killed_server_loses_nothing(server: ServerProcess, ann: Visitor) -> None:
    table = ann.house.table()
    ann.prefer(guided=True, fast=True)
    ann.sit(table, 1_000_000)
    for _ in range(MOST_ROLLS):
        layout = ann.look(table)["layout"]
        if layout["point"]:
            break
        if not any(spot["chips"] for spot in layout["spots"] if spot["spot"] == "pass"):
            expect(ann.page.locator('[data-chip-spot="pass"]')).to_have_count(0)
            ann.bet("pass", 2500)
            expect(ann.page.locator('[data-chip-spot="pass"]')).to_have_count(1)
        ann.roll(table)
    ann.bet("hard:8", 500)
    expect(ann.page.locator('[data-chip-spot="hard:8"]')).to_have_count(1)
    expect(ann.page.locator(".puck.on")).to_have_count(1)
    before = shown(ann)
    assert {chip["chipSpot"] for chip in before["chips"]} == {"pass", "hard:8"}
    assert before["log"]

    server.kill()
    expect(ann.page.locator(".bar.away")).to_contain_text("connection was lost")
    assert shown(ann) == before, "while it is away"
    server.start()
    live = ann.page.get_by_role("status").filter(has_text="Connected")
    expect(live).to_be_attached(timeout=LEASE_MS)
    assert shown(ann) == before, "when it is back"

    thrown = ann.roll(table)
    roll = int(thrown.locator(".number").inner_text())
    assert thrown.inner_text() not in before["log"]
    proofs = ann.page.evaluate(f"fetch('/api/tables/{table}/proofs').then((one) => one.json())")
    assert [proof["lock"]["roll"] for proof in proofs] == list(range(1, roll + 1)), "every roll once, none twice"
