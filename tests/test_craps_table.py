"""`Table`, the object a developer holds: dollars, racks, history, undo, copies, text and drawing."""

from __future__ import annotations

import contextlib
import pickle
from decimal import Decimal
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trueodds
from support.houses import BOOKS
from support.random_play import PLAYERS, houses, random_legal_action
from trueodds.craps_table import NotEnoughChipsError, NothingToUndoError, Table
from trueodds.money import MoneyError
from trueodds.notation import replay
from trueodds.rulebook import House, Spot, UnknownWagerError, load_book
from trueodds.table import (
    Bet,
    BetMade,
    BetResized,
    BetToggled,
    OpenTable,
    RefusalCode,
    Refused,
    RollDice,
    Rolled,
    money_movements,
)
from trueodds.table.position import PositionError


def test_stakes_are_dollars() -> None:
    table = Table("new_jersey", ["Ann"])
    for stake in (15, "15", "$15.00", Decimal("15.00")):
        (event,) = table.bet("Ann", "pass", stake)
        assert isinstance(event, BetMade)
        assert event.stake_cents == 1500
    with pytest.raises(MoneyError, match=r"stake must be whole dollars, .* got the float 15.0"):
        table.bet("Ann", "pass", 15.0)  # type: ignore[arg-type]  # this is what is refused
    with pytest.raises(MoneyError, match="buy_in must be positive, got 0"):
        Table("new_jersey", ["Ann"], buy_in=0)


def test_every_kind_of_change_by_tag_and_by_spot() -> None:
    table = Table("new_jersey", ["Ann"], buy_in=500)
    table.bet("Ann", "pass", 15)
    table.roll("4-4")
    table.bet("Ann", "pass_odds", 30, base_tag="pass")
    table.bet("Ann", "place:6", 18, tag="six")
    assert table.racks_cents == {"Ann": 50_000 - 1500 - 3000 - 1800}
    (pressed,) = table.press("Ann", "place:6", 30)
    (reduced,) = table.reduce("Ann", "six", "18")
    (called,) = table.call("Ann", "place:6", "off")
    (odds_down,) = table.take_down("Ann", "pass_odds")
    (down,) = table.take_down("Ann", "six")
    assert [type(event) for event in (pressed, reduced, called, odds_down, down)] == [
        BetResized, BetResized, BetToggled, BetResized, BetResized,
    ]  # fmt: skip
    assert table.racks_cents == {"Ann": 48_500}
    with pytest.raises(Refused) as caught:
        table.take_down("Ann", "six")
    assert caught.value.code is RefusalCode.NO_SUCH_BET


def test_a_misspelled_wager_is_an_input_error_and_only_a_rule_refuses() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(UnknownWagerError, match="New Jersey has no wager called 'plase'; did you mean 'place'"):
        table.bet("Ann", "plase:6", 12)
    with pytest.raises(Refused) as caught:
        table.bet("Ann", "small", 5)  # Maryland has this bet
    assert caught.value.code is RefusalCode.NOT_OFFERED
    with pytest.raises(Refused) as caught:
        table.bet("Ann", "place:7", 12)
    assert caught.value.code is RefusalCode.BAD_SELECTION


def test_a_rack_limits_bets() -> None:
    table = Table("new_jersey", ["Ann", "Bob"], buy_in=20)
    table.bet("Ann", "pass", 15)
    position = table.position
    with pytest.raises(NotEnoughChipsError, match=r"^Ann is \$10 short of chips$") as caught:
        table.bet("Ann", "pass", 15)
    assert (table.position, table.racks_cents) == (position, {"Ann": 500, "Bob": 2000})
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  our own
    assert (str(error), error.short_cents) == ("Ann is $10 short of chips", 1000)
    table.bet("Bob", "pass", 20)
    table.roll("3-4")
    assert table.racks_cents == {"Ann": 3500, "Bob": 4000}


def test_without_a_buy_in_a_rack_is_the_net_result() -> None:
    table = Table("rws", ["Ann"])
    table.bet("Ann", "pass", 1000)
    assert table.racks_cents == {"Ann": -100_000}
    table.roll("6-5")
    assert table.racks_cents == {"Ann": 100_000}


