"""Departing players always leave in the end, under every book."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from support.houses import BOOKS
from support.table_driver import SEED, TableDriver
from trueodds.journal import ServiceEvent
from trueodds.service.bot_runner import bot_added
from trueodds.service.errors import CommandRefused
from trueodds.service.live_table import rebuild_live_table
from trueodds.table import Rolled, TaggedWager

MOST_STEPS = 3_000
"""Far more than any of these needs; only dice that are passed forever would reach it."""


def entries(driver: TableDriver, player: str) -> tuple[TaggedWager, ...]:
    seat = driver.table.seat_of(player)
    return seat.wagers if seat else ()


def has(driver: TableDriver, player: str, kind: str) -> bool:
    return any(entry.wager.spot.kind == kind for entry in entries(driver, player))


def go_on(driver: TableDriver, awake_ms: int | None = 0) -> None:
    """Do what is due next: run the bots, or act on a timeout."""
    if driver.run_bots(awake_ms) in (None, []):
        driver.time_out(awake_ms)


def play_out(driver: TableDriver, awake_ms: int | None = 0) -> None:
    """Continue until all departing players have left."""
    for _ in range(MOST_STEPS):
        if not driver.table.departing:
            break
        go_on(driver, awake_ms)
    assert not driver.table.departing
    assert sum(driver.table.state.balances.values()) == 0


def done(driver: TableDriver) -> set[str]:
    """Return the actions done for absent players."""
    records = (one for one in driver.events if isinstance(one, ServiceEvent) and one.kind == "acted_for_absent")
    return {str(record.body["action"]) for record in records}


def left_with_come_bets(book: str, *players: str) -> TableDriver:
    """Play until the puck is off and each player has only a come bet on a number; then all leave."""
    driver = TableDriver(book)
    for player in players:
        driver.do(player, "join", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = driver.table.state.position
        if not position.puck and all(has(driver, player, "come") for player in players):
            break
        for player in players:
            if not position.puck and not has(driver, player, "pass"):
                driver.do(player, "bet", spot="pass", stake_cents=1000)
            elif position.puck and not has(driver, player, "come"):
                driver.do(player, "bet", spot="come", stake_cents=1000)
        custody = position.custody
        assert custody is not None
        driver.do(custody.shooter or custody.offered_to or "", "roll")
    for player in players:
        assert has(driver, player, "come")
        driver.do(player, "leave")
    assert driver.table.departing == set(players)
    driver.events.clear()
    return driver


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", [("ann",), ("ann", "bob")])
def test_departing_players_leave_even_if_no_player_stays(book: str, players: tuple[str, ...]) -> None:
    """The table rolls for them until their line bets are settled."""
    driver = TableDriver(book)
    for player in players:
        driver.do(player, "join", cents=50_000)
    while not driver.table.state.position.puck:
        for player in players:
            if not driver.table.seat_of(player).wagers:  # type: ignore[union-attr]  # they sit
                driver.do(player, "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    for player in players:
        driver.do(player, "leave")
    assert driver.table.departing == set(players)
    for _ in range(300):
        if not driver.table.state.position.seats:
            break
        driver.time_out()
    assert not driver.table.state.position.seats
    assert driver.controller.timeout_at_ms(driver.table) is None
    assert {row.kind for row in driver.stored_events} >= {"acted_for_absent", "cashed_out"}
    assert sum(driver.table.state.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", [("ann",), ("ann", "bob"), ("ann", "bob", "cleo")])
def test_come_bets_of_departing_players_are_settled(book: str, players: tuple[str, ...]) -> None:
    """Either in a come settlement, or with the line bet waived and recorded as such."""
    driver = left_with_come_bets(book, *players)
    play_out(driver)
    assert not driver.table.state.position.seats
    assert driver.controller.timeout_at_ms(driver.table) is None
    assert ("roll_without_line" in done(driver)) == (book == "rws")


@pytest.mark.parametrize(
    ("book", "spot", "cents"),
    [
        ("new_jersey", "fire", 500), ("maryland", "fire", 500), ("maryland", "small", 500), ("maryland", "all", 500),
        ("south_dakota", "put:6", 1000),
    ],
)  # fmt: skip
def test_a_wager_that_must_stay_is_rolled_for_without_a_line_bet(book: str, spot: str, cents: int) -> None:
    """A single player, before the first roll: no other bet is up, and no player can make a line bet."""
    driver = TableDriver(book)
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "bet", spot=spot, stake_cents=cents)
    driver.do("ann", "leave")
    assert driver.table.departing == {"ann"}
    play_out(driver)
    assert driver.table.seat_of("ann") is None
    assert "roll_without_line" in done(driver)


def test_a_rack_larger_than_one_event_is_cashed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.service.table_controller.MAX_STAKE_CENTS", 20_000)
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    assert driver.do("ann", "leave") == ["cashed_out", "cashed_out", "cashed_out", "CustodyChanged", "PlayerLeft"]
    assert (driver.table.seat_of("ann"), sum(driver.table.state.balances.values())) == (None, 0)


def test_a_player_may_not_roll_without_a_line_bet() -> None:
    driver = left_with_come_bets("rws", "ann")
    assert driver.refusal_code("ann", "roll") == "no_line_bet"


def test_the_line_bet_is_not_waived_while_a_player_has_one() -> None:
    """The dice go from a shooter with only a come bet to the player with a pass bet, though both leave."""
    driver = TableDriver("rws")
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = driver.table.state.position
        custody = position.custody
        assert custody is not None
        shooter = custody.shooter or custody.offered_to or ""
        if not position.puck and shooter == "ann" and has(driver, "ann", "come"):
            break
        for player in ("ann", "bob"):
            if not position.puck and not has(driver, player, "pass"):
                driver.do(player, "bet", spot="pass", stake_cents=1000)
        if position.puck and not has(driver, "ann", "come"):
            driver.do("ann", "bet", spot="come", stake_cents=1000)
        driver.do(shooter, "roll")
    driver.do("bob", "bet", spot="pass", stake_cents=1000)
    for player in ("ann", "bob"):
        driver.do(player, "leave")
    driver.events.clear()
    while has(driver, "bob", "pass"):
        driver.time_out()
        assert "roll_without_line" not in done(driver) or not has(driver, "bob", "pass")
    thrown = [one.player for one in driver.events if isinstance(one, Rolled)]
    assert set(thrown) == {"bob"}
    play_out(driver)


@pytest.mark.parametrize("strategy", ["pass_345", "iron_cross", "come_345"])
@pytest.mark.parametrize("book", ["new_jersey", "rws"])
def test_a_player_who_leaves_bots_can_leave(book: str, strategy: str) -> None:
    notes = tuple(bot_added(player, strategy, 500_000) for player in ("bot1", "bot2"))
    driver = TableDriver(book, initial_events=notes)
    driver.do("ann", "join", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = driver.table.state.position
        if not position.puck and has(driver, "ann", "come") and not has(driver, "ann", "pass"):
            break
        if not position.puck and not has(driver, "ann", "pass"):
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        elif position.puck and not has(driver, "ann", "come"):
            driver.do("ann", "bet", spot="come", stake_cents=1000)
        custody = position.custody
        assert custody is not None
        if "ann" in (custody.shooter, custody.offered_to):
            driver.do("ann", "roll")
        else:
            driver.now_ms += driver.pace.betting_window_ms + driver.pace.min_roll_interval_ms
            go_on(driver)
    driver.do("ann", "leave")
    assert driver.table.departing == {"ann"}
    play_out(driver, None)


@pytest.mark.parametrize("book", BOOKS)
def test_an_absent_player_does_not_hold_up_departing_players(book: str) -> None:
    """Bob leaves with a bet that must stay, and Ann is away: the table rolls for both."""
    driver = TableDriver(book)
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    while not driver.table.state.position.puck:
        for player in ("ann", "bob"):
            if not entries(driver, player):
                driver.do(player, "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    driver.do("bob", "leave")
    assert driver.table.departing == {"bob"}
    play_out(driver, None)
    assert [seat.player for seat in driver.table.state.position.seats] == ["ann"]
    assert driver.controller.timeout_at_ms(driver.table, None) is None, "and then the table waits for Ann"


def test_the_line_bet_is_waived_over_a_restart() -> None:
    """Between lock and roll, while the table waits for the departing player's seed."""
    driver = left_with_come_bets("rws", "ann")
    driver.commit("ann")
    for _ in range(3):
        if driver.table.fair_roll.lock is None:
            driver.time_out()
    assert driver.table.fair_roll.missing == ("ann",)
    assert "roll_without_line" in done(driver)
    driver.table = rebuild_live_table(driver.table.state, driver.stored_events)
    assert driver.do("ann", "open_seed", seed=SEED.hex())[:3] == ["seed_opened", "secret_revealed", "Rolled"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(6))
