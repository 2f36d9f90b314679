"""Decisions: the order of actions, invalid steps, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from support.houses import default_house_dealer
from support.scripted_player import ScriptedPlayer
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy import (
    CallBet,
    Decision,
    DecisionStep,
    Field,
    MakeBet,
    Pass,
    Place,
    ResizeBet,
    Strategy,
    StrategyError,
    StrategyRefusedError,
    TakeDownBet,
    call,
    decide,
    keep,
    position_from_situation,
    press,
    regress,
    strategy_from_function,
    take_down,
)
from trueodds.table import Position, Seat, Situation, player_situation
from trueodds.wagers import OddsBet, Wager

MARYLAND = default_house_dealer("maryland")


def test_play_sees_only_the_spots_it_watches() -> None:
    seen: list[tuple[str, ...]] = []

    class RecordingKeep(type(keep(Field(10)))):  # type: ignore[misc]  # keep returns a Keep
        def steps(self, view: object, memory: object) -> list[MakeBet]:
            seen.append(tuple(str(wager.spot) for wager in view.wagers))  # type: ignore[attr-defined]
            return []

    ScriptedPlayer(keep(Pass(10)) + RecordingKeep(bet=Field(10))).roll_and_decide("2-2")
    assert seen == [(), ()]


def test_take_downs_come_before_bets() -> None:
    strategy = keep(Field(10)) + take_down("place")
    position = position_from_situation(Situation(4, "under_way", (Wager(Spot("place", (6,)), Cents(1200)),)))
    decision = decide(MARYLAND, position, strategy.plays, strategy.initial_memories())
    assert [type(action).__name__ for action in decision.actions] == ["TakeDown", "Bet"]
    assert decision.cost_cents == 1000 - 1200
    assert replay(position, decision) == player_situation(decision.position, "player")


def replay(position: Position, decision: Decision) -> Situation:
    for action in decision.actions:
        position, _ = MARYLAND.act(position, action)
    return player_situation(position, "player")


@pytest.mark.parametrize(
    ("strategy", "actions", "cost"),
    [
        (keep(Place(6, 12)) + take_down("place:6"), 0, 0),
        (keep(Place(6, 24)) + regress("place:6", to=12), 1, 1200),
        (keep(Place(6, 12)) + keep(Field(10)) + press("place:6", to=24) + take_down("place"), 1, 1000),
        (keep(Place(6, 12)) + call("place", "off") + keep(Field(10)), 3, 2200),
    ],
)
def test_plays_that_undo_each_other(strategy: Strategy, actions: int, cost: int) -> None:
    position = Position(4, "under_way", seats=(Seat("player"),))
    decision = decide(MARYLAND, position, strategy.plays, strategy.initial_memories())
    assert (len(decision.actions), decision.cost_cents) == (actions, cost)
    assert replay(position, decision) == player_situation(decision.position, "player")


def test_resizing_a_bet_twice() -> None:
    strategy = press("place:6", to=24) + regress("place:6", to=18) + take_down("hard")
    wagers = (Wager(Spot("hard", (4,)), Cents(1000)), Wager(Spot("place", (6,)), Cents(1200)))
    position = position_from_situation(Situation(9, "under_way", wagers))
    decision = decide(MARYLAND, position, strategy.plays, strategy.initial_memories())
    assert [type(action).__name__ for action in decision.actions] == ["TakeDown", "Press"]
    assert replay(position, decision) == player_situation(decision.position, "player")


def test_two_plays_that_resize_one_bet_never_need_more_than_the_net_cost() -> None:
    """One play wants $60 on the 6 and the next wants $12 there: pressing first would take chips the player lacks."""
    strategy = press("place:6", to=60) + regress("place:6", to=12)
    position = position_from_situation(Situation(9, "under_way", (Wager(Spot("place", (6,)), Cents(1200)),)))
    decision = decide(MARYLAND, position, strategy.plays, strategy.initial_memories())
    assert (decision.cost_cents, decision.actions) == (0, ())


def test_a_reduction_that_the_wager_remembers_is_kept() -> None:
    steps = [ResizeBet(Spot("dont_come"), stake_cents=Cents(cents)) for cents in (2000, 1500)]
    strategy = strategy_from_function(lambda _view, _memory: steps)
    position = position_from_situation(Situation(9, "under_way", (Wager(Spot("dont_come"), Cents(1000)),)))
    decision = decide(MARYLAND, position, strategy.plays, strategy.initial_memories())
    assert [type(action).__name__ for action in decision.actions] == ["Press", "Reduce"]
    assert replay(position, decision) == player_situation(decision.position, "player")


def test_steps_name_wagers_by_value_or_spot() -> None:
    odds_bet = OddsBet("pass_odds", Cents(2000))
    line = Wager(Spot("pass"), Cents(1000), odds_bets=(odds_bet,))
    six = Wager(Spot("place", (6,)), Cents(1200))
    position = position_from_situation(Situation(4, "under_way", (line, six)))
    steps: list[DecisionStep] = [
        ResizeBet(six, stake_cents=Cents(1800)),
        CallBet(Spot("place", (6,)), "off"),
        ResizeBet(line, odds_bet, stake_cents=Cents(3000)),
        MakeBet(Spot("hard", (4,)), stake_cents=Cents(1000)),
        TakeDownBet(Spot("hard", (4,))),
    ]
    strategy = strategy_from_function(lambda _view, _memory: steps)
    after = decide(MARYLAND, position, strategy.plays, strategy.initial_memories()).position
    seen = player_situation(after, "player").wagers
    assert [(str(one.spot), one.total_stake, one.call) for one in seen] == [
        ("pass", 4000, ""),
        ("place:6", 1800, "off"),
    ]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (TakeDownBet(Spot("field")), "is not up"),
        (TakeDownBet(Spot("pass"), OddsBet("pass_odds", Cents(1))), "no odds"),
        ("roll", "a decision is made of steps"),
    ],
)
def test_invalid_steps(step: Any, message: str) -> None:
    position = position_from_situation(Situation(4, "under_way", (Wager(Spot("pass"), Cents(1000)),)))
    with pytest.raises(StrategyError, match=message):
        decide(MARYLAND, position, strategy_from_function(lambda _view, _memory: [step]).plays, (None,))


def test_refusal_has_the_action_the_code_and_the_position() -> None:
    play = keep(Place(6, 5))
    with pytest.raises(StrategyRefusedError, match=r"X is refused: player bets 5 on place:6: .*\(below_min\)") as error:
        decide(MARYLAND, Position(seats=(Seat("player"),)), (play,), (play.initial_memory(),), name="X")
    assert "at: puck off new | player:" in str(error.value)
