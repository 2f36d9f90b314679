"""Double entry: every row adds up to nothing, and every cent is somewhere."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evening import Evening, header
from houses import BOOKS, default_dealer
from play import lawful_action
from trueodds.journal import (
    FundsError,
    Journal,
    JournalError,
    Posting,
    TableState,
    bought_in,
    cashed_out,
    follow,
    postings,
)
from trueodds.journal.ledger import MOST_CENTS, post_all, stakes_up
from trueodds.money import STAKE_LIMIT
from trueodds.table import Join, Table


@settings(max_examples=40)
@given(st.sampled_from(BOOKS), st.integers(0, 2**32))
def test_balances_are_where_the_cents_are(book: str, seed: int) -> None:
    table, random = Table(default_dealer(book), ()), Random(seed)
    state = TableState.new(header(house=book))
    state = follow(state, 1, [*table.do(Join("p1")), bought_in("p1", 10**12)]).state
    for _ in range(30):
        step = follow(state, 1, table.do(lawful_action(table, random)))
        assert all(sum(cents for _, cents in posted) == 0 for posted in step.posted)
        state = step.state
        assert sum(state.balances.values()) == 0
        assert state.position == table.position
        assert state.balances.get("layout:p1", 0) == stakes_up(table.position)["layout:p1"]


def test_what_each_row_posts(journal: Journal) -> None:
    evening = Evening(journal, house="new_jersey")
    evening.sit("p1", 50_000)
    bet = evening.bet("p1", "pass", 1500)
    assert postings(bet.rows[0].content()) == (Posting("layout:p1", 1500), Posting("rack:p1", -1500))
    won = evening.roll("3-4")
    assert postings(won.rows[0].content()) == (
        Posting("house", -1500),
        Posting("layout:p1", -1500),
        Posting("rack:p1", 3000),
    )
    evening.bet("p1", "pass", 1500)
    evening.roll("1-1")
    evening.write(cashed_out("p1", 50_000))
    assert journal.load("t1").balances == {
        "cash_in": 0, "house": 0, "layout:p1": 0, "rack:p1": 0,
    }  # fmt: skip


def test_vigorish_has_an_account(journal: Journal) -> None:
    evening = Evening(journal, house="new_jersey")
    evening.sit("p1", 50_000)
    evening.bet("p1", "pass", 1500)
    evening.roll("3-3")
    evening.bet("p1", "buy:4", 2000)
    assert journal.load("t1").balances["vigorish"] == 100


def test_what_cannot_be_paid_is_not_posted() -> None:
    balances = {"rack:p1": 5, "layout:p1": 0, "house": MOST_CENTS}
    before = dict(balances)
    with pytest.raises(FundsError):
        post_all(balances, (Posting("house", -3), Posting("rack:p1", -6)))
    with pytest.raises(JournalError, match="layout:p1 holds 0 cents"):
        post_all(balances, (Posting("rack:p1", 6), Posting("layout:p1", -6)))
    with pytest.raises(JournalError, match="more cents than can be counted"):
        post_all(balances, (Posting("house", 1), Posting("rack:p1", -1)))
    assert balances == before


def test_a_buy_in_is_no_slip_of_the_hand(journal: Journal) -> None:
    evening = Evening(journal)
    with pytest.raises(JournalError, match="whole number of cents"):
        evening.write(bought_in("p1", STAKE_LIMIT + 1))