def test_all_players_can_leave_after_random_play(book: str, seed: int) -> None:
    """Three players bet, roll, pass and leave at random; in the end all leave with their chips."""
    picks = random.Random(f"{book} {seed}")
    driver = TableDriver(book)
    players = ["ann", "bob", "cleo"]
    for player in players:
        driver.do(player, "join", cents=5_000_000)
    lines = ["pass", "dont_pass", "come", "dont_come"]
    spots = [str(spot) for spot in driver.controller.dealer.rules.wager_rules]
    ways: list[Callable[[str], object]] = [
        lambda player: driver.do(player, "bet", spot=picks.choice(lines), cents=1000),
        lambda player: driver.do(player, "bet", spot=picks.choice(spots), cents=picks.choice([500, 1000, 1200])),
        lambda player: driver.do(player, "roll"),
        lambda player: driver.do(player, "roll"),
        lambda player: driver.do(player, "pass_dice"),
        lambda player: driver.do(player, "decline_line"),
        lambda player: driver.do(player, "decline_dice"),
    ]  # fmt: skip
    for _ in range(150):
        try:
            picks.choice(ways)(picks.choice(players))
        except CommandRefused:
            continue
    picks.shuffle(players)
    for player in players:
        driver.do(player, "leave")
        if driver.table.departing:
            driver.time_out()
    play_out(driver)
    assert not driver.table.state.position.seats
