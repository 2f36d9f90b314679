"""Every wager of every book is made with the mouse and with the keyboard, and the log shows its settlement.

The spots come from the server's layout, and the server says which are open. The rolls below decide every wager: each
number once, so that come bets move, then the point, a come-out roll and a seven-out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import ViewportSize

from support.browser_user import TIMEOUT_S, BrowserUser, NewUser
from support.mouse_and_keyboard import BetInput, Keyboard, Mouse, chip_for
from support.page_server import PageServer
from support.sampling import sample
from trueodds.rulebook import book_ids, load_book

BOOKS_AND_INPUTS = [
    (book, bet_input)
    for number, book in enumerate(book_ids())
    for bet_input in ((Mouse, Keyboard) if number % 2 else (Keyboard, Mouse))
]
"""Every book with mouse and keyboard, in an order that a sample of half of them has each book once and both inputs."""

ROLLS = ("1-3", "2-3", "2-4", "3-5", "3-6", "4-6", "2-2", "2-2", "3-4")
WINDOW: ViewportSize = {"width": 1200, "height": 760}
"""The smallest window that shows felt, card and log together, to save painting."""
MARKS = {"win": "win", "lose": "lose", "moved": "move"}
"""The marks of results in the log. Other results have the mark none."""

CHIP_SPOTS_JS = """
(tags) => tags.map((tag) => {
  const chip = document.querySelector(`[data-chip-tag="${tag}"]`)
  if (!chip) return null
  const { e: x, f: y } = chip.getScreenCTM()
  return document.elementFromPoint(x, y)?.closest('[data-spot]')?.dataset.spot ?? ''
})
"""
"""Return the spot under the center of each chip, or null for a chip that is not drawn."""

LOG_LINES_JS = """
(entry) => [...entry.querySelectorAll('[data-settled]')].map((line) => {
  const content = line.lastElementChild
  const clauses = content.querySelector('.clauses')
  const nodes = [...content.childNodes].filter((node) => node !== clauses)
  const text = nodes.map((node) => node.textContent).join('').trim()
  return { mark: line.classList[1], text, clauses: clauses?.textContent ?? '' }
})
"""
"""Return the lines of a roll in the log, with mark, text and clauses."""


def all_odds(book: str) -> dict[str, Any]:
    """Return house options that offer all odds of a book. All other wagers are offered by default."""
    return {"odds_offered": [kind for kind in load_book(book).wagers if kind.endswith("_odds")]}


def is_odds(spot: dict[str, Any]) -> bool:
    return str(spot["spot"]).endswith("_odds")


def has_own_bet(state: dict[str, Any], spot: dict[str, Any]) -> bool:
    return any(bet["player"] == state["you"] for bet in spot["bets"])


class PlannedBet(NamedTuple):
    """A bet to make: its spot, the spot to click, its stakes, and whether the dealer splits it."""

    spot: str
    click_spot: str
    stake_range: dict[str, Any]
    is_split: bool = False


class AllWagers:
    """Makes all wagers of a table and checks their settlements."""

    def __init__(self, ann: BrowserUser, page_server: PageServer, table: str, bet_input: BetInput) -> None:
        self.ann, self.page_server, self.table, self.input = ann, page_server, table, bet_input
        self.undecided = {spot["spot"] for spot in ann.table_state(table)["layout"]["spots"]}
        """The spots that no roll has decided yet."""
        self.results: set[str] = set()
        self._planned_spots: dict[str, str] = {}
        """The planned spot of each wager, by tag."""
        self._sequence = int(page_server.table_state(table)["sequence"])
        """The last event that was read."""

    def bet(self) -> None:
        """Bet on every open spot that is undecided, and add odds to every wager that can have them."""
        state = self.ann.table_state(self.table)
        self._make([
            PlannedBet(spot["spot"], spot["spot"], spot["stake_range"], spot["is_split"])
            for spot in state["layout"]["spots"]
            if not spot["refusal"] and not is_odds(spot) and not has_own_bet(state, spot)
            if self._is_needed(spot["spot"])
        ])  # fmt: skip
        state = self.ann.table_state(self.table)
        bets = [(bet, spot["spot"]) for spot in state["layout"]["spots"] for bet in spot["bets"]]
        self._wait_for_chips({bet["tag"]: spot for bet, spot in bets if not bet["base_tag"]})
        spots = {bet["tag"]: spot for bet, spot in bets}
        backed = {bet["base_tag"] for bet, _ in bets}
        self._make([
            PlannedBet(action["spot"], self._odds_spot(action["spot"], spots[base]), action["stake_range"])
            for action in state["legal_actions"]
            if action["verb"] == "bet" and (base := action["base_tag"]) not in {None, *backed}
        ])  # fmt: skip

    def _is_needed(self, spot: str) -> bool:
        """Return whether a spot, or one it leads to, is undecided. The shooter also needs a line bet."""
        return spot == "pass" or any(other == spot or other.startswith(f"{spot}:") for other in self.undecided)

    def _odds_spot(self, odds: str, base: str) -> str:
        """Return the spot to click for odds: their own box, or that of their wager."""
        return odds if self.ann.spot(odds).count() else base

    def _make(self, bets: list[PlannedBet]) -> None:
        """Make bets, and wait until their chips are drawn.

        Bets that the dealer splits come last: a click on a spot with an own bet would press that bet.
        """
        if not bets:
            return
        bets.sort(key=lambda bet: (bet.is_split, chip_for(self.input.chips, bet.stake_range) or 0))
        for bet in bets:
            self.input.bet(bet.click_spot, bet.stake_range)
        chips: dict[str, str] = {}
        for bet, parts in zip(bets, self._wait_for_bets(len(bets)), strict=True):
            for body in parts:
                self._planned_spots[body["tag"]] = bet.spot
                spot = body["wager"]["spot"] if body["wager"] else bet.spot
                assert bet.is_split or spot == bet.spot, f"{bet.spot} was clicked and {spot} was bet"
                chips[body["tag"]] = spot if bet.is_split else bet.click_spot
        self._wait_for_chips(chips)

    def _wait_for_chips(self, chips: dict[str, str]) -> None:
        """Wait until chips are drawn on their spots, by tag."""
        deadline = time.monotonic() + TIMEOUT_S
        while (drawn := self.ann.page.evaluate(CHIP_SPOTS_JS, list(chips))) != [*chips.values()]:
            assert time.monotonic() < deadline, f"chips are on {drawn}, not on {[*chips.values()]}"
            self.ann.page.wait_for_timeout(20)

    def _wait_for_bets(self, count: int) -> list[list[dict[str, Any]]]:
        """Wait for a number of bets, and return the wagers of each. A bet that the dealer splits has several."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            events = self.page_server.events(self.table, self._sequence)
            bets: dict[str, list[dict[str, Any]]] = {}
            for event in events:
                if event["kind"] == "bet_made":
                    body = event["body"]
                    bets.setdefault(body["split_from"] or body["tag"], []).append(body)
            if len(bets) == count:
                self._sequence = events[-1]["sequence"]
                return list(bets.values())
            assert time.monotonic() < deadline, f"expected {count} bets, got {len(bets)}"
            self.ann.page.wait_for_timeout(20)

    def roll(self) -> None:
        """Roll the dice, and check that the log has a line for every wager that the engine settled."""
        self.input.roll()
        entry = self.ann.wait_for_roll(self.table, self._sequence)
        events = self.page_server.events(self.table, self._sequence)
        self._sequence = events[-1]["sequence"]
        (event,) = (event for event in events if event["kind"] == "rolled")
        wagers = zip(event["body"]["settled"], event["sentences"][1:], strict=True)
        settled = [(wager, text) for wager, text in wagers if wager["settlement"]["result"] != "no_action"]
        for line, (wager, sentence) in zip(entry.evaluate(LOG_LINES_JS), settled, strict=True):
            settlement = wager["settlement"]
            assert line["mark"] == MARKS.get(settlement["result"], "none"), (line, settlement)
            assert f"{line['text']}: {line['clauses']}".casefold() == f"You: {sentence}".casefold()
            assert settlement["cite"], settlement
            assert all(clause in line["clauses"] for clause in settlement["cite"]), (line, settlement)
            self.results.add(settlement["result"])
            if settlement["result"] in {"win", "lose"}:
                self.undecided -= {settlement["spot"], self._planned_spots.get(wager["tag"], "")}


@pytest.mark.parametrize(("book", "bet_input"), sample(BOOKS_AND_INPUTS, len(book_ids())))
def test_every_wager_is_made_and_settled(
    new_user: NewUser, page_server: PageServer, book: str, bet_input: Callable[[BrowserUser], BetInput]
) -> None:
    table = page_server.open_table(book, **all_odds(book))
    page_server.next_rolls(table, *ROLLS)
    ann = new_user("Ann", size=WINDOW)
    ann.set_preferences(fast=True, guideDone=True)
    ann.join(table, 2_000_000)
    ann.spot("pass").wait_for()
    wagers = AllWagers(ann, page_server, table, bet_input(ann))
    assert {spot.split(":")[0] for spot in wagers.undecided} == set(load_book(book).wagers)
    for _ in ROLLS:
        wagers.bet()
        wagers.roll()
    assert wagers.undecided == set(), "never decided"
    assert {"win", "lose", "moved"} <= wagers.results
