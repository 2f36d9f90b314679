"""Plays at a table with scripted dice: keep, odds, press, regress, take down and call."""

from __future__ import annotations

import pytest

from support.houses import BOOKS, default_house_dealer
from support.scripted_player import ScriptedPlayer
from trueodds.automaton import Automaton
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy import (
    Come,
    Field,
    Hard,
    Pass,
    Place,
    Strategy,
    StrategyError,
    across,
    bet,
    call,
    hits,
    keep,
    last_roll_result,
    new_shooter,
    odds,
    point,
    position_from_situation,
    press,
    puck_off,
    puck_on,
    regress,
    rolls,
    take_down,
    totals_rolled,
    up,
)
from trueodds.table import Situation, player_situation
from trueodds.wagers import Wager

MARYLAND = default_house_dealer("maryland")


def test_three_point_molly() -> None:
    molly = ScriptedPlayer(keep(Pass(10)) + odds("3-4-5") + keep(Come(10), up_to=2))
    assert molly.decide() == ["pass 10"]
    assert molly.roll_and_decide("4-4") == ["come 10", "pass 60"]
    assert molly.roll_and_decide("2-3") == ["come 10", "come:5 50", "pass 60"]
    assert molly.cost == 4000 + 1000
    assert molly.roll_and_decide("6-4") == ["come:5 50", "come:10 40", "pass 60"]
    assert molly.roll_and_decide("3-4") == ["pass 10"]


def test_keep_waits_for_its_window_and_its_condition() -> None:
    assert ScriptedPlayer(keep(Come(10))).decide() == []
    assert ScriptedPlayer(keep(Place(6, 12)).when(puck_on)).decide() == []
    assert ScriptedPlayer(keep(Place(6, 12)).when(puck_off)).decide() == ["place:6 12"]
    assert ScriptedPlayer(keep(Place(6, 12)).when(puck_on)).roll_and_decide("2-2") == ["place:6 12"]
    assert ScriptedPlayer(keep(Place(6, 12)).when(puck_on & point(6, 8))).roll_and_decide("2-2") == []
    assert ScriptedPlayer(keep(Place(6, 12)).when(puck_off | point(4))).roll_and_decide("2-2") == ["place:6 12"]
    assert ScriptedPlayer(keep(Field(10)).when(~puck_off)).decide() == []
    assert ScriptedPlayer(keep(Field(10)).when(puck_on).when(point(4))).roll_and_decide("2-2") == ["field 10"]


@pytest.mark.parametrize(("size", "stake"), [("3-4-5", 40), ("2x", 20), ("full", 40), (20, 20), ({9: 1, 5: 3}, 10)])
def test_size_of_odds(size: str | int | dict[int, int], stake: int) -> None:
    assert ScriptedPlayer(keep(Pass(10)) + odds(size, behind="pass")).roll_and_decide("4-5") == [f"pass {10 + stake}"]


def test_no_odds_on_a_number_without_a_multiple() -> None:
    assert ScriptedPlayer(keep(Pass(10)) + odds({4: 3})).roll_and_decide("4-5") == ["pass 10"]


def test_press_and_regress() -> None:
    base = keep(Place(6, 12)).when(new_shooter)
    player = ScriptedPlayer(base + press("place:6", by=6, up_to=24).when(last_roll_result("place:6", "win")))
    assert player.roll_and_decide("2-2 3-3 3-3 3-3") == ["place:6 24"], "a fixed stake leaves a pressed bet alone"
    lone = ScriptedPlayer(
        press("place:6", by=6, up_to=24).when(last_roll_result("place:6", "win"))
        + regress("place:6", to=12).when(hits("place:6", 3))
    )
    lone.position = position_from_situation(Situation(4, "under_way", (Wager(Spot("place", (6,)), Cents(1200)),)))
    assert lone.roll_and_decide("3-3") == ["place:6 18"]
    assert lone.roll_and_decide("1-1") == ["place:6 18"], "only right after the win"
    assert lone.roll_and_decide("3-3") == ["place:6 24"]
    assert lone.roll_and_decide("3-3") == ["place:6 12"]


