"""The ledger: the postings of every event add up to zero."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.houses import BOOKS, default_house_dealer
from support.journal_session import JournalSession, table_header
from support.random_play import random_legal_action
from trueodds.craps_table import Table
from trueodds.journal import (
    InsufficientFundsError,
    Journal,
    JournalError,
    Posting,
    TableState,
    apply_events,
    bought_in,
    cashed_out,
    postings_for_event,
)
from trueodds.journal.ledger import MAX_BALANCE_CENTS, apply_postings, layout_balances
from trueodds.money import MAX_STAKE_CENTS
from trueodds.table import Join


@settings(max_examples=40)
@given(st.sampled_from(BOOKS), st.integers(0, 2**32))
def test_balances_match_the_wagers(book: str, seed: int) -> None:
    table, random = Table(default_house_dealer(book), ()), Random(seed)
    state = TableState.new(table_header(house=book))
    state = apply_events(state, 1, [*table.do(Join("p1")), bought_in("p1", 10**12)]).state
    for _ in range(30):
        step = apply_events(state, 1, table.do(random_legal_action(table, random)))
        assert all(sum(cents for _, cents in posted) == 0 for posted in step.postings)
        state = step.state
        assert sum(state.balances.values()) == 0
        assert state.position == table.position
        assert state.balances.get("layout:p1", 0) == layout_balances(table.position)["layout:p1"]


def test_the_postings_of_each_event(journal: Journal) -> None:
    session = JournalSession(journal, house="new_jersey")
    session.join("p1", 50_000)
    bet = session.bet("p1", "pass", 1500)
    assert postings_for_event(bet.events[0].decode()) == (Posting("layout:p1", 1500), Posting("rack:p1", -1500))
    won = session.roll("3-4")
    assert postings_for_event(won.events[0].decode()) == (
        Posting("house", -1500),
        Posting("layout:p1", -1500),
        Posting("rack:p1", 3000),
    )
    session.bet("p1", "pass", 1500)
    session.roll("1-1")
    session.append(cashed_out("p1", 50_000))
    assert journal.load_state("t1").balances == {
        "cashier": 0, "house": 0, "layout:p1": 0, "rack:p1": 0,
    }  # fmt: skip


def test_vig_has_an_account(journal: Journal) -> None:
    session = JournalSession(journal, house="new_jersey")
    session.join("p1", 50_000)
    session.bet("p1", "pass", 1500)
    session.roll("3-3")
    session.bet("p1", "buy:4", 2000)
    assert journal.load_state("t1").balances["vig"] == 100


def test_postings_that_cannot_be_paid_are_refused() -> None:
    balances = {"rack:p1": 5, "layout:p1": 0, "house": MAX_BALANCE_CENTS}
    before = dict(balances)
    with pytest.raises(InsufficientFundsError):
        apply_postings(balances, (Posting("house", -3), Posting("rack:p1", -6)))
    with pytest.raises(JournalError, match="layout:p1 holds 0 cents"):
        apply_postings(balances, (Posting("rack:p1", 6), Posting("layout:p1", -6)))
    with pytest.raises(JournalError, match="cannot hold more than"):
        apply_postings(balances, (Posting("house", 1), Posting("rack:p1", -1)))
    assert balances == before


def test_a_buy_in_has_a_maximum(journal: Journal) -> None:
    session = JournalSession(journal)
    with pytest.raises(JournalError, match="must be a whole number from 1"):
        session.append(bought_in("p1", MAX_STAKE_CENTS + 1))
