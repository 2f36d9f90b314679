"""Bots of a table: when they bet and roll, what they buy, what they remember."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from support.table_driver import TableDriver
from trueodds.journal import ServiceEvent
from trueodds.service.bot_runner import bot_added, bots_due_ms
from trueodds.service.live_table import rebuild_live_table
from trueodds.service.pace import Pace
from trueodds.table import Rolled

PACE = Pace(min_roll_interval_ms=500, betting_window_ms=4_000, shooter_timeout_ms=30_000, offer_timeout_ms=15_000)


def with_bots(*strategies: str, book: str = "new_jersey", cents: int = 100_000) -> TableDriver:
    """Return a table with bots b1, b2 and so on, and Ann, who has just joined."""
    notes = tuple(bot_added(f"b{number}", name, cents) for number, name in enumerate(strategies, 1))
    driver = TableDriver(book, PACE, notes)
    driver.do("ann", "join", cents=50_000)
    return driver


def stakes(driver: TableDriver, player: str) -> int:
    return driver.table.state.balances.get(f"layout:{player}", 0)


def play_on(driver: TableDriver, throws: int) -> None:
    """Run the bots, with Ann declining the dice, for a number of rolls."""
    until = driver.table.fair_roll.number + throws
    for _ in range(throws * 20):
        if driver.table.fair_roll.number >= until:
            return
        custody = driver.table.state.position.custody
        if driver.run_bots() is None and custody is not None and custody.offered_to == "ann":
            driver.do("ann", "decline_dice")
        driver.now_ms += 1_000
    raise AssertionError("the bots do not go on")


def test_bots_join_first_and_are_recorded() -> None:
    driver = TableDriver("new_jersey", PACE, (bot_added("b1", "molly", 70_000), bot_added("b2", "iron_cross", 80_000)))
    kinds = [row.kind for row in driver.stored_events]
    assert kinds == [
        "anchor_published",
        "bot_added",
        "bot_added",
        "player_joined",
        "bought_in",
        "custody_changed",
        "player_joined",
        "bought_in",
    ]
    assert [bot.player for bot in driver.table.bots] == ["b1", "b2"]
    assert driver.table.human_players == ()
    assert (driver.table.rack_cents("b1"), driver.table.rack_cents("b2")) == (70_000, 80_000)


def test_bots_bet_at_once_and_roll_after_the_betting_window() -> None:
    driver = with_bots("pass_345", "molly")
    assert driver.run_bots() == ["BetMade", "BetMade", "CustodyChanged"]
    custody = driver.table.state.position.custody
    assert custody is not None
    assert custody.shooter == "b1"
    assert driver.run_bots() is None
    accepted_ms = driver.now_ms
    assert bots_due_ms(driver.controller, driver.table, 0) == accepted_ms + PACE.betting_window_ms
    driver.now_ms = accepted_ms + PACE.betting_window_ms - 1
    assert driver.run_bots() is None
    driver.now_ms += 1
    assert (driver.run_bots() or [])[:3] == ["roll_locked", "secret_revealed", "Rolled"]
    rolled_ms = driver.table.last_roll_ms
    assert driver.run_bots(), "they bet again at once"
    assert bots_due_ms(driver.controller, driver.table, 0) == rolled_ms + PACE.betting_window_ms


def test_a_new_player_has_time_to_bet_before_the_first_roll() -> None:
    driver = with_bots("pass_345")
    driver.run_bots()
    awake_ms = driver.now_ms + 60_000
    assert bots_due_ms(driver.controller, driver.table, awake_ms) == awake_ms + PACE.betting_window_ms


def test_bots_do_nothing_while_all_players_are_away() -> None:
    driver = with_bots("pass_345")
    assert driver.run_bots(present_since_ms=None) is None
    assert bots_due_ms(driver.controller, driver.table, None) is None
    assert driver.controller.timeout_at_ms(driver.table, None) is None
    driver.now_ms += 10**9
    assert driver.controller.on_timeout(driver.table, driver.now_ms, None) is None


def test_bots_wait_for_seeds_and_commit_none() -> None:
    driver = with_bots("pass_345")
    driver.run_bots()
    driver.commit("ann")
    driver.now_ms += PACE.betting_window_ms
    assert driver.run_bots() == ["roll_locked"]
    assert driver.table.fair_roll.missing == ("ann",)
    assert driver.run_bots() is None
    driver.do("ann", "open_seed", seed=bytes(32).hex())
    play_on(driver, 20)
    promised = {
        one.body["player"] for one in driver.events if isinstance(one, ServiceEvent) and one.kind == "seed_committed"
    }
    assert promised == {"ann"}


def test_a_bot_without_a_line_bet_does_not_shoot() -> None:
    """The dice pass it at once."""
    driver = with_bots("iron_cross", "pass_345")
    assert driver.run_bots() == ["BetMade", "CustodyChanged", "CustodyChanged"]
    custody = driver.table.state.position.custody
    assert custody is not None
    assert custody.shooter == "b2"


def test_dice_that_bots_decline_go_to_a_player() -> None:
    driver = with_bots("iron_cross", "iron_cross")
    driver.run_bots()
    custody = driver.table.state.position.custody
    assert custody is not None
    assert custody.offered_to == "ann"
    assert not driver.run_bots()
    assert driver.run_bots() is None
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.do("ann", "roll")
    while not driver.table.state.position.puck:
        if not stakes(driver, "ann"):
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    driver.run_bots()
    assert stakes(driver, "b1") == stakes(driver, "b2") > 0


def test_a_broke_bot_buys_in_again() -> None:
    driver = with_bots("pass_345", cents=3_000)
    play_on(driver, 150)
    bought = [
        one.body["cents"]
        for one in driver.events
        if isinstance(one, ServiceEvent) and one.kind == "bought_in" and one.body["player"] == "b1"
    ]
    assert bought
    assert set(bought) == {3_000}
    assert sum(driver.table.state.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
def test_bots_play_under_every_book(book: str) -> None:
    """No bot is ever stuck with the dice, and every roll counts."""
    driver = with_bots("pass_345", "martingale", book=book)
    play_on(driver, 60)
    shooters = {one.player for one in driver.events if isinstance(one, Rolled)}
    assert shooters == {"b1", "b2"}
    assert not [one for one in driver.events if type(one).__name__ == "NoRoll"]
    assert sum(driver.table.state.balances.values()) == 0


def test_bots_are_rebuilt_from_events() -> None:
    """Memory and bets follow from the events alone, and the bots continue the same way."""
    driver = with_bots("molly", "martingale", "oscars_grind")
    bets, memories = 0, 0
    for _ in range(40):
        play_on(driver, 1)
        again = rebuild_live_table(driver.table.state, driver.stored_events)
        assert [bot.memory for bot in again.bots] == [bot.memory for bot in driver.table.bots]
        driver.run_bots()
        again = rebuild_live_table(driver.table.state, driver.stored_events)
        assert [bot.has_bet for bot in again.bots] == [bot.has_bet for bot in driver.table.bots]
        bets += sum(bot.has_bet for bot in again.bots)
        memories += sum(bot.memory != bot.strategy.initial_memories() for bot in again.bots)
        driver.table = again
        driver.run_bots()
        assert driver.table.state.sequence == again.state.sequence, "what was decided is not decided again"
    assert bets
    assert memories


def test_a_bot_with_an_unknown_strategy_is_an_absent_player(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = with_bots("pass_345")
    monkeypatch.setattr("trueodds.service.live_table.builtin_strategy_names", lambda: ("molly",))
    driver.table = rebuild_live_table(driver.table.state, driver.stored_events)
    assert driver.table.bots == ()
    assert driver.run_bots() is None
    assert driver.time_out() == ["acted_for_absent", "CustodyChanged"]


def test_bots_play_out_the_bets_of_a_departing_player() -> None:
    driver = with_bots("pass_345")
    driver.run_bots()
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    while not (driver.table.state.position.puck and stakes(driver, "ann")):
        driver.now_ms += PACE.betting_window_ms
        driver.run_bots()
        if not driver.table.state.position.puck and not stakes(driver, "ann"):
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.do("ann", "leave")
    assert driver.table.departing == {"ann"}
    for _ in range(400):
        if driver.table.seat_of("ann") is None:
            break
        driver.now_ms += PACE.betting_window_ms
        if driver.run_bots() is None:
            driver.now_ms += PACE.shooter_timeout_ms
            granted = driver.controller.on_timeout(driver.table, driver.now_ms)
            assert granted is not None
            driver.table = granted.table
    assert driver.table.seat_of("ann") is None