def test_take_down_and_call() -> None:
    line = keep(Place(8, 12)).when(puck_on) + take_down("place").when(totals_rolled(8, at_least=2))
    player = ScriptedPlayer(line)
    assert player.roll_and_decide("2-2 4-4") == ["place:8 12"]
    assert player.decide() == ["place:8 12"]
    flat = ScriptedPlayer(keep(Pass(10)) + odds("2x") + take_down("pass_odds").when(rolls(2)))
    assert flat.roll_and_decide("2-2") == ["pass 30"]
    called = ScriptedPlayer(keep(Hard(6, 10)).when(puck_on) + call("hard", "off").when(point(9)))
    assert called.roll_and_decide("4-5") == ["hard:6 10 off"]
    backed = ScriptedPlayer(keep(Pass(10)) + keep(Come(10)) + odds("2x", behind="come") + call("come_odds", "off"))
    backed.roll_and_decide("2-2 4-5")
    (come, _) = player_situation(backed.position, "player").wagers
    assert [bet.call for bet in come.odds_bets] == ["off"]


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (keep(Pass(10)) + odds("2x", behind="pas"), "Maryland has no wager called 'pas'; did you mean 'pass'"),
        (keep(Pass(10)).when(up("plcae:6")) + odds("2x"), "no wager called 'plcae'; did you mean 'place'"),
        (keep(Pass(10)) + press("place:7", to=12), "Maryland has no place:7"),
        (keep(Pass(10)) + take_down("put"), "no wager called 'put'"),
        (keep(Pass(10)) + call("big6", "off"), "no wager called 'big6'"),
        (keep(Pass(10)).when(~point(2, 7)) + odds("2x"), "2, 7 cannot be a point in Maryland"),
        (keep(Pass(10)).when(puck_on | hits("nothing")) + odds("2x"), "no wager called 'nothing'"),
    ],
)
def test_unknown_wagers_and_points_are_errors(strategy: Strategy, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        Automaton(strategy, MARYLAND.rules.house)


def test_odds_can_be_pressed_and_used_in_conditions() -> None:
    player = ScriptedPlayer(keep(Pass(10)) + odds("1x") + press("pass_odds", by=10, up_to=30).when(totals_rolled(2)))
    assert player.roll_and_decide("2-2 1-1") == ["pass 30"]
    after = ScriptedPlayer(keep(Pass(10)) + odds("2x") + keep(Field(10)).when(last_roll_result("pass_odds", "win")))
    assert after.roll_and_decide("2-2 2-2") == ["field 10", "pass 10"]


def test_across() -> None:
    assert ScriptedPlayer(across({6: 12, 8: 12})).decide() == ["place:6 12", "place:8 12"]
    assert ScriptedPlayer(across({4: 20}, "buy"), default_house_dealer("new_jersey")).decide() == ["buy:4 20"]


def test_keep_of_a_bet_that_is_broken_down() -> None:
    """A bet without a spot on the layout is several wagers, but one bet of the strategy."""
    found = 0
    for book in BOOKS:
        dealer = default_house_dealer(book)
        for spot, rule in dealer.rules.wager_rules.items():
            if rule.breakdown and rule.availability.offered:
                play = keep(bet(spot, 60))
                watched = play.watched_spots(dealer.rules) or frozenset()
                assert {component for component, _ in rule.breakdown} < watched
                assert len(ScriptedPlayer(play, dealer).decide()) == len(rule.breakdown)
                found += 1
    assert found


def test_odds_behind_a_bet_that_has_none() -> None:
    for play in (odds("2x", behind="place"), odds({7: 3})):
        with pytest.raises(StrategyError, match="no odds"):
            Automaton(keep(Pass(10)) + play, MARYLAND.rules.house)
