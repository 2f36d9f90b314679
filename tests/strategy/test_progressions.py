"""Progressions, parlays, caps and stops, step by step at a real table against sequences written by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houses import default_dealer
from trueodds.chain import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.money import MoneyError
from trueodds.rulebook import Spot
from trueodds.strategy import (
    Amount,
    Condition,
    DontPass,
    Field,
    Hard,
    Part,
    Pass,
    Place,
    Strategy,
    StrategyError,
    ahead,
    decide,
    decided,
    grind,
    keep,
    ladder,
    losses,
    named_strategy,
    odds,
    outcome_of,
    parlay,
    puck_on,
    remember,
    stopped,
)
from trueodds.table import Dealer, Position, Rolled, Seat, situation

MARYLAND = default_dealer("maryland")
WIN, LOSE = "5-6", "1-1"
"""On a come-out the pass line wins with 11 and loses to 2; the field wins with both."""


def evening(strategy: Strategy | Part, dice: str, dealer: Dealer = MARYLAND) -> tuple[list[str], list[Rolled]]:
    """Play a list of throws; give what was up for each throw and for the next, and the throws."""
    parts = strategy.parts if isinstance(strategy, Strategy) else (strategy,)
    played, position = Strategy(parts), Position(seats=(Seat("player"),))
    memory, layouts, thrown = played.start(), list[str](), list[Rolled]()
    for text in [*dice.split(), ""]:
        position = decide(dealer, position, parts, memory).position
        wagers = situation(position, "player").wagers
        layouts.append(" ".join(f"{wager.spot}={wager.up // 100}" for wager in wagers))
        if text:
            position, (event, *_) = dealer.roll(position, Roll.parse(text))
            assert isinstance(event, Rolled)
            memory = remember(played, memory, outcome_of(event))
            thrown.append(event)
    return layouts, thrown


def stakes(strategy: Strategy | Part, results: str) -> list[int]:
    """Decide a line bet so often, a letter each, and give the stake of each bet and the next."""
    side = next(iter(evening(strategy, "")[0])).split("=")[0]
    dice = {"W": WIN, "L": LOSE} if side == "pass" else {"W": LOSE, "L": WIN, "P": "6-6"}
    return [int(layout.split("=")[1]) for layout in evening(strategy, " ".join(dice[one] for one in results))[0]]


@pytest.mark.parametrize(
    ("name", "results", "expected"),
    [
        ("martingale", "LLWLLLLLLW", [10, 20, 40, 10, 20, 40, 80, 160, 320, 10, 10]),
        ("fibonacci", "LLLLWWLWW", [10, 10, 20, 30, 50, 20, 10, 10, 10, 10]),
        ("fibonacci", "LLLLLLLLL", [10, 10, 20, 30, 50, 80, 130, 210, 340, 10]),
        ("dalembert", "LLLWPWWWL", [10, 20, 30, 40, 30, 30, 20, 10, 10, 20]),
        ("oscars_grind", "LLLWWWL", [10, 10, 10, 10, 20, 10, 10, 10]),
        ("oscars_grind", "LLLLLWLWWW", [10, 10, 10, 10, 10, 10, 20, 20, 30, 20, 10]),
        ("pass_parlay", "WWWWLWL", [10, 20, 40, 10, 20, 10, 20, 10]),
    ],
)
def test_the_library_goes_by_the_book(name: str, results: str, expected: list[int]) -> None:
    assert stakes(named_strategy(name), results) == expected


def test_a_paroli_is_a_ladder_of_wins() -> None:
    assert stakes(keep(Pass(ladder(10, 20, 40, win=1, lose="start", past_end="start"))), "WWWWL") == [
        10, 20, 40, 10, 20, 10,
    ]  # fmt: skip


# ----------------------------------------------------------------------------------------------------- Oscar's grind


def test_a_grind_is_given_up_at_its_bound() -> None:
    assert stakes(keep(Pass(grind(10, give_up=40))), "LLLWLWL") == [10, 10, 10, 10, 20, 10, 10, 10]
    assert stakes(keep(Pass(grind(10, give_up=50))), "LLLWLW") == [10, 10, 10, 10, 20, 20, 30]


def oscar(results: str, give_up: int) -> list[int]:
    """Oscar's rules as he told them: one more after a win, the same after a loss, no more than ends a unit ahead."""
    up, bet, told = 0, 1, [1]
    for result in results:
        up += bet if result == "W" else -bet
        if up == 1 or up <= -give_up:
            up, bet = 0, 1
        elif result == "W":
            bet = min(bet + 1, 1 - up)
        told.append(bet)
    return told


