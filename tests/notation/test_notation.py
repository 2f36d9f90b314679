"""Notation: parsing is the inverse of writing, errors say what was found, and histories replay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.houses import BOOKS
from support.random_play import HOUSES, PLAYERS, action, actions, houses, random_legal_action
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.notation import (
    History,
    HistoryError,
    NotationError,
    parse_action,
    parse_amount,
    parse_history,
    parse_position,
    replay,
    write_action,
    write_amount,
    write_history,
    write_name,
    write_position,
)
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import (
    Action,
    Bet,
    Custody,
    Markers,
    OpenTable,
    Position,
    RollDice,
    Seat,
    TaggedWager,
    TakeDown,
)
from trueodds.wagers import OddsBet, Wager

names = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["Ann", "Big Al", "roll", "open", "dice", "as", "to", '"', "a,b", "x:", "standing", "é", "|", "with", "\\", "puck"]
)


@settings(max_examples=400)
@given(action)
def test_actions_are_read_back(drawn: Action) -> None:
    line = write_action(drawn)
    assert "\n" not in line
    assert parse_action(line) == drawn
    assert write_action(parse_action(line)) == line


@settings(max_examples=300)
@given(names.filter(str.isprintable), names.filter(str.isprintable))
def test_names_of_any_kind_are_read_back(player: str, tag: str) -> None:
    for drawn in (
        Bet(player, Spot("pass"), Cents(1000), tag, tag),
        TakeDown(player, tag),
        RollDice(Roll(3, 4), player),
    ):
        assert parse_action(write_action(drawn)) == drawn
    position = Position(seats=(Seat(player, False, (TaggedWager(tag, Wager(Spot("pass"), Cents(5))),)), Seat(tag)))
    assert parse_position(write_position(position)) == position


@given(st.integers(-(10**15), 10**15))
def test_amounts_are_read_back(cents: int) -> None:
    assert parse_amount(write_amount(cents)) == cents


@settings(max_examples=200)
@given(houses, st.integers(0, 2**32), st.booleans())
def test_positions_and_histories_of_real_play_are_read_back(house: Any, seed: int, dice: bool) -> None:
    book, options = house
    made = House(load_book(book), options, book_defaults=True, name="Any house")
    table, random = Table(made, PLAYERS), Random(seed)
    start, played = table.position, []
    script: list[Action] = [OpenTable()] if dice else []
    for _ in range(25):
        step = script.pop() if script else random_legal_action(table, random)
        if table.can(step):
            table.do(step)
            played.append(step)
            assert parse_position(write_position(table.position)) == table.position
    history = History(made, start, tuple(played), table.position)
    text = write_history(history)
    read = parse_history(text)
    assert write_history(read) == text
    assert (read.house, read.start, read.actions, read.end) == (made, start, tuple(played), table.position)
    *_, last = [None, *replay(read)]
    if last is not None:
        assert last.position == table.position


@settings(max_examples=200)
@given(
    st.builds(
        Custody, st.none() | names, st.none() | names, st.none() | names, st.lists(names, max_size=3).map(tuple),
        st.sampled_from(["normal", "come_settlement"]), st.booleans(), st.booleans(), st.booleans(),
    ),
    st.lists(st.integers(2, 12), max_size=4).map(tuple), st.integers(0, 10**6),
)  # fmt: skip
def test_any_custody_and_markers_are_read_back(custody: Custody, marks: tuple[int, ...], serial: int) -> None:
    position = Position(6, "under_way", (Seat("Ann"),), Markers(marks, marks), serial, custody)
    assert parse_position(write_position(position)) == position


def test_a_position_reads_like_a_sentence() -> None:
    wager = Wager(Spot("come", (6,)), Cents(1000), odds_bets=(OddsBet("come_odds", Cents(5000), "off"),))
    reduced = Wager(Spot("dont_pass"), Cents(550), reduced=True)
    fire = Wager(Spot("fire"), Cents(500), marks=(4, 5))
    buy = Wager(Spot("buy", (4,)), Cents(2000), "on", vig=Cents(100))
    position = Position(
        8, "under_way", (Seat("Ann", True, (TaggedWager("1", wager, ("2",)), TaggedWager("3", reduced))),
                         Seat("Bob", False, (TaggedWager("4", fire), TaggedWager("5", buy))), Seat("Cy")),
        Markers((4, 5), ()), 5, Custody(shooter="Ann"),
    )  # fmt: skip
    line = write_position(position)
    assert line == (
        "puck 8 under_way | Ann: come:6 10 as 1 with come_odds 50 off as 2, dont_pass 5.50 reduced as 3 | "
        "Bob standing: fire 5 marks 4+5 as 4, buy:4 20 on vig 1 as 5 | Cy: | fire 4+5 | made 5 | dice shooter Ann"
    )
    assert parse_position(line) == position


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected a player"),
        ("Ann", "expected what the player does"),
        ("Ann dances", "expected what the player does, found 'dances'"),
        ("Ann bets", "expected an amount"),
        ("Ann bets ten on pass", "must be written like"),
        ("Ann bets 1.5 on pass", "must be written like"),
        ("Ann bets 0 on pass", "must be positive"),
        ("Ann bets 99999999999999999999 on pass", "must be at most"),
        ("Ann bets 10 pass", "expected 'on', found 'pass'"),
        ("Ann bets 10 on Pass!", "a spot must be written like"),
        ("Ann bets 10 on pass please", "expected the end, found 'please'"),
        ("Ann bets 10 on pass with promises", "tender must be one of"),
        ("roll 7-1", "faces from 1 to 6"),
        ("roll seven", "a roll must be written like"),
        ("roll 3-4 ruled maybe", "ruling must be one of"),
        ("roll 3-4 cocked 5 on 2", "cocked must be a die"),
        ("Ann calls p maybe", "expected 'off', found 'maybe'"),
        ('"Ann bets 10 on pass', "a quote is not closed"),
        ("Ann joins at here", "expected a seat number"),
        ("Ann takes down p in_air confirmed by dealer", "expected the end, found 'confirmed'"),
    ],
)
def test_an_action_that_cannot_be_read_says_why(line: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 'puck'"),
        ("puck on new", "expected a point or off"),
        ("puck off tired", "must be one of new, seven, under_way, got 'tired'"),
        ("puck off new | Ann", "expected 'standing:'"),
        ("puck off new | Ann: pass", "expected a stake"),
        ("puck off new | Ann: pass 10", "expected 'as'"),
        ("puck off new | Ann: pass 10 as 1 oops", "expected the end"),
        ("puck off new | fire four", "numbers must be written like"),
        ("puck off new | dice owner Ann", "expected who has the dice"),
    ],
)
def test_a_position_that_cannot_be_read_says_why(line: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(line)
    assert message in str(caught.value)


@settings(max_examples=300)
@given(st.text(max_size=60))
@example("Ann bets 10 on pass \x00")
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    for parse in (parse_action, parse_position, parse_history, parse_amount):
        try:
            parse(text)
        except NotationError:
            continue


@pytest.mark.parametrize("book", BOOKS)
def test_a_history_that_cannot_be_replayed_names_its_line(book: str) -> None:
    table = Table(book, ["Ann"])
    start = table.position
    played: list[Action] = [Bet("Ann", Spot("pass"), Cents(1000), tag="p"), RollDice(Roll(2, 4))]
    for step in played:
        table.do(step)
    text = write_history(History(table.rules.house, start, tuple(played), table.position))
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.startswith("Ann bets"))

    def error(changed: list[str]) -> HistoryError:
        with pytest.raises(HistoryError) as caught:
            list(replay(parse_history("\n".join(changed))))
        return caught.value

    again = error([*lines[:first], "Ann bets 10 on come", *lines[first:]])
    assert again.line == first + 1
    assert "is refused: Come cannot be made with the puck off" in str(again)
    wrong = error([line.replace("roll 2-4", "roll 2-3") for line in lines])
    assert "ends at" in str(wrong)
    for index, line in enumerate(lines[:4], 1):
        if line.startswith(("book", "house", "events")):
            broken = [*lines]
            broken[index - 1] = line[:-1] + ("0" if line[-1] != "0" else "1")
            assert error(broken).line == index
    assert error(["hello", *lines]).line == 1
    assert error([*lines, "roll 3-4"]).line == len(lines) + 1
    assert "expected 'start'" in str(error(lines[: first - 2]))
    with_remarks = ["; a remark", "", *lines]
    assert parse_history("\n".join(with_remarks)).actions == tuple(played)


def test_reserved_and_plain_names() -> None:
    assert write_name("Ann") == "Ann"
    assert write_name("dice") == '"dice"'


@settings(max_examples=100)
@given(houses, actions)
def test_every_action_of_a_script_can_be_written_and_done_again(house: Any, script: list[Action]) -> None:
    book, options = HOUSES[HOUSES.index(house)]
    made = House(load_book(book), options, book_defaults=True)
    table, again = Table(made, PLAYERS), Table(made, PLAYERS)
    for step in script:
        if table.can(step):
            table.do(step)
            again.do(parse_action(write_action(step)))
    assert again.position == table.position


def test_a_player_may_be_called_end() -> None:
    table = Table("new_jersey", players=["end"])
    table.bet("end", "pass", 10)
    assert Table.from_text(str(table)).position == table.position


def test_a_wrong_end_is_reported_at_its_own_line() -> None:
    table = Table("new_jersey", players=["Ann"])
    table.bet("Ann", "pass", 10)
    lines = str(table).splitlines()
    wrong = "\n".join([*lines[:-1], "; a comment", "", lines[-1].replace("pass 10", "pass 15")])
    with pytest.raises(HistoryError) as caught:
        list(replay(parse_history(wrong)))
    assert caught.value.line == len(lines) + 2
