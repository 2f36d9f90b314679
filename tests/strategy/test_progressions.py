"""Progressions, roll by roll at a table, against sequences written by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.houses import default_house_dealer
from trueodds.automaton import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.money import MoneyError
from trueodds.rulebook import Spot
from trueodds.strategy import (
    Condition,
    DontPass,
    Field,
    Hard,
    Pass,
    Place,
    Play,
    StakingPlan,
    Strategy,
    StrategyError,
    ahead,
    builtin_strategy,
    decide,
    decisions,
    grind,
    keep,
    ladder,
    losses,
    next_memories,
    odds,
    outcome_from_event,
    parlay,
    puck_on,
    stopped,
)
from trueodds.table import Dealer, Position, Rolled, Seat, player_situation

MARYLAND = default_house_dealer("maryland")
WIN, LOSE = "5-6", "1-1"
"""On a come-out, pass wins with 11 and loses with 2. The field wins with both."""


def play_rolls(strategy: Strategy | Play, dice: str, dealer: Dealer = MARYLAND) -> tuple[list[str], list[Rolled]]:
    """Play a list of rolls. Return the bets up before each roll and the next, and the events of the rolls."""
    plays = strategy.plays if isinstance(strategy, Strategy) else (strategy,)
    played, position = Strategy(plays), Position(seats=(Seat("player"),))
    memory, layouts, events = played.initial_memories(), list[str](), list[Rolled]()
    for text in [*dice.split(), ""]:
        position = decide(dealer, position, plays, memory).position
        wagers = player_situation(position, "player").wagers
        layouts.append(" ".join(f"{wager.spot}={wager.total_stake // 100}" for wager in wagers))
        if text:
            position, (event, *_) = dealer.roll(position, Roll.parse(text))
            assert isinstance(event, Rolled)
            memory = next_memories(played, memory, outcome_from_event(event))
            events.append(event)
    return layouts, events


def stakes_after(strategy: Strategy | Play, results: str) -> list[int]:
    """Play a line bet to these results, one letter each, and return the stake of each bet and the next."""
    side = next(iter(play_rolls(strategy, "")[0])).split("=")[0]
    dice = {"W": WIN, "L": LOSE} if side == "pass" else {"W": LOSE, "L": WIN, "P": "6-6"}
    return [int(layout.split("=")[1]) for layout in play_rolls(strategy, " ".join(dice[one] for one in results))[0]]


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
def test_stakes_of_builtin_progressions(name: str, results: str, expected: list[int]) -> None:
    assert stakes_after(builtin_strategy(name), results) == expected


def test_paroli_as_a_ladder() -> None:
    assert stakes_after(keep(Pass(ladder(10, 20, 40, win=1, lose="start", past_end="start"))), "WWWWL") == [
        10, 20, 40, 10, 20, 10,
    ]  # fmt: skip


# ----------------------------------------------------------------------------------------------------- Oscar's grind


def test_grind_is_given_up_at_its_bound() -> None:
    assert stakes_after(keep(Pass(grind(10, give_up=40))), "LLLWLWL") == [10, 10, 10, 10, 20, 10, 10, 10]
    assert stakes_after(keep(Pass(grind(10, give_up=50))), "LLLWLW") == [10, 10, 10, 10, 20, 20, 30]


def oscars_stakes(results: str, give_up: int) -> list[int]:
    """Return the stakes of Oscar's grind in units: the same after a loss, one more after a win, capped."""
    profit, bet, stakes = 0, 1, [1]
    for result in results:
        profit += bet if result == "W" else -bet
        if profit == 1 or profit <= -give_up:
            profit, bet = 0, 1
        elif result == "W":
            bet = min(bet + 1, 1 - profit)
        stakes.append(bet)
    return stakes


@given(st.text("WL", max_size=60), st.integers(1, 12))
def test_grind_follows_oscars_rules(results: str, give_up: int) -> None:
    expected = [10 * bet for bet in oscars_stakes(results, give_up)]
    assert stakes_after(keep(Pass(grind(10, give_up=10 * give_up))), results) == expected


@given(st.lists(st.sampled_from(ROLLS), max_size=60))
def test_grind_stays_within_its_bounds_without_even_money(dice: list[Roll]) -> None:
    """Place 6 pays 7 to 6. The stakes are still whole units, and never more than a cycle needs."""
    amount = grind(12, give_up=60)
    _, events = play_rolls(keep(Place(6, amount)).when(puck_on), " ".join(map(str, dice)))
    memory = amount.initial_memory()
    for event in events:
        memory = amount.next_memory(memory, Spot("place", (6,)), outcome_from_event(event))
        profit, stake = memory
        assert -6000 < profit < 1200
        assert stake % 1200 == 0
        assert 1200 <= stake < 1200 - profit + 1200


# ------------------------------------------------------------------------------------------------------------ parlays


def test_parlay_adds_what_a_win_paid() -> None:
    """The field pays double on 2, so 30 rides, not 20."""
    assert play_rolls(keep(Field(parlay(10, wins=3))), "1-1 2-2 2-2")[0] == [
        "field=10",
        "field=30",
        "field=60",
        "field=10",
    ]