@given(st.text("WL", max_size=60), st.integers(1, 12))
def test_a_grind_is_oscars(results: str, give_up: int) -> None:
    wanted = [10 * bet for bet in oscar(results, give_up)]
    assert stakes(keep(Pass(grind(10, give_up=10 * give_up))), results) == wanted


@given(st.lists(st.sampled_from(ROLLS), max_size=60))
def test_a_grind_stays_within_its_bounds_where_a_win_is_not_even_money(dice: list[Roll]) -> None:
    """Place 6 pays 7 to 6: still whole units, and never more than a cycle needs."""
    amount = grind(12, give_up=60)
    _, events = evening(keep(Place(6, amount)).when(puck_on), " ".join(map(str, dice)))
    memory = amount.start()
    for event in events:
        memory = amount.remember(memory, Spot("place", (6,)), outcome_of(event))
        brought, stake = memory
        assert -6000 < brought < 1200
        assert stake % 1200 == 0
        assert 1200 <= stake < 1200 - brought + 1200


# ------------------------------------------------------------------------------------------------------------ parlays


def test_what_a_win_paid_rides() -> None:
    """The field pays double on 2: thirty rides, not twenty."""
    assert evening(keep(Field(parlay(10, wins=3))), "1-1 2-2 2-2")[0] == [
        "field=10",
        "field=30",
        "field=60",
        "field=10",
    ]


def test_a_win_rides_in_part_and_in_steps() -> None:
    """14 won on 12: half is 7, and 19 is 18 in sixes. 21 on 18: 28 is 24."""
    half = keep(Place(6, parlay(12, wins=3, ride=50, step=6))).when(puck_on)
    assert evening(half, "2-2 3-3 3-3 3-3 3-3")[0][1:] == [
        "place:6=12", "place:6=18", "place:6=24", "place:6=12", "place:6=18",
    ]  # fmt: skip


def test_a_parlay_starts_again_after_a_loss() -> None:
    assert evening(keep(Field(parlay(10, wins=4))), "2-2 2-2 2-3")[0] == [
        "field=10",
        "field=20",
        "field=40",
        "field=10",
    ]


def test_a_parlay_of_a_bet_that_could_not_be_brought_down_stays_finite() -> None:
    """In South Dakota hardways work on a come-out, when this part is asleep and leaves a pressed bet alone."""
    house = default_dealer("south_dakota").rules.house
    automaton = Automaton(keep(Hard(6, parlay(5, wins=2))).when(puck_on), house)
    assert len(automaton.after) < 100
    assert automaton.up_after.max() == 5000


@pytest.mark.parametrize(
    "amount", [parlay(10, wins=4, ride=50, step=5), grind(10, give_up=200), ladder(10, 20, lose=1)]
)
def test_memories_are_few(amount: Amount) -> None:
    automaton = Automaton(keep(Field(amount)), MARYLAND.rules.house)
    assert len(automaton.after) < 2000


# -------------------------------------------------------------------------------------------- ladders that follow


