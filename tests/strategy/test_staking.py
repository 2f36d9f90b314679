"""Ladders at a table with scripted dice."""

from __future__ import annotations

import pytest

from support.houses import default_house_dealer
from support.scripted_player import ScriptedPlayer
from trueodds.automaton import Automaton
from trueodds.strategy import (
    Field,
    Pass,
    Place,
    StrategyError,
    bet,
    keep,
    ladder,
    puck_on,
)


def test_ladder_resizes_bets_that_stay_up() -> None:
    player = ScriptedPlayer(
        keep(Place(6, ladder(12, 18, 30, win=1, past_end="start", restart_each_shooter=True))).when(puck_on)
    )
    assert player.roll_and_decide("2-2") == ["place:6 12"]
    assert player.roll_and_decide("3-3") == ["place:6 18"]
    assert player.roll_and_decide("3-3") == ["place:6 30"]
    assert player.roll_and_decide("3-3") == ["place:6 12"], "past the end it starts again"
    assert player.roll_and_decide("3-3 3-4 2-2") == ["place:6 12"], "a new shooter starts again"


def test_martingale() -> None:
    stakes = []
    player = ScriptedPlayer(keep(Pass(ladder(10, 20, 40, win="start", lose=1, past_end="start"))))
    for dice in ("1-1", "1-1", "1-1", "1-1", "5-6"):
        stakes += player.decide()
        player.roll_and_decide(dice)
    assert stakes == ["pass 10", "pass 20", "pass 40", "pass 10", "pass 20"]
    assert player.bets_up == ["pass 10"]


def test_ladder_never_goes_below_its_first_rung() -> None:
    player = ScriptedPlayer(keep(Field(ladder(10, 20, win=-1, lose=1))))
    assert player.roll_and_decide("1-1 1-1") == ["field 10"]
    assert player.roll_and_decide("3-3 3-3 3-3") == ["field 20"]


def test_ladder_cannot_follow_a_bet_that_is_broken_down() -> None:
    dealer = default_house_dealer("new_jersey")
    spot = next(spot for spot, rule in dealer.rules.wager_rules.items() if rule.breakdown and rule.availability.offered)
    with pytest.raises(StrategyError, match="is broken down into several wagers"):
        Automaton(keep(bet(spot, ladder(60, 120, lose=1))), dealer.rules.house)
