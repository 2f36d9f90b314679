"""Exact odds of odds bets: no edge with fair dice and true odds, an edge with biased dice."""

from __future__ import annotations

from fractions import Fraction

import pytest

from trueodds.rulebook import as_house, book_ids
from trueodds.wager_odds.dice_chances import biased_dice
from trueodds.wager_odds.odds_bets import odds_by_point
from trueodds.wagers import TableRules


@pytest.mark.parametrize("book", book_ids())
def test_true_odds_have_no_edge(book: str) -> None:
    house = as_house(book)
    for kind, rule in TableRules(house).odds_rules.items():
        by_number = odds_by_point(house, kind)
        assert set(by_number) == (set(house.book.points) if rule.availability.offered else set())
        for number, odds in by_number.items():
            assert not odds.edge, (kind, number)
            assert not odds.push_chance
            assert odds.win_chance + odds.lose_chance == 1
            ratio = rule.payouts[number].odds.ratio
            assert odds.win_chance == 1 / (1 + ratio)
            assert odds.variance_cents2 / odds.stake_cents**2 == ratio


def test_biased_dice_give_an_edge() -> None:
    weighted = biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)
    by_number = odds_by_point(as_house("NJ"), "pass_odds", weighted)
    assert by_number[4].win_chance == Fraction(4, 11)
    assert by_number[4].edge == Fraction(4, 11) * 2 - Fraction(7, 11)
