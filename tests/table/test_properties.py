"""What holds for every sequence of actions, lawful or not, under every book."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from play import HOUSES, PLAYERS, actions, as_action, ends, houses, lawful_action
from trueodds.dice import ROLLS, Roll
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import (
    Action,
    Bet,
    Dealer,
    DeclineLine,
    NoRoll,
    OpenTable,
    Position,
    Refused,
    Rolled,
    Table,
    Throw,
    fold,
    movements,
    situation,
)
from trueodds.table.refusal import HOUSEKEEPING
from trueodds.wagers import Result, Rules


@cache
def dealer_of(index: int) -> Dealer:
    book, options = HOUSES[index]
    return Dealer(Rules(House(load_book(book), options, plain_options=True)))


def dealer_for(house: tuple[str, dict[str, Any]]) -> Dealer:
    return dealer_of(HOUSES.index(house))


def layout_total(position: Position) -> int:
    return sum(entry.wager.up for seat in position.seats for entry in seat.entries)


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
        assert refusal.cite or refusal.option or refusal.code in HOUSEKEEPING
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
            for moved in movements(event):
                assert moved.rack + moved.layout + moved.house + moved.vigorish == 0
                racks[moved.player] += moved.rack
                layout += moved.layout
                bank += moved.house
                vigorish += moved.vigorish
        assert layout == layout_total(table.position)
        assert sum(racks.values()) + layout + bank + vigorish == 0
        assert vigorish >= 0


@settings(max_examples=150)
@given(houses, st.integers(0, 2**32), st.booleans())
def test_lawful_play_reaches_deep_positions_and_every_cent_is_still_there(house: Any, seed: int, dice: bool) -> None:
    table, random = Table(dealer_for(house), PLAYERS), Random(seed)
    if dice:
        table.do(OpenTable())
    folded, account = table.position, 0
    for _ in range(60):
        action = lawful_action(table, random)
        if not table.can(action):
            assert isinstance(action, DeclineLine)
            continue
        for event in table.do(action):
            folded = fold(folded, event)
            account += sum(moved.rack + moved.house + moved.vigorish for moved in movements(event))
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
            folded = fold(folded, event)
    assert folded == first.position == again.position
    assert hash(folded) == hash(first.position) == hash(again.position)


@settings(max_examples=200)
@given(houses, actions)
def test_a_throw_rules_on_everything_that_was_up_and_pays_as_it_says(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    policy, unit = table.rules.unpayable, table.rules.pay_unit
    for action in script:
        if not table.can(action):
            continue
        tags = [tag for seat in table.position.seats for entry in seat.entries for tag in (entry.tag, *entry.odds_tags)]
        for event in table.do(action):
            if not isinstance(event, Rolled):
                continue
            assert [one.tag for one in event.settled] == tags
            for one in event.settled:
                ruling = one.ruling
                assert ruling.cite
                if ruling.result is not Result.WIN:
                    continue
                assert ruling.net % unit == 0
                if policy == "refuse":
                    assert ruling.breakage == 0
                elif policy == "round_down":
                    assert 0 <= ruling.breakage < unit
                else:
                    assert -unit < ruling.breakage <= 0
                if ruling.odds:
                    assert ruling.net + ruling.breakage == ruling.odds.winnings(ruling.stake)


@settings(max_examples=200)
@given(houses, actions, st.sampled_from(ROLLS))
def test_advancing_a_situation_is_what_a_table_does(house: Any, script: list[Action], roll: Roll) -> None:
    """The chain's short cut against the table, for one player with nobody's name on the dice."""
    dealer = dealer_for(house)
    table = Table(dealer, ("A",))
    for action in script:
        if isinstance(action, Bet | Throw) and table.can(action):
            table.do(action)
    before = situation(table.position, "A")
    after, cash = dealer.advance(before, roll)
    alike = next(
        one
        for one, _ in dealer.outcomes(before)
        if one.pair == roll.pair or (len(dealer.outcomes(before)) == 11 and one.total == roll.total)
    )
    assert dealer.advance(before, alike) == (after, cash)
    assert sum(ways for _, ways in dealer.outcomes(before)) == 36
    (event, *_) = table.roll(roll)
    assert isinstance(event, Rolled)
    assert cash == sum(one.ruling.cash for one in event.settled)
    assert after == situation(table.position, "A")


@settings(max_examples=150)
@given(houses, actions)
def test_what_is_offered_is_accepted_and_what_is_drawn_is_there(house: Any, script: list[Action]) -> None:
    """Every legal action is legal at its least and its most, and the layout shows every chip once."""
    table = Table(dealer_for(house), PLAYERS)
    for action in script:
        if table.can(action):
            table.do(action)
    for player in PLAYERS:
        if table.position.seat_of(player) is None:
            assert table.legal_actions(player) == ()
            continue
        for choice in table.legal_actions(player):
            for stake in ends(choice):
                assert table.can(as_action(player, choice, stake)), (choice, stake)
        layout = table.layout(player)
        drawn = sorted(chip.tag for spot in layout.spots for chip in spot.chips)
        seats = table.position.seats
        assert drawn == sorted(t for seat in seats for e in seat.entries for t in (e.tag, *e.odds_tags))
        for spot in layout.spots:
            assert spot.title
            assert spot.cite
            assert all(" to " in odds for _, odds in spot.pays)


@settings(max_examples=100)
@given(houses, actions)
@example(HOUSES[1], [Bet("A", Spot("pass"), Cents(1000)), Throw(Roll(3, 4), irregular="off_table")])
def test_an_invalid_throw_moves_nothing(house: Any, script: list[Action]) -> None:
    table = Table(dealer_for(house), PLAYERS)
    for action in script:
        before = table.position
        if table.can(action) and isinstance(table.do(action)[0], NoRoll):
            assert table.position == before
