"""Properties of every sequence of actions, allowed or not, under every book."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.random_play import HOUSES, PLAYERS, actions, houses, random_legal_action, stake_bounds, to_action
from trueodds.craps_table import Table
from trueodds.dice import ROLLS, Roll
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import (
    Action,
    Bet,
    CachedDealer,
    Dealer,
    DeclineLine,
    NoRoll,
    OpenTable,
    Position,
    Refused,
    RollDice,
    Rolled,
    apply_event,
    money_movements,
    new_position,
)
from trueodds.table.refusal import CODES_WITHOUT_CLAUSE
from trueodds.wagers import Result, TableRules


@cache
def dealer_of(index: int) -> CachedDealer:
    book, options = HOUSES[index]
    return CachedDealer(TableRules(House(load_book(book), options, book_defaults=True)))


def dealer_for(house: tuple[str, dict[str, Any]]) -> CachedDealer:
    return dealer_of(HOUSES.index(house))


def layout_total(position: Position) -> int:
    return sum(entry.wager.total_stake for seat in position.seats for entry in seat.wagers)


@settings(max_examples=300)
@given(houses, actions)
def test_nothing_but_a_refusal_is_raised_and_a_refusal_changes_nothing(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    for action in script:
        before = table.position
        refusal = table.verify(action)
        assert table.can(action) is (refusal is None)
        if refusal is None:
            events = table.do(action)
            assert events
            assert all(event.sentence for event in events)
            continue
        with pytest.raises(Refused) as refused:
            table.do(action)
        assert refused.value.refusal == refusal
        assert str(refused.value) == refusal.sentence
        assert refusal.cite or refusal.option or refusal.code in CODES_WITHOUT_CLAUSE
        assert table.position == before


@settings(max_examples=300)
@given(houses, actions)
def test_every_cent_that_moves_arrives_somewhere(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    racks, layout, bank, vigorish = dict.fromkeys((*PLAYERS, "D", "E"), 0), 0, 0, 0
    for action in script:
        if not table.can(action):
            continue
        for event in table.do(action):
            for moved in money_movements(event):
                assert moved.rack_cents + moved.layout_cents + moved.house_cents + moved.vig_cents == 0
                racks[moved.player] += moved.rack_cents
                layout += moved.layout_cents
                bank += moved.house_cents
                vigorish += moved.vig_cents
        assert layout == layout_total(table.position)
        assert sum(racks.values()) + layout + bank + vigorish == 0
        assert vigorish >= 0


@settings(max_examples=150)
@given(houses, st.integers(0, 2**32), st.booleans())
def test_money_is_conserved_in_long_legal_play(house: Any, seed: int, dice: bool) -> None:
    table, random = Table(dealer_for(house), PLAYERS), Random(seed)
    if dice:
        table.do(OpenTable())
    folded, account = table.position, 0
    for _ in range(60):
        action = random_legal_action(table, random)
        if not table.can(action):
            assert isinstance(action, DeclineLine)
            continue
        for event in table.do(action):
            folded = apply_event(folded, event)
            account += sum(moved.rack_cents + moved.house_cents + moved.vig_cents for moved in money_movements(event))
    assert folded == table.position
    assert account == -layout_total(table.position)


@settings(max_examples=200)
@given(houses, actions)
def test_the_fold_of_the_events_is_the_state_and_the_same_inputs_give_the_same_hash(
    house: Any, script: list[Action]
) -> None:
    dealer = dealer_for(house)
    first, again = Table(dealer, PLAYERS), Table(Dealer(dealer.rules), PLAYERS)
    folded = first.position
    for action in script:
        if not first.can(action):
            continue
        events = first.do(action)
        assert again.do(action) == events
        for event in events:
            folded = apply_event(folded, event)
    assert folded == first.position == again.position
    assert hash(folded) == hash(first.position) == hash(again.position)


@settings(max_examples=200)
@given(houses, actions)
def test_a_roll_settles_every_bet_and_pays_what_its_settlement_says(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    policy, unit = table.rules.unpayable, table.rules.pay_unit
    for action in script:
        if not table.can(action):
            continue
        tags = [tag for seat in table.position.seats for entry in seat.wagers for tag in (entry.tag, *entry.odds_tags)]
        for event in table.do(action):
            if not isinstance(event, Rolled):
                continue
            assert [one.tag for one in event.settled] == tags
            for one in event.settled:
                ruling = one.settlement
                assert ruling.cite
                if ruling.result is not Result.WIN:
                    continue
                assert ruling.net_cents % unit == 0
                if policy == "refuse":
                    assert ruling.breakage_cents == 0
                elif policy == "round_down":
                    assert 0 <= ruling.breakage_cents < unit
                else:
                    assert -unit < ruling.breakage_cents <= 0
                if ruling.odds:
                    assert ruling.net_cents + ruling.breakage_cents == ruling.odds.winnings(ruling.stake_cents)


@settings(max_examples=150)
@given(houses, actions)
def test_a_cached_dealer_answers_like_a_plain_one(house: Any, script: list[Action]) -> None:
    """The cached dealer is shared by all examples, so its caches hold answers from other positions."""
    cached = dealer_for(house)
    plain = Dealer(cached.rules)
    position = new_position(PLAYERS)
    for action in script:
        refusal = plain.verify(position, action)
        assert cached.verify(position, action) == refusal
        if refusal is None:
            after = plain.act(position, action)
            assert cached.act(position, action) == after
            position = after[0]
    for roll in ROLLS:
        assert cached.roll(position, roll) == plain.roll(position, roll)


@settings(max_examples=150)
@given(houses, actions)
def test_what_is_offered_is_accepted_and_what_is_drawn_is_there(house: Any, script: list[Action]) -> None:
    """Every legal action is legal at its smallest and largest stake, and the layout shows every bet once."""
    table = Table(dealer_for(house), PLAYERS)
    for action in script:
        if table.can(action):
            table.do(action)
    for player in PLAYERS:
        if table.position.find_seat(player) is None:
            assert table.legal_actions(player) == ()
            continue
        for choice in table.legal_actions(player):
            for stake in stake_bounds(choice):
                assert table.can(to_action(player, choice, stake)), (choice, stake)
        layout = table.layout(player)
        drawn = sorted(chip.tag for spot in layout.spots for chip in spot.bets)
        seats = table.position.seats
        assert drawn == sorted(t for seat in seats for e in seat.wagers for t in (e.tag, *e.odds_tags))
        for spot in layout.spots:
            assert spot.title
            assert spot.cite
            assert all(" to " in odds for _, odds in spot.pays)


@settings(max_examples=100)
@given(houses, actions)
@example(HOUSES[1], [Bet("A", Spot("pass"), Cents(1000)), RollDice(Roll(3, 4), irregularity="off_table")])
def test_an_invalid_throw_moves_nothing(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    for action in script:
        before = table.position
        if table.can(action) and isinstance(table.do(action)[0], NoRoll):
            assert table.position == before
