"""Conditions that read the layout and conditions with memory, at a table with scripted dice."""

from __future__ import annotations

from support.scripted_player import ScriptedPlayer
from trueodds.strategy import (
    Come,
    Field,
    Pass,
    bet,
    keep,
    last_result,
    last_roll_result,
    odds,
    points_made,
    rolls,
    up,
)


def test_conditions_with_memory() -> None:
    assert ScriptedPlayer(keep(Field(10)).when(last_result("pass", "lose")) + keep(Pass(10))).roll_and_decide(
        "1-1"
    ) == ["field 10", "pass 10"]
    assert ScriptedPlayer(keep(Field(10)).when(last_result("pass", "lose")) + keep(Pass(10))).roll_and_decide(
        "1-1 5-6"
    ) == ["pass 10"]
    assert (
        ScriptedPlayer(
            keep(Field(10)).when(last_result("dont_pass", "push")) + keep(bet("dont_pass", 10))
        ).roll_and_decide("6-6")[-1]
        == "field 10"
    )
    assert ScriptedPlayer(keep(Field(10)).when(points_made(1))).roll_and_decide("2-2 2-2") == ["field 10"]
    assert ScriptedPlayer(keep(Field(10)).when(points_made(1))).roll_and_decide("2-2 2-2 3-3 3-4") == []
    assert ScriptedPlayer(keep(Field(10)).when(points_made(1))).roll_and_decide("2-2 3-4") == []
    assert ScriptedPlayer(keep(Field(10)).when(rolls(3))).roll_and_decide("2-2 3-3") == []
    assert ScriptedPlayer(keep(Field(10)).when(rolls(3))).roll_and_decide("2-2 3-3 3-3") == ["field 10"]
    assert (
        ScriptedPlayer(keep(Field(10)).when(up("come", 2)) + keep(Come(10), up_to=2)).roll_and_decide(
            "2-2 4-5 3-3 1-1"
        )[-1]
        == "field 10"
    )


def test_last_roll_result_holds_for_any_of_several_bets() -> None:
    """A seven wins the come bet in the come box and loses the one that moved to a number."""
    for result in ("win", "lose"):
        player = ScriptedPlayer(keep(Come(10), up_to=2) + keep(Field(10)).when(last_roll_result("come", result)))
        assert player.roll_and_decide("2-2 4-4 3-4") == ["field 10"]


def test_up_counts_odds() -> None:
    strategy = keep(Pass(10)) + odds("1x") + keep(Field(10)).when(up("pass_odds"))
    assert ScriptedPlayer(strategy).decide() == ["pass 10"]
    assert ScriptedPlayer(strategy).roll_and_decide("2-2") == ["field 10", "pass 20"]
