"""Strategies in words: every part, progression and condition says what it is, by the names of the book."""

from __future__ import annotations

import pytest

from houses import BOOKS, default_dealer
from trueodds.strategy import (
    Come,
    Condition,
    DontPass,
    Field,
    Part,
    Pass,
    Place,
    Strategy,
    ahead,
    always,
    call,
    decided,
    down,
    explain,
    function,
    grind,
    hits,
    just,
    keep,
    ladder,
    last,
    losses,
    named_strategy,
    new_shooter,
    odds,
    parlay,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    regress,
    stopped,
    strategy_names,
    thrown,
    throws,
    up,
)

MARYLAND, WIN_LINE, SENTOSA = (default_dealer(book).rules for book in ("maryland", "win_line", "rws"))


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (keep(Pass(10)), "keep Pass up with $10 (made before a come-out)"),
        (keep(Come("12.50"), up_to=2), "keep 2 bets on Come up, each with $12.50 (made while a point is on)"),
        (
            keep(Place(6, ladder(12, 24, win=1, past_end="start", each_shooter=True))),
            "keep Place 6 up with $12 or $24, moved by its own decisions (a win moves 1 rung up, past the end it "
            "starts again, every shooter starts at the bottom)",
        ),
        (
            keep(Field(ladder(10, 20, 30, win=-2, lose="start", follow="place"))),
            "keep Field up with $10, $20 or $30, moved by the decisions on any Place Bet to Win (a win moves 2 rungs "
            "down, a loss moves to the start, at the end it stays)",
        ),
        (
            keep(Field(parlay(10, wins=3, ride=50, step=5))),
            "keep Field up with $10, letting wins ride by 50 % in steps of $5 until 3 in a row are won; a loss starts "
            "again",
        ),
        (
            keep(Field(grind(10, give_up=200))),
            "keep Field up with $10 by Oscar's grind: a unit more after a win until the cycle is a unit ahead, given "
            "up when it is $200 behind",
        ),
        (odds("full"), "put odds behind every bet that can have them once it has a number: the most that is taken and "
         "paid in full"),
        (odds(20, behind="pass"), "put odds behind Pass once it has a number: $20"),
        (odds("win 2x", behind="come"), "put odds behind Come once it has a number: what wins 2 times the bet"),
        (
            odds("3-4-5", behind=["pass", "come"]),
            "put odds behind Pass and Come once it has a number: 3 times the bet on 4 and 10, 4 times the bet on 5 "
            "and 9, 5 times the bet on 6 and 8",
        ),
        (press("place:6", by=6, up_to=30), "press Place 6 by $6, up to $30"),
        (regress("place", to=12), "regress any Place Bet to Win to $12"),
        (down("pass_odds"), "take Odds behind the Pass Bet down"),
        (call("place", "off"), "call any Place Bet to Win off"),
        (function(lambda _view, _memory: ()).parts[0], "do what a function decides"),
    ],
)  # fmt: skip
def test_what_is_done(part: Part, said: str) -> None:
    assert explain(Strategy((part,)), MARYLAND) == [f"Always: {said}."]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (always, "Always"),
        (puck_on, "When the puck is on"),
        (~puck_off, "Unless the puck is off"),
        (point(8, 6), "When the point is 6 or 8"),
        (new_shooter, "When a new shooter begins"),
        (up("come:6"), "When Come on 6 is up"),
        (up("come", 2), "When at least 2 bets on Come are up"),
        (last("dont_pass", "push"), "When the last decision on Don't Pass pushed"),
        (just("place:6", "win"), "When Place 6 has just won"),
        (hits("place", 2), "When any Place Bet to Win has won at least 2 times with this shooter"),
        (losses("field"), "When Field has lost at least once with this shooter"),
        (decided("field", 3), "When Field has been decided at least 3 times with this shooter"),
        (thrown(8, 6), "When 6 or 8 has come at least once with this shooter"),
        (points_made(2), "When this shooter has made a point at least 2 times"),
        (throws(3), "When this shooter has thrown at least 3 times"),
        (ahead("pass", "field", by=10, limit=50), "When Pass and Field are at least $10 ahead with this shooter"),
        (ahead("pass", by=-4, limit=50), "When Pass is no more than $4 behind with this shooter"),
        (stopped("field", win=50, lose=30), "When Field has been $50 ahead or $30 behind with this shooter"),
        (puck_on & ~hits("field") & point(6), "When the puck is on and the point is 6, unless Field has won at least "
         "once with this shooter"),
        (puck_off | (point(6) & ~up("pass")), "When the puck is off or (the point is 6 and not: Pass is up)"),
        (~(puck_off | point(6)), "Unless the puck is off or the point is 6"),
        (puck_on & (point(6) | up("pass")), "When the puck is on and (the point is 6 or Pass is up)"),
    ],
)  # fmt: skip
def test_when_it_is_done(condition: Condition, said: str) -> None:
    assert explain(Strategy((keep(DontPass(10)).when(condition),)), MARYLAND)[0].split(": keep")[0] == said


def test_a_book_has_its_own_names_and_its_own_money() -> None:
    strategy = keep(Pass(10)) + odds("2x", behind="pass") + down("place")
    assert explain(strategy, WIN_LINE) == [
        "Always: keep Win Line up with $10 (made before a come-out).",
        "Always: put odds behind Win Line once it has a number: 2 times the bet.",
        "Always: take place down.",
    ]
    assert explain(strategy, SENTOSA)[0] == "Always: keep Pass Line up with S$10 (made before a come-out)."


@pytest.mark.parametrize("book", BOOKS)
def test_the_whole_library_can_be_told_in_every_book(book: str) -> None:
    rules = default_dealer(book).rules
    for name in strategy_names():
        strategy = named_strategy(name)
        told = explain(strategy, rules)
        assert len(told) == len(strategy.parts)
        assert all(line.endswith(".") and "  " not in line for line in told)