def test_bets_that_climb_together() -> None:
    """66 inside; after a hit 4 and 10 too; after two 88 inside; after three 64 across; a new shooter begins anew."""
    layouts, _ = evening(named_strategy("squeeze"), "2-2 3-3 4-4 2-3 6-3 3-4 2-2")
    assert layouts[1:] == [
        "place:5=15 place:6=18 place:8=18 place:9=15",
        "place:4=10 place:5=15 place:6=18 place:8=18 place:9=15 place:10=10",
        "place:4=10 place:5=20 place:6=24 place:8=24 place:9=20 place:10=10",
        "place:4=10 place:5=10 place:6=12 place:8=12 place:9=10 place:10=10",
        "place:4=10 place:5=10 place:6=12 place:8=12 place:9=10 place:10=10",
        "",
        "place:5=15 place:6=18 place:8=18 place:9=15",
    ]


def test_a_ladder_may_follow_another_bet() -> None:
    field = keep(Field(ladder(10, 20, 30, lose=1, win="start", follow="pass")))
    layouts, _ = evening(keep(Pass(10)) + field, f"{LOSE} {LOSE} {WIN}")
    assert [layout.split()[0] for layout in layouts] == ["field=10", "field=20", "field=30", "field=10"]


def test_what_is_followed_must_be_known() -> None:
    part = keep(Field(ladder(10, 20, lose=1, follow="plaec")))
    with pytest.raises(StrategyError, match="no wager 'plaec'"):
        Automaton(part, MARYLAND.rules.house)


# ------------------------------------------------------------------------------------------------- caps and stops


def ups(part: Strategy | Part, dice: str) -> str:
    """Tell for each throw and the next whether the bet is up."""
    return "".join("x" if layout else "." for layout in evening(part, dice)[0])


def test_two_losses_and_wait_for_the_next_shooter() -> None:
    """7 and 11 beat the don't pass twice; then nothing until this shooter sevens out."""
    assert ups(named_strategy("dont_two_losses"), "3-4 5-6 5-6 2-2 3-4 5-6") == "xx...xx"


def test_so_many_bets_for_each_shooter() -> None:
    """A bet that pushes was decided; one that goes on was not."""
    assert ups(keep(DontPass(10)).when(~decided("dont_pass", 2)), "6-6 5-6 5-6 2-2 3-4") == "xx...x"
    assert ups(keep(Field(10)).when(~decided("field", 3)), "2-2 3-3 3-3 3-3 3-4") == "xxx..x"


def test_losses_are_losses() -> None:
    assert ups(keep(Field(10)).when(~losses("field")), "2-2 2-2 3-3 2-2 2-2") == "xxx...", "4 and a point, 4 made"


def test_a_stop_for_each_shooter() -> None:
    """The field, 30 ahead or 40 behind: over until the next shooter."""
    in_and_out = named_strategy("field_in_and_out")
    assert ups(in_and_out, "2-2 4-5 5-5 5-5 3-4 5-6") == "xxx..xx", "three wins of ten"
    assert ups(in_and_out, "1-1 4-5 5-5") == "xx..", "20 for the 2"
    assert ups(in_and_out, "4-4 2-3 2-3 2-3 2-3 3-4") == "xxxx..x", "four losses"


def test_ahead_counts_back_and_forth() -> None:
    part = keep(Field(10)) + keep(Hard(4, 5)).when(ahead("field", by=10, limit=100))
    layouts, _ = evening(part, "5-5 2-3 4-5 1-1 3-4")
    assert ["hard" in layout for layout in layouts] == [False, True, True, True, True, False]
    lone = keep(Pass(10)).when(ahead("field", by=-10, limit=100)) + keep(Field(10))
    assert ["pass" in layout for layout in evening(lone, "3-4 3-4")[0]] == [True, True, False]


def test_risk_no_more_than_24_with_a_shooter() -> None:
    """The field loses with the point: nothing is left for a place bet. It wins: both can be had."""
    risk = named_strategy("risk_12")
    assert evening(risk, "2-3")[0] == ["field=10 pass=10", "pass=10"]
    assert evening(risk, "4-5")[0][1] == "pass=10 place:6=12 place:8=12"
    assert evening(risk, "5-6 3-3")[0][2] == "pass=10 place:8=12", "6 is the point"


