"""A book under a house: every spot with its rule, ready to settle and to verify."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from trueodds.rulebook import Book, BookError, Cite, House, Spot
from trueodds.wagers.hand import make_hand
from trueodds.wagers.hardway import make_hardway
from trueodds.wagers.line import make_line
from trueodds.wagers.number import make_number
from trueodds.wagers.odds import OddsRule, make_odds
from trueodds.wagers.one_roll import make_one_roll
from trueodds.wagers.parts import make_parts
from trueodds.wagers.terms import Maker, Rule
from trueodds.wagers.wager import COME_OUT, COME_SETTLEMENT, Phase

_MAKERS = {
    "line": make_line,
    "number": make_number,
    "hardway": make_hardway,
    "one_roll": make_one_roll,
    "hand": make_hand,
}


class Rules:
    """What one table plays by. Made once from a house; never changes.

    >>> from trueodds.rulebook import House, load_book
    >>> rules = Rules(House(load_book("new_jersey")))
    >>> rules.spots[Spot("place", (6,))].pay_words
    (('', '7 to 6'),)
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.book: Book = house.book
        spots: dict[Spot, Rule] = {}
        odds: dict[str, OddsRule] = {}
        texts = sorted(self.book.wagers.values(), key=lambda text: text.family == "parts")
        for text in texts:
            try:
                maker = Maker(house, text)
                if text.family == "odds":
                    odds[text.kind] = make_odds(maker)
                elif text.family == "parts":
                    spots |= make_parts(maker, spots)
                else:
                    spots |= _MAKERS[text.family](maker)
            except (TypeError, AttributeError, KeyError, IndexError, ValueError) as error:
                if isinstance(error, BookError):
                    raise
                raise BookError(f"wager.{text.kind}", f"a value has the wrong shape: {error!r}") from error
        for rule in odds.values():
            if rule.base not in self.book.wagers:
                raise BookError(f"wager.{rule.kind}.base", f"{rule.base!r} is no wager of this book")
        self.spots: Mapping[Spot, Rule] = MappingProxyType(spots)
        self.odds: Mapping[str, OddsRule] = MappingProxyType(odds)
        self.game = self.book.games[house["game"]]
        self.comeout_off = frozenset(house.get("comeout_off", ()))
        self.call_on = frozenset(house.get("call_on", ()))
        self.call_off = frozenset(house.get("call_off", ()))
        self.call_scope: str = house["call_scope"]
        self.chip_unit: int = house["chip_unit"]
        self.pay_unit: int = house["pay_unit"]
        self.unpayable = house["unpayable"]
        self.points = frozenset(self.book.points)
        self.seven = self.book.seven

    def puck_after(self, phase: Phase, total: int) -> Phase:
        """Move the puck: a point is set on a come-out, taken off when made or on the seven."""
        if phase == COME_SETTLEMENT:
            return COME_OUT
        if phase == COME_OUT:
            return total if total in self.points else COME_OUT
        return COME_OUT if total in (phase, self.seven) else phase

    def seven_out(self, phase: Phase, total: int) -> bool:
        """Tell whether a throw ends the shooter's hand."""
        return phase > 0 and total == self.seven

    def spots_of(self, kind: str) -> tuple[Spot, ...]:
        """List the places a player can put a wager of this kind."""
        return self.book.wagers[kind].spots()

    def refusal_cite(self, key: str) -> Cite:
        """Give the clause behind a refusal that is not about one wager alone."""
        return self.book.refusals[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rules, (self.house,))

    def __repr__(self) -> str:
        return f"<Rules {self.house.name!r}>"
