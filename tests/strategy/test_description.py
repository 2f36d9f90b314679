"""Descriptions of every play, progression and condition, with the names of the book."""

from __future__ import annotations

import pytest

from support.houses import BOOKS, default_house_dealer
from trueodds.strategy import (
    Come,
    Condition,
    DontPass,
    Field,
    Pass,
    Place,
    Play,
    Strategy,
    ahead,
    always,
    builtin_strategy,
    builtin_strategy_names,
    call,
    decisions,
    describe,
    grind,
    hits,
    keep,
    ladder,
    last_result,
    last_roll_result,
    losses,
    new_shooter,
    odds,
    parlay,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    regress,
    rolls,
    stopped,
    strategy_from_function,
    take_down,
    totals_rolled,
    up,
)

MARYLAND, WIN_LINE, SENTOSA = (default_house_dealer(book).rules for book in ("maryland", "win_line", "rws"))


@pytest.mark.parametrize(
    ("play", "description"),
    [
        (keep(Pass(10)), "keep Pass up with $10 (made before a come-out)"),
        (keep(Come("12.50"), up_to=2), "keep 2 bets on Come up, each with $12.50 (made while a point is on)"),
        (
            keep(Place(6, ladder(12, 24, win=1, past_end="start", restart_each_shooter=True))),
            "keep Place 6 up with $12 or $24, following its own results (a win moves up 1 rung, past the last "
            "rung it starts over, each shooter starts on the first rung)",
        ),
        (
            keep(Field(ladder(10, 20, 30, win=-2, lose="start", follow="place"))),
            "keep Field up with $10, $20 or $30, following the results of any Place Bet to Win (a win moves down "
            "2 rungs, a loss moves to the first rung, it stays on the last rung)",
        ),
        (
            keep(Field(parlay(10, wins=3, ride_percent=50, step=5))),
            "keep Field up with $10, letting 50% of each win ride in steps of $5 until 3 wins in a row; a loss "
            "starts over",
        ),
        (
            keep(Field(grind(10, give_up=200))),
            "keep Field up with $10 by Oscar's grind: one unit more after a win until the cycle is one unit ahead; "
            "the cycle is given up when it is $200 behind",
        ),
        (odds("full"), "put odds behind every bet that can have them once it has a point: the most the house allows "
         "and pays in full"),
        (odds(20, behind="pass"), "put odds behind Pass once it has a point: $20"),
        (odds("win 2x", behind="come"), "put odds behind Come once it has a point: enough to win 2 times the bet"),
        (
            odds("3-4-5", behind=["pass", "come"]),
            "put odds behind Pass and Come once they have a point: 3 times the bet on 4 and 10, 4 times the bet on 5 "
            "and 9, 5 times the bet on 6 and 8",
        ),
        (press("place:6", by=6, up_to=30), "press Place 6 by $6, up to $30"),
        (regress("place", to=12), "regress any Place Bet to Win to $12"),
        (take_down("pass_odds"), "take Odds behind the Pass Bet down"),
        (call("place", "off"), "call any Place Bet to Win off"),
        (strategy_from_function(lambda _view, _memory: ()).plays[0], "do what a function decides"),
    ],
)  # fmt: skip
def test_description_of_a_play(play: Play, description: str) -> None:
    assert describe(Strategy((play,)), MARYLAND) == [f"Always: {description}."]


@pytest.mark.parametrize(
    ("condition", "description"),
    [
        (always, "Always"),
        (puck_on, "When the puck is on"),
        (~puck_off, "Unless the puck is off"),
        (point(8, 6), "When the point is 6 or 8"),
        (new_shooter, "When a new shooter begins"),
        (up("come:6"), "When Come on 6 is up"),
        (up("come", 2), "When at least 2 bets on Come are up"),
        (last_result("dont_pass", "push"), "When the last result of Don't Pass was a push"),
        (last_roll_result("place:6", "win"), "When Place 6 has just won"),
        (hits("place", 2), "When any Place Bet to Win has won at least 2 times with this shooter"),
        (losses("field"), "When Field has lost at least once with this shooter"),
        (decisions("field", 3), "When Field has been resolved at least 3 times with this shooter"),
        (totals_rolled(8, 6), "When this shooter has rolled 6 or 8 at least once"),
        (points_made(2), "When this shooter has made a point at least 2 times"),
        (rolls(3), "When this shooter has rolled at least 3 times"),
        (ahead("pass", "field", by=10, limit=50), "When Pass and Field are at least $10 ahead with this shooter"),
        (ahead("pass", by=-4, limit=50), "When Pass is at most $4 behind with this shooter"),
        (stopped("field", win=50, lose=30), "When Field has been $50 ahead or $30 behind with this shooter"),
        (puck_on & ~hits("field") & point(6), "When the puck is on and the point is 6, unless Field has won at least "
         "once with this shooter"),
        (puck_off | (point(6) & ~up("pass")), "When the puck is off or (the point is 6 and not (Pass is up))"),
        (~(puck_off | point(6)), "Unless the puck is off or the point is 6"),
        (puck_on & (point(6) | up("pass")), "When the puck is on and (the point is 6 or Pass is up)"),
    ],
)  # fmt: skip
def test_description_of_a_condition(condition: Condition, description: str) -> None:
    (sentence,) = describe(Strategy((keep(DontPass(10)).when(condition),)), MARYLAND)
    assert sentence.split(": keep")[0] == description


def test_description_uses_the_names_and_currency_of_the_book() -> None:
    strategy = keep(Pass(10)) + odds("2x", behind="pass") + take_down("place")
    assert describe(strategy, WIN_LINE) == [
        "Always: keep Win Line up with $10 (made before a come-out).",
        "Always: put odds behind Win Line once it has a point: 2 times the bet.",
        "Always: take place down.",
    ]
    assert describe(strategy, SENTOSA)[0] == "Always: keep Pass Line up with S$10 (made before a come-out)."


@pytest.mark.parametrize("book", BOOKS)
def test_every_builtin_can_be_described_in_every_book(book: str) -> None:
    rules = default_house_dealer(book).rules
    for name in builtin_strategy_names():
        strategy = builtin_strategy(name)
        sentences = describe(strategy, rules)
        assert len(sentences) == len(strategy.plays)
        assert all(line.endswith(".") and "  " not in line for line in sentences)