@given(st.lists(st.sampled_from(ROLLS), max_size=40), st.sampled_from([(10, 20), (30, 40), (70, 30)]))
def test_accounts_are_what_the_throws_brought(dice: list[Roll], bounds: tuple[int, int]) -> None:
    """The field's account of each hand, added up again from the rulings."""
    win, lose = bounds
    marks: list[Condition] = [stopped("field", win=win, lose=lose), ahead("field", by=win, limit=1000)]
    watched = keep(Field(10)) + keep(Hard(4, 1)).when(marks[0]) + keep(Hard(6, 1)).when(marks[1])
    memory = watched.start()
    position, brought, latched = Position(seats=(Seat("player"),)), 0, False
    for roll in dice:
        position = decide(MARYLAND, position, watched.parts[:1], (None,)).position
        position, (event, *_) = MARYLAND.roll(position, roll)
        assert isinstance(event, Rolled)
        memory = remember(watched, memory, outcome_of(event))
        brought = 0 if event.seven_out else brought + sum(one.ruling.net for one in event.settled)
        latched = not event.seven_out and (latched or not -100 * lose < brought < 100 * win)
        assert memory[1][1] == ("stopped" if latched else brought)
        assert memory[2][1] == brought


@given(st.lists(st.sampled_from(ROLLS), max_size=60))
def test_an_account_stays_within_its_limit(dice: list[Roll]) -> None:
    condition = ahead("field", by=20, limit=20)
    part = keep(Field(10)).when(condition | ~condition)
    _, events = evening(part, " ".join(map(str, dice)))
    memory = condition.start()
    for before, after in pairwise([memory, *(memory := condition.remember(memory, outcome_of(one)) for one in events)]):
        assert -2000 <= after <= 2000
        assert after == 0 or abs(after - before) <= 2000


# --------------------------------------------------------------------------------------------------- odds that win


@pytest.mark.parametrize(
    ("point", "stake"), [("2-2", 40), ("2-3", 30), ("3-3", 24), ("4-4", 24), ("4-5", 30), ("5-5", 40)]
)
def test_odds_that_win_twice_the_bet(point: str, stake: int) -> None:
    assert evening(named_strategy("dont_pass_win_2x"), point)[0][1] == f"dont_pass={10 + stake}"


def test_odds_that_win_are_rounded_up_to_what_is_paid_in_full() -> None:
    """11 won against 5 takes 16.50; whole dollars are paid from 18, which win 12."""
    assert evening(keep(DontPass(11)) + odds("win 1x"), "2-3")[0][1] == f"dont_pass={11 + 18}"


# ------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: parlay(10, wins=1), "2 to 10 wins"),
        (lambda: parlay(10, wins=True), "2 to 10 wins"),
        (lambda: parlay(10, ride=0), "1 to 100 per cent"),
        (lambda: parlay(10, ride=0.5), "1 to 100 per cent"),
        (lambda: parlay(0), "more than nothing"),
        (lambda: grind(10, give_up=5), "at least a unit"),
        (lambda: grind("0.01", give_up=500), "within a thousand units"),
        (lambda: ahead(by=10, limit=100), "of some wagers"),
        (lambda: ahead("pass", by=110, limit=100), "within its limit"),
        (lambda: ahead("pass", by=-100, limit=100), "within its limit"),
        (lambda: ahead("pass", by=1.5, limit=100), "an amount is a whole number"),
        (lambda: stopped("pass", win=0, lose=10), "more than nothing"),
        (lambda: losses("pass", 0), "a count goes from 1"),
        (lambda: odds("win full"), "odds are"),
        (lambda: odds("win 0x"), "odds are"),
    ],
)
def test_progressions_that_make_no_sense(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises((StrategyError, MoneyError), match=message):
        make()
