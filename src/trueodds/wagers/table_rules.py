"""The rules of a table: a book under a house, with a rule for every spot."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from trueodds.rulebook import Book, BookError, Citation, House, Spot
from trueodds.wagers.combination_rule import build_combination
from trueodds.wagers.hardway_rule import build_hardways
from trueodds.wagers.line_rule import build_line_bet
from trueodds.wagers.number_rule import build_number_bets
from trueodds.wagers.odds_rule import OddsRule, build_odds
from trueodds.wagers.one_roll_rule import build_one_roll_bets
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.side_bet_rules import build_side_bet
from trueodds.wagers.wager import COME_OUT, COME_SETTLEMENT, Phase
from trueodds.wagers.wager_rule import WagerRule

_BUILDERS = {
    "line": build_line_bet,
    "number": build_number_bets,
    "hardway": build_hardways,
    "one_roll": build_one_roll_bets,
    "side_bet": build_side_bet,
}


class TableRules:
    """The rules of one table, built from a house. Immutable.

    `wager_rules` has the rule of every spot, `odds_rules` that of every kind of odds.

    >>> from trueodds.rulebook import House, load_book
    >>> rules = TableRules(House(load_book("new_jersey")))
    >>> rules.wager_rules[Spot("place", (6,))].payout_texts
    (('', '7 to 6'),)
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.book: Book = house.book
        spots: dict[Spot, WagerRule] = {}
        odds: dict[str, OddsRule] = {}
        # Combination bets are built last, because they are made of other wagers.
        for definition in sorted(self.book.wagers.values(), key=lambda wager: wager.family == "combination"):
            try:
                builder = RuleBuilder(house, definition)
                if definition.family == "odds":
                    odds[definition.kind] = build_odds(builder)
                elif definition.family == "combination":
                    spots |= build_combination(builder, spots)
                else:
                    spots |= _BUILDERS[definition.family](builder)
            except (TypeError, AttributeError, KeyError, IndexError, ValueError) as error:
                if isinstance(error, BookError):
                    raise
                location = self.book.location.child("wager", definition.kind)
                raise BookError.at(location, f"a value has the wrong type: {error!r}") from error
        for rule in odds.values():
            if rule.base_kind not in self.book.wagers:
                location = self.book.location.child("wager", rule.kind, "base")
                location.fail(f"this book has no wager {rule.base_kind!r}")
        self.wager_rules: Mapping[Spot, WagerRule] = MappingProxyType(spots)
        self.odds_rules: Mapping[str, OddsRule] = MappingProxyType(odds)
        self.game = self.book.games[str(house["game"])]
        self.comeout_off = frozenset(house.wager_list("comeout_off"))
        self.call_on = frozenset(house.wager_list("call_on"))
        self.call_off = frozenset(house.wager_list("call_off"))
        self.call_scope = str(house["call_scope"])
        self.chip_unit = house.chip_unit_cents
        self.pay_unit = house.pay_unit_cents
        self.unpayable = house.unpayable
        self.points = frozenset(self.book.points)
        self.seven = self.book.seven

    def puck_after(self, phase: Phase, total: int) -> Phase:
        """Return where the puck is after a roll."""
        if phase == COME_SETTLEMENT:
            return COME_OUT
        if phase == COME_OUT:
            return total if total in self.points else COME_OUT
        return COME_OUT if total in (phase, self.seven) else phase

    def is_seven_out(self, phase: Phase, total: int) -> bool:
        """Return whether a roll ends the shooter's hand."""
        return phase > 0 and total == self.seven

    def spots_of(self, kind: str) -> tuple[Spot, ...]:
        """Return the spots a player can bet a kind of wager on."""
        return self.book.wagers[kind].spots()

    def refusal_cite(self, key: str) -> Citation:
        """Return the citation of a refusal that is not about one kind of wager."""
        return self.book.refusal_cites[key]

    def __reduce__(self) -> tuple[object, ...]:
        return (TableRules, (self.house,))

    def __repr__(self) -> str:
        return f"<TableRules {self.house.name!r}>"
