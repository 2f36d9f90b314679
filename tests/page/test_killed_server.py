"""A server is killed in the middle of a hand: the page keeps showing the table, and the hand continues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import Chromium
from support.browser_user import BrowserUser
from support.page_server import PageServer
from support.scripted_dice import DiceScript
from support.server_process import ServerProcess

MAX_ROLLS = 60
LEASE_TIMEOUT_MS = 120_000
"""The lease of the killed process has to expire, which takes 10 s on an idle machine."""

PAGE_CONTENT_JS = """
() => ({
  chips: [...document.querySelectorAll('[data-chip-tag]')].map((chip) => ({ ...chip.dataset })),
  point: document.querySelector('.puck.on')?.style.transform ?? null,
  log: [...document.querySelectorAll('[data-event]')].map((entry) => entry.innerText),
  rack: document.querySelector('[data-rack]').innerText,
})
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    yield process
    process.stop()


@pytest.fixture
def ann(server: ServerProcess, chromium: Chromium) -> Iterator[BrowserUser]:
    page_server = PageServer(server, DiceScript())
    with chromium.driving() as browser:
        user = BrowserUser(browser, page_server, 0, "Ann")
        yield user
        user.close()
    page_server.close()
    user.ignore_problems("ERR_CONNECTION|WebSocket|ERR_EMPTY")
    assert user.problems == []


def page_content(user: BrowserUser) -> dict[str, Any]:
    return dict(user.page.evaluate(PAGE_CONTENT_JS))


def test_a_killed_server_loses_nothing(server: ServerProcess, ann: BrowserUser) -> None:
    table = ann.page_server.open_table()
    ann.set_preferences(guideDone=True, fast=True)
    ann.join(table, 1_000_000)
    for _ in range(MAX_ROLLS):
        layout = ann.table_state(table)["layout"]
        if layout["point"]:
            break
        if not any(spot["bets"] for spot in layout["spots"] if spot["spot"] == "pass"):
            expect(ann.page.locator('[data-chip-spot="pass"]')).to_have_count(0)
            ann.bet("pass", 2500)
            expect(ann.page.locator('[data-chip-spot="pass"]')).to_have_count(1)
        ann.roll(table)
    ann.bet("hard:8", 500)
    expect(ann.page.locator('[data-chip-spot="hard:8"]')).to_have_count(1)
    expect(ann.page.locator(".puck.on")).to_have_count(1)
    before = page_content(ann)
    assert {chip["chipSpot"] for chip in before["chips"]} == {"pass", "hard:8"}
    assert before["log"]

    server.kill()
    expect(ann.page.locator(".bar.away")).to_contain_text("Connection lost")
    assert page_content(ann) == before, "while disconnected"
    server.start()
    connected = ann.page.get_by_role("status").filter(has_text="Connected")
    expect(connected).to_be_attached(timeout=LEASE_TIMEOUT_MS)
    assert page_content(ann) == before, "after reconnecting"

    entry = ann.roll(table)
    roll = int(entry.locator(".number").inner_text())
    assert entry.inner_text() not in before["log"]
    proofs = ann.page.evaluate(f"fetch('/api/tables/{table}/proofs').then((response) => response.json())")
    assert [proof["lock"]["roll"] for proof in proofs] == list(range(1, roll + 1)), "every roll exactly once"