def test_parlay_with_a_percentage_and_a_step() -> None:
    """A win of 14 on 12: half is 7, and 19 rounds down to 18. A win of 21 on 18: 28 rounds down to 24."""
    half = keep(Place(6, parlay(12, wins=3, ride_percent=50, step=6))).when(puck_on)
    assert play_rolls(half, "2-2 3-3 3-3 3-3 3-3")[0][1:] == [
        "place:6=12", "place:6=18", "place:6=24", "place:6=12", "place:6=18",
    ]  # fmt: skip


def test_parlay_starts_over_after_a_loss() -> None:
    assert play_rolls(keep(Field(parlay(10, wins=4))), "2-2 2-2 2-3")[0] == [
        "field=10",
        "field=20",
        "field=40",
        "field=10",
    ]


def test_parlay_of_a_bet_that_is_not_resized_in_time_stays_finite() -> None:
    """In South Dakota hardways work on a come-out. This play does not act then, so a pressed bet stays."""
    house = default_house_dealer("south_dakota").rules.house
    automaton = Automaton(keep(Hard(6, parlay(5, wins=2))).when(puck_on), house)
    assert len(automaton.after_betting) < 100
    assert automaton.stakes_after_cents.max() == 5000


@pytest.mark.parametrize(
    "amount", [parlay(10, wins=4, ride_percent=50, step=5), grind(10, give_up=200), ladder(10, 20, lose=1)]
)
def test_progressions_have_few_memories(amount: StakingPlan) -> None:
    automaton = Automaton(keep(Field(amount)), MARYLAND.rules.house)
    assert len(automaton.after_betting) < 2000


# -------------------------------------------------------------------------------------------- ladders that follow


def test_ladders_that_follow_the_same_bets() -> None:
    """66 inside; after one hit 4 and 10 too; after two 88 inside; after three 64 across; a new shooter starts over."""
    layouts, _ = play_rolls(builtin_strategy("squeeze"), "2-2 3-3 4-4 2-3 6-3 3-4 2-2")
    assert layouts[1:] == [
        "place:5=15 place:6=18 place:8=18 place:9=15",
        "place:4=10 place:5=15 place:6=18 place:8=18 place:9=15 place:10=10",
        "place:4=10 place:5=20 place:6=24 place:8=24 place:9=20 place:10=10",
        "place:4=10 place:5=10 place:6=12 place:8=12 place:9=10 place:10=10",
        "place:4=10 place:5=10 place:6=12 place:8=12 place:9=10 place:10=10",
        "",
        "place:5=15 place:6=18 place:8=18 place:9=15",
    ]


def test_ladder_that_follows_another_bet() -> None:
    field = keep(Field(ladder(10, 20, 30, lose=1, win="start", follow="pass")))
    layouts, _ = play_rolls(keep(Pass(10)) + field, f"{LOSE} {LOSE} {WIN}")
    assert [layout.split()[0] for layout in layouts] == ["field=10", "field=20", "field=30", "field=10"]


def test_followed_bet_must_be_known() -> None:
    play = keep(Field(ladder(10, 20, lose=1, follow="plaec")))
    with pytest.raises(StrategyError, match="no wager called 'plaec'"):
        Automaton(play, MARYLAND.rules.house)


# ------------------------------------------------------------------------------------------------- caps and stops


def bet_up_by_roll(play: Strategy | Play, dice: str) -> str:
    """Return one character for each roll and the next: "x" if the bet is up."""
    return "".join("x" if layout else "." for layout in play_rolls(play, dice)[0])


def test_limit_on_losses_per_shooter() -> None:
    """7 and 11 beat don't pass twice. Then there is no bet until this shooter sevens out."""
    assert bet_up_by_roll(builtin_strategy("dont_two_losses"), "3-4 5-6 5-6 2-2 3-4 5-6") == "xx...xx"


def test_limit_on_decisions_per_shooter() -> None:
    """A push is a decision. A roll that leaves the bet up is not."""
    assert bet_up_by_roll(keep(DontPass(10)).when(~decisions("dont_pass", 2)), "6-6 5-6 5-6 2-2 3-4") == "xx...x"
    assert bet_up_by_roll(keep(Field(10)).when(~decisions("field", 3)), "2-2 3-3 3-3 3-3 3-4") == "xxx..x"


def test_only_losses_count_as_losses() -> None:
    assert bet_up_by_roll(keep(Field(10)).when(~losses("field")), "2-2 2-2 3-3 2-2 2-2") == "xxx...", (
        "4 and a point, 4 made"
    )


def test_stop_per_shooter() -> None:
    """The field stops at 30 ahead or 40 behind, until the next shooter."""
    in_and_out = builtin_strategy("field_in_and_out")
    assert bet_up_by_roll(in_and_out, "2-2 4-5 5-5 5-5 3-4 5-6") == "xxx..xx", "three wins of ten"
    assert bet_up_by_roll(in_and_out, "1-1 4-5 5-5") == "xx..", "20 for the 2"
    assert bet_up_by_roll(in_and_out, "4-4 2-3 2-3 2-3 2-3 3-4") == "xxxx..x", "four losses"


