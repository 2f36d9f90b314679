"""Every wager of every book is placed by mouse and by keyboard, and its settlement is shown with its clause.

The spots are those of the server's layout; what is put where follows from what the server says is open. The throws
below decide every one of them: each number once, so that come bets travel, then the point, a come-out, a seven-out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import ViewportSize

from hands import Hands, Keyboard, Mouse, chip_for
from house import House
from trueodds.rulebook import book_ids, load_book
from visitor import PATIENCE_S, Visitor

ROLLS = ("1-3", "2-3", "2-4", "3-5", "3-6", "4-6", "2-2", "2-2", "3-4")
DESK: ViewportSize = {"width": 1200, "height": 760}
"""The smallest window that shows felt, card and log together: there is less to paint."""
MARKS = {"win": "win", "lose": "lose", "moved": "move"}
"""How the log marks a result; anything else that was settled is marked with a dash."""

STANDS = """
(tags) => tags.map((tag) => {
  const chip = document.querySelector(`[data-chip-tag="${tag}"]`)
  if (!chip) return null
  const { e: x, f: y } = chip.getScreenCTM()
  return document.elementFromPoint(x, y)?.closest('[data-spot]')?.dataset.spot ?? ''
})
"""
"""On which spot the middle of each chip lies; nothing for a chip that is not drawn."""

LINES = """
(entry) => [...entry.querySelectorAll('[data-settled]')].map((line) => {
  const told = line.lastElementChild
  const why = told.querySelector('.why')
  const text = [...told.childNodes].filter((part) => part !== why).map((part) => part.textContent).join('')
  return { mark: line.classList[1], text, why: why?.textContent ?? '' }
})
"""
"""The lines of a roll in the log: how each is marked, what it says, and by which clauses."""


def full_house(book: str) -> dict[str, Any]:
    """Offer the odds that a house of this book may offer; every other wager is offered anyway."""
    return {"odds_offered": [kind for kind in load_book(book).wagers if kind.endswith("_odds")]}


def is_odds(spot: dict[str, Any]) -> bool:
    return str(spot["spot"]).endswith("_odds")


def mine(seen: dict[str, Any], spot: dict[str, Any]) -> bool:
    return any(chip["player"] == seen["you"] for chip in spot["chips"])


class Put(NamedTuple):
    """A bet to make: the spot it is on, the place to put it, what it takes, whether the dealer splits it."""

    spot: str
    place: str
    stakes: dict[str, Any]
    splits: bool = False


class Round:
    """One player's way through all wagers of a table."""

    def __init__(self, ann: Visitor, house: House, table: str, hands: Hands) -> None:
        self.ann, self.house, self.table, self.hands = ann, house, table, hands
        self.waiting = {spot["spot"] for spot in ann.look(table)["layout"]["spots"]}
        """Spots that no throw has decided yet."""
        self.results: set[str] = set()
        self._asked: dict[str, str] = {}
        """The spot that was asked for, by the tag of what was made of it."""
        self._row = int(house.look(table)["sequence"])
        """The last row of the journal that was read."""

    def bet(self) -> None:
        """Put chips on everything that is open and not decided, and odds behind everything that takes them."""
        seen = self.ann.look(self.table)
        self._put([
            Put(spot["spot"], spot["spot"], spot["stakes"], spot["splits"])
            for spot in seen["layout"]["spots"]
            if not spot["refusal"] and not is_odds(spot) and not mine(seen, spot) and self._is_wanted(spot["spot"])
        ])  # fmt: skip
        seen = self.ann.look(self.table)
        self._see({
            chip["tag"]: spot["spot"] for spot in seen["layout"]["spots"] for chip in spot["chips"] if not chip["on"]
        })  # fmt: skip
        up = {chip["tag"]: spot["spot"] for spot in seen["layout"]["spots"] for chip in spot["chips"]}
        backed = {chip["on"] for spot in seen["layout"]["spots"] for chip in spot["chips"]}
        self._put([
            Put(choice["spot"], self._place_of(choice["spot"], up[choice["on"]]), choice["stakes"])
            for choice in seen["choices"]
            if choice["do"] == "bet" and choice["on"] not in {None, *backed}
        ])  # fmt: skip

    def _is_wanted(self, spot: str) -> bool:
        """Whether a spot is not decided yet, or leads to one that is not; a shooter needs a line bet, too."""
        return spot == "pass" or any(one == spot or one.startswith(f"{spot}:") for one in self.waiting)

    def _place_of(self, odds: str, base: str) -> str:
        """Where odds are put: on a box of their own, or on the wager that they are behind."""
        return odds if self.ann.spot(odds).count() else base

    def _put(self, puts: list[Put]) -> None:
        """Put chips on spots, and see them stand there.

        What the dealer splits comes last: a click where one's own chip stands already would add to that.
        """
        if not puts:
            return
        puts.sort(key=lambda put: (put.splits, chip_for(self.hands.chips, put.stakes) or 0))
        for put in puts:
            self.hands.put(put.place, put.stakes)
        stands: dict[str, str] = {}
        for put, parts in zip(puts, self._made(len(puts)), strict=True):
            for body in parts:
                self._asked[body["tag"]] = put.spot
                made = body["wager"]["spot"] if body["wager"] else put.spot
                assert put.splits or made == put.spot, f"{put.spot} was asked for and {made} was made"
                stands[body["tag"]] = made if put.splits else put.place
        self._see(stands)

    def _see(self, stands: dict[str, str]) -> None:
        """Wait until chips stand where they should, by their tags."""
        until = time.monotonic() + PATIENCE_S
        while (found := self.ann.page.evaluate(STANDS, list(stands))) != [*stands.values()]:
            assert time.monotonic() < until, f"chips stand on {found}, not on {[*stands.values()]}"
            self.ann.page.wait_for_timeout(20)

    def _made(self, count: int) -> list[list[dict[str, Any]]]:
        """Wait until so many bets are made; a bet that the dealer splits is several."""
        until = time.monotonic() + PATIENCE_S
        while True:
            rows = self.house.rows(self.table, self._row)
            made: dict[str, list[dict[str, Any]]] = {}
            for row in rows:
                if row["kind"] == "made":
                    made.setdefault(row["body"]["part_of"] or row["body"]["tag"], []).append(row["body"])
            if len(made) == count:
                self._row = rows[-1]["number"]
                return list(made.values())
            assert time.monotonic() < until, f"{count} bets were put up, {len(made)} were made"
            self.ann.page.wait_for_timeout(20)

    def throw(self) -> None:
        """Throw the dice; the log has a line for everything that the engine settled, and no other."""
        self.hands.throw()
        entry = self.ann.sees_roll(self.table, self._row)
        rows = self.house.rows(self.table, self._row)
        self._row = rows[-1]["number"]
        (row,) = (row for row in rows if row["kind"] == "rolled")
        said = zip(row["body"]["settled"], row["sentences"][1:], strict=True)
        settled = [(one, sentence) for one, sentence in said if one["ruling"]["result"] != "no_action"]
        for line, (one, sentence) in zip(entry.evaluate(LINES), settled, strict=True):
            ruling = one["ruling"]
            assert line["mark"] == MARKS.get(ruling["result"], "none"), (line, ruling)
            assert f"{line['text']}: {line['why']}".casefold() == f"You: {sentence}".casefold()
            assert ruling["cite"], ruling
            assert all(clause in line["why"] for clause in ruling["cite"]), (line, ruling)
            self.results.add(ruling["result"])
            if ruling["result"] in {"win", "lose"}:
                self.waiting -= {ruling["spot"], self._asked.get(one["tag"], "")}


@pytest.mark.parametrize("hands", [Mouse, Keyboard], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("book", book_ids())
def test_every_wager_is_placed_and_settled(
    visit: Callable[..., Visitor], house: House, book: str, hands: Callable[[Visitor], Hands]
) -> None:
    table = house.table(book, **full_house(book))
    house.next_rolls(table, *ROLLS)
    ann = visit("Ann", size=DESK)
    ann.prefer(fast=True, guided=True)
    ann.sit(table, 2_000_000)
    ann.spot("pass").wait_for()
    way = Round(ann, house, table, hands(ann))
    assert {spot.split(":")[0] for spot in way.waiting} == set(load_book(book).wagers)
    for _ in ROLLS:
        way.bet()
        way.throw()
    assert way.waiting == set(), "these were never decided"
    assert {"win", "lose", "moved"} <= way.results
