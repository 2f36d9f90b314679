"""Odds behind a bet, worked out by asking the dealer: fair where a book pays true odds, and not where it does not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from trueodds.chain.behind import behind_odds
from trueodds.chain.odds import biased
from trueodds.rulebook import book_ids, open_house
from trueodds.wagers import Rules


@pytest.mark.parametrize("book", book_ids())
def test_true_odds_have_no_edge(book: str) -> None:
    house = open_house(book)
    for kind, rule in Rules(house).odds.items():
        found = behind_odds(house, kind)
        assert set(found) == (set(house.book.points) if rule.offer.given else set())
        for number, one in found.items():
            assert not one.edge, (kind, number)
            assert not one.void
            assert one.win + one.lose == 1
            ratio = rule.pays[number].odds.ratio
            assert one.win == 1 / (1 + ratio)
            assert one.variance / one.stake**2 == ratio


def test_the_edge_is_worked_out_and_not_taken_for_granted() -> None:
    ones = biased([2, 1, 1, 1, 1, 1], [1] * 6)
    found = behind_odds(open_house("NJ"), "pass_odds", ones)
    assert found[4].win == Fraction(4, 11)
    assert found[4].edge == Fraction(4, 11) * 2 - Fraction(7, 11)