def test_ahead_counts_wins_and_losses() -> None:
    play = keep(Field(10)) + keep(Hard(4, 5)).when(ahead("field", by=10, limit=100))
    layouts, _ = play_rolls(play, "5-5 2-3 4-5 1-1 3-4")
    assert ["hard" in layout for layout in layouts] == [False, True, True, True, True, False]
    lone = keep(Pass(10)).when(ahead("field", by=-10, limit=100)) + keep(Field(10))
    assert ["pass" in layout for layout in play_rolls(lone, "3-4 3-4")[0]] == [True, True, False]


def test_risk_12_risks_at_most_24_per_shooter() -> None:
    """If the field loses on the point roll, no place bet is left to make. If it wins, both are made."""
    risk = builtin_strategy("risk_12")
    assert play_rolls(risk, "2-3")[0] == ["field=10 pass=10", "pass=10"]
    assert play_rolls(risk, "4-5")[0][1] == "pass=10 place:6=12 place:8=12"
    assert play_rolls(risk, "5-6 3-3")[0][2] == "pass=10 place:8=12", "6 is the point"


@given(st.lists(st.sampled_from(ROLLS), max_size=40), st.sampled_from([(10, 20), (30, 40), (70, 30)]))
def test_profit_matches_the_settlements(dice: list[Roll], bounds: tuple[int, int]) -> None:
    """The field's profit in each hand, added up again from the settlements."""
    win, lose = bounds
    marks: list[Condition] = [stopped("field", win=win, lose=lose), ahead("field", by=win, limit=1000)]
    watched = keep(Field(10)) + keep(Hard(4, 1)).when(marks[0]) + keep(Hard(6, 1)).when(marks[1])
    memory = watched.initial_memories()
    position, profit, latched = Position(seats=(Seat("player"),)), 0, False
    for roll in dice:
        position = decide(MARYLAND, position, watched.plays[:1], (None,)).position
        position, (event, *_) = MARYLAND.roll(position, roll)
        assert isinstance(event, Rolled)
        memory = next_memories(watched, memory, outcome_from_event(event))
        profit = 0 if event.seven_out else profit + sum(one.settlement.net_cents for one in event.settled)
        latched = not event.seven_out and (latched or not -100 * lose < profit < 100 * win)
        assert memory[1][1] == ("stopped" if latched else profit)
        assert memory[2][1] == profit


@given(st.lists(st.sampled_from(ROLLS), max_size=60))
def test_profit_stays_within_its_limit(dice: list[Roll]) -> None:
    condition = ahead("field", by=20, limit=20)
    play = keep(Field(10)).when(condition | ~condition)
    _, events = play_rolls(play, " ".join(map(str, dice)))
    memory = condition.initial_memory()
    for before, after in pairwise(
        [memory, *(memory := condition.next_memory(memory, outcome_from_event(one)) for one in events)]
    ):
        assert -2000 <= after <= 2000
        assert after == 0 or abs(after - before) <= 2000


# --------------------------------------------------------------------------------------------------- odds that win


@pytest.mark.parametrize(
    ("point", "stake"), [("2-2", 40), ("2-3", 30), ("3-3", 24), ("4-4", 24), ("4-5", 30), ("5-5", 40)]
)
def test_odds_that_win_twice_the_bet(point: str, stake: int) -> None:
    assert play_rolls(builtin_strategy("dont_pass_win_2x"), point)[0][1] == f"dont_pass={10 + stake}"


def test_odds_that_win_are_rounded_up_to_what_is_paid_in_full() -> None:
    """To win 11 against 5 takes 16.50. The next stake that is paid in whole dollars is 18, which wins 12."""
    assert play_rolls(keep(DontPass(11)) + odds("win 1x"), "2-3")[0][1] == f"dont_pass={11 + 18}"


# ------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: parlay(10, wins=1), "from 2 to 10"),
        (lambda: parlay(10, wins=True), "from 2 to 10"),
        (lambda: parlay(10, ride_percent=0), "from 1 to 100"),
        (lambda: parlay(10, ride_percent=0.5), "from 1 to 100"),  # type: ignore[arg-type]
        (lambda: parlay(0), "must be positive"),
        (lambda: grind(10, give_up=5), "from 1 to 1000 units"),
        (lambda: grind("0.01", give_up=500), "from 1 to 1000 units"),
        (lambda: ahead(by=10, limit=100), "at least one bet"),
        (lambda: ahead("pass", by=110, limit=100), "within the limit"),
        (lambda: ahead("pass", by=-100, limit=100), "within the limit"),
        (lambda: ahead("pass", by=1.5, limit=100), "by must be whole dollars"),  # type: ignore[arg-type]
        (lambda: stopped("pass", win=0, lose=10), "must be positive"),
        (lambda: losses("pass", 0), "count must be from 1"),
        (lambda: odds("win full"), "odds must be"),
        (lambda: odds("win 0x"), "odds must be"),
    ],
)
def test_invalid_progressions_and_profit_conditions(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises((StrategyError, MoneyError), match=message):
        make()