@settings(max_examples=60)
@given(houses, st.integers(0, 2**32), st.booleans())
def test_undo_takes_back_every_action_and_text_restores_the_table(house: Any, seed: int, with_custody: bool) -> None:
    book, options = house
    table = Table(House(load_book(book), options, book_defaults=True), PLAYERS, buy_in="1000000.00")
    random = Random(seed)
    states = []
    if with_custody:
        table.do(OpenTable())
    for _ in range(20):
        state = table.position, table.racks_cents, table.actions
        try:
            table.do(random_legal_action(table, random))
        except (Refused, NotEnoughChipsError):
            continue
        states.append(state)
    racks = dict.fromkeys(PLAYERS, 100_000_000)
    for step in replay(table.history):
        for event in step.events:
            for movement in money_movements(event):
                racks[movement.player] += movement.rack_cents
    assert table.racks_cents == racks
    again = Table.from_text(str(table))
    assert (again.position, again.racks_cents, again.actions, str(again)) == (
        table.position, table.racks_cents, table.actions, str(table),
    )  # fmt: skip
    copy = table.copy()
    for state in reversed(states):
        action = table.undo()
        assert (table.position, table.racks_cents, table.actions) == state
        assert action == copy.actions[len(state[2])]
    assert (copy.position, copy.racks_cents) == (again.position, again.racks_cents), "a copy is independent"


def test_undo_of_rolls_and_of_nothing() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(NothingToUndoError):
        table.undo()
    start = table.position
    table.roll("2-4")
    assert table.undo() == RollDice(trueodds.Roll(2, 4))
    assert table.position == start


def test_actions_can_be_text() -> None:
    table = Table("new_jersey", ["Ann"])
    table.do("Ann bets 15 on pass as p")
    table.do("roll 4-4")
    assert repr(table) == "<Table New Jersey, default house: puck 8 under_way | Ann: pass 15 as p | made 1>"
    assert table.actions[0] == Bet("Ann", Spot("pass"), trueodds.money.Cents(1500), tag="p")


def test_a_position_as_text() -> None:
    table = Table.from_text("puck 6 under_way | Ann: pass 15 as 1 | Bob: | made 1", "new_jersey")
    assert (table.players, table.position.point) == (("Ann", "Bob"), 6)
    (event,) = table.roll("3-3")
    assert isinstance(event, Rolled)
    assert event.puck_change == "point_made"
    with pytest.raises(PositionError, match="must be on a point, got 7"):
        Table("new_jersey", position="puck 7 under_way | Ann:")
    with pytest.raises(PositionError, match="players must be a list of names, got the text 'Ann'"):
        Table("new_jersey", "Ann")


@pytest.mark.parametrize("book", BOOKS)
def test_the_drawing_is_svg_with_every_bet_and_the_puck(book: str) -> None:
    table = Table(book, ["Ann", "<Bob> & 'Co'"], buy_in=10_000)
    table.bet("Ann", "pass", 25)
    table.roll("3-3")
    bets = 1
    for player, spot, stake in (
        ("Ann", "pass_odds", 25), ("<Bob> & 'Co'", "place:8", 30), ("<Bob> & 'Co'", "hard:8", 25),
        ("<Bob> & 'Co'", "field", 25), ("<Bob> & 'Co'", "hop:2-5", 25),
    ):  # fmt: skip
        with contextlib.suppress(Refused):  # not every book has all of these
            bets += len(table.bet(player, spot, stake, base_tag="pass" if spot == "pass_odds" else None))
    root = ElementTree.fromstring(table._repr_svg_())  # noqa: S314  our own drawing
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "Puck ON 6" in titles[0]
    assert len(titles) == 1 + bets, "a chip for each wager and each odds bet"
    texts = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert " ON " in texts
    assert "<Bob> & 'Co': " in texts


def test_undo_across_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.craps_table.CHECKPOINT_INTERVAL", 3)
    table, random = Table("maryland", PLAYERS), Random(5)
    states = [(table.position, table.racks_cents)]
    for _ in range(40):
        table.do(random_legal_action(table, random))
        states.append((table.position, table.racks_cents))
    for count in range(39, -1, -1):
        action = table.undo()
        assert (table.position, table.racks_cents) == states[count]
        table.do(action)
        assert (table.position, table.racks_cents) == states[count + 1]
        table.undo()
        assert (table.position, table.racks_cents) == states[count]


def test_tables_pickle() -> None:
    table = Table("maryland", ["Ann"], buy_in=500)
    table.bet("Ann", "pass", 10)
    again = pickle.loads(pickle.dumps(table))  # noqa: S301  our own
    assert (again.position, again.racks_cents) == (table.position, table.racks_cents)
    assert again.roll("6-5") == table.roll("6-5")
