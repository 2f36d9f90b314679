"""What a controller executes, what it refuses, and what it does on timeouts."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from support.table_driver import SEED, TableDriver
from trueodds.fair import Proof, verify_roll
from trueodds.journal import ServiceEvent
from trueodds.service.errors import CommandRefused
from trueodds.service.live_table import rebuild_live_table
from trueodds.service.pace import Pace
from trueodds.service.player_command import parse_command
from trueodds.table import Rolled
from trueodds.table.position import Custody


def proofs(driver: TableDriver) -> list[Proof]:
    return [
        Proof.from_data(one.body["proof"])
        for one in driver.events
        if isinstance(one, ServiceEvent) and one.kind == "secret_revealed"
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_a_session_of_one_player(book: str) -> None:
    """Join, bet, roll, leave: the first roll accepts the dice, and there is no waiting."""
    driver = TableDriver(book)
    assert driver.do("ann", "join", cents=50_000) == ["PlayerJoined", "bought_in", "CustodyChanged"]
    assert driver.refusal_code("ann", "roll") == "no_line_bet"
    assert driver.do("ann", "bet", spot="pass", stake_cents=1000) == ["BetMade"]
    first = driver.do("ann", "roll")
    assert first[:3] == ["CustodyChanged", "roll_locked", "secret_revealed"]
    for _ in range(30):
        if not any(entry.wager.spot.kind == "pass" for entry in driver.table.state.position.seats[0].wagers):
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    assert sum(driver.table.state.balances.values()) == 0
    found = proofs(driver)
    rolled = [one.dice for one in driver.events if isinstance(one, Rolled)]
    assert [one.dice for one in found] == rolled
    assert not [finding for one in found for finding in verify_roll(one)]


def test_a_bet_needs_enough_chips() -> None:
    driver = TableDriver()
    driver.do("ann", "join", cents=1000)
    with pytest.raises(CommandRefused, match=r"You need \$20 and have \$10 in the rack") as no:
        driver.do("ann", "bet", spot="pass", stake_cents=2000)
    assert no.value.code == "insufficient_funds"
    assert driver.refusal_code("bob", "bet", spot="pass", stake_cents=1000) == "not_at_table"
    assert driver.refusal_code("ann", "bet", spot="big6", stake_cents=1000) == "not_offered"
    assert driver.refusal_code("ann", "buy_in", cents=10**9) == "buy_in_limit"
    driver.do("ann", "buy_in", cents=1000)
    driver.do("ann", "bet", spot="pass", stake_cents=2000)
    assert driver.table.rack_cents("ann") == 0


def test_bets_are_closed_between_lock_and_roll() -> None:
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("bob")
    assert driver.do("ann", "roll") == ["CustodyChanged", "roll_locked"]
    for command, more in (
        ("bet", {"spot": "field", "stake_cents": 500}), ("take_down", {"tag": "1"}), ("roll", {}),
    ):  # fmt: skip
        assert driver.refusal_code("ann", command, **more) == "bets_closed"
    assert driver.refusal_code("ann", "commit_seed", roll=1, commitment="0" * 64) == "too_late"
    assert driver.refusal_code("bob", "open_seed", seed="11" * 32) == "wrong_seed"
    assert driver.do("bob", "open_seed", seed=SEED.hex()) == ["seed_opened", "secret_revealed", "Rolled"]
    assert proofs(driver)[-1].has_client_seed


def test_a_locked_position_does_not_change_before_the_roll() -> None:
    """Passing the dice now would undo a roll whose seeds are known. Seats are part of the locked position too."""
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "accept_dice")
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("ann")
    assert driver.do("ann", "roll") == ["roll_locked"]
    locked = driver.table.state.position
    for player, command, more in (
        ("bob", "join", {"cents": 50_000}), ("ann", "pass_dice", {}), ("ann", "decline_line", {}),
        ("ann", "decline_dice", {}), ("ann", "call", {"tag": "1", "call": "off"}),
        ("ann", "press", {"tag": "1", "new_stake_cents": 2000}),
    ):  # fmt: skip
        assert driver.refusal_code(player, command, **more) == "bets_closed"
    assert driver.do("ann", "buy_in", cents=1000) == ["bought_in"]
    assert driver.table.state.position == locked
    assert driver.do("ann", "open_seed", seed=SEED.hex()) == ["seed_opened", "secret_revealed", "Rolled"]
    assert driver.do("bob", "join", cents=50_000)[0] == "PlayerJoined"


def test_a_command_is_never_executed_for_a_later_roll() -> None:
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000, for_roll=1)
    driver.do("ann", "roll", for_roll=1)
    tag = driver.table.state.position.seats[0].wagers
    for command, more in (
        ("bet", {"spot": "field", "stake_cents": 500}),
        ("roll", {}),
        ("pass_dice", {}),
        ("take_down", {"tag": tag[0].tag if tag else "1"}),
    ):
        assert driver.refusal_code("ann", command, for_roll=1, **more) == "stale"
        assert driver.refusal_code("ann", command, for_roll=3, **more) == "roll_mismatch"
    assert driver.do("ann", "bet", spot="field", stake_cents=1000, for_roll=2) == ["BetMade"]
    assert driver.do("ann", "bet", spot="field", stake_cents=1000) == ["BetMade"]


def test_a_missed_seed_is_recorded_and_not_waited_for() -> None:
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("bob")
    driver.do("ann", "roll")
    assert driver.time_out() == ["seed_missed", "secret_revealed", "Rolled"]
    assert proofs(driver)[-1].missing == ("bob",)


def test_the_betting_window() -> None:
    driver = TableDriver(pace=Pace(min_roll_interval_ms=1000, betting_window_ms=6000))
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.do("ann", "roll")
    driver.do("bob", "join", cents=50_000)
    driver.do("ann", "bet", spot="field", stake_cents=1000)
    rolled_ms = driver.table.last_roll_ms
    if not driver.table.state.position.puck:
        driver.do("ann", "bet", spot="pass", stake_cents=1000)
    with pytest.raises(CommandRefused) as no:
        driver.controller.execute(driver.table, "ann", parse_command("ann", {"command": "roll"}), rolled_ms + 5_500)
    assert (no.value.code, no.value.retry_after_ms) == ("too_soon", 500)


@pytest.mark.parametrize("book", BOOKS)
def test_an_absent_shooter_loses_the_dice(book: str) -> None:
    """The dice move on as the book allows, and each action is recorded."""
    driver = TableDriver(book)
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "accept_dice")
    said = driver.time_out()
    assert said[0] == "acted_for_absent"
    assert driver.table.state.position.custody is not None
    assert driver.table.state.position.custody.offered_to == "bob"
    driver.do("bob", "bet", spot="pass", stake_cents=1000)
    driver.do("bob", "roll")
    while driver.table.state.position.custody.shooter == "bob":
        driver.time_out()
        if len(driver.events) > 300:
            raise AssertionError("the dice never go on")


def test_leaving_takes_down_removable_bets() -> None:
    """A pass bet with a point stays until it is settled; the rest comes down. Then the player is cashed out."""
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    while not driver.table.state.position.puck:
        for player in ("ann", "bob"):
            if not driver.table.seat_of(player).wagers:  # type: ignore[union-attr]  # they sit
                driver.do(player, "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    driver.do("bob", "bet", spot="place:6", stake_cents=1200)
    driver.commit("bob")
    assert driver.do("bob", "leave") == ["BetResized", "seed_withdrawn", "departure_requested"]
    assert driver.table.departing == {"bob"}
    assert driver.refusal_code("bob", "bet", spot="field", stake_cents=500) == "departing"
    for _ in range(60):
        if driver.table.seat_of("bob") is None:
            break
        driver.do("ann", "roll")
    assert driver.table.seat_of("bob") is None
    assert not driver.table.departing
    assert driver.table.rack_cents("bob") == 0
    assert sum(driver.table.state.balances.values()) == 0


def test_leaving_while_a_roll_is_locked() -> None:
    """The request is accepted at once; after the roll the player leaves as usual."""
    driver = TableDriver()
    for player in ("ann", "bob", "cleo"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.do("bob", "bet", spot="place:6", stake_cents=1200)
    for player in ("bob", "cleo"):
        driver.commit(player)
    assert driver.do("ann", "roll") == ["CustodyChanged", "roll_locked"]
    layout = driver.table.state.position
    assert driver.do("bob", "leave") == ["departure_requested"]
    assert driver.do("cleo", "leave") == ["departure_requested"]
    assert driver.do("cleo", "leave") == []
    assert driver.table.state.position == layout
    driver.do("bob", "open_seed", seed=SEED.hex())
    driver.do("cleo", "open_seed", seed=SEED.hex())
    assert not proofs(driver)[-1].missing
    assert [seat.player for seat in driver.table.state.position.seats] == ["ann"]
    assert (driver.table.rack_cents("bob"), driver.table.rack_cents("cleo"), driver.table.departing) == (
        0,
        0,
        frozenset(),
    )
    assert sum(driver.table.state.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("command", ["roll", "accept_dice"])
def test_a_returning_player_gets_the_free_dice(book: str, command: str) -> None:
    """All were away until the dice were free; the first player to ask gets them."""
    driver = TableDriver(book)
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
        driver.do(player, "bet", spot="pass", stake_cents=1000)
    while (custody := driver.table.state.position.custody) and (custody.shooter or custody.offered_to):
        driver.time_out()
    assert custody is not None
    driver.events.clear()
    assert driver.do("bob", command)[-1] == ("Rolled" if command == "roll" else "CustodyChanged")
    told = [one.body for one in driver.events if isinstance(one, ServiceEvent) and one.kind == "acted_for_absent"]
    assert told == [{"player": "ann", "action": "decline_dice"}]
    if command == "accept_dice":
        assert driver.table.state.position.custody == Custody(shooter="bob")


def test_a_bet_wakes_an_abandoned_table() -> None:
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "decline_dice")
    assert driver.controller.timeout_at_ms(driver.table) is None
    assert driver.do("ann", "bet", spot="pass", stake_cents=1000) == ["BetMade", "CustodyChanged"]
    assert driver.table.state.position.custody == Custody(offered_to="ann")


@pytest.mark.parametrize("back_ms", [3_600_000, 40_000])
def test_a_clock_set_back_does_not_delay_timeouts(back_ms: int) -> None:
    """Neither for seeds, nor for the shooter, nor between two rolls."""
    driver = TableDriver()
    driver.now_ms += 10_000_000
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("bob")
    driver.do("ann", "roll")
    assert driver.controller.on_timeout(driver.table, driver.now_ms - 1000) is None, "a small step changes nothing"
    thrown = driver.controller.on_timeout(driver.table, driver.now_ms - back_ms)
    assert thrown is not None
    box = thrown.table
    later_ms = box.last_roll_ms - back_ms
    assert driver.controller.on_timeout(box, later_ms) is not None, "for the shooter"
    if not box.state.position.puck:
        box = driver.controller.execute(
            box, "ann", parse_command("ann", {"command": "bet", "spot": "pass", "stake_cents": 1000}), later_ms
        ).table
    again = driver.controller.execute(box, "ann", parse_command("ann", {"command": "roll"}), later_ms)
    assert any(isinstance(one, Rolled) for one in again.events)


def test_a_player_who_left_without_chips_may_return() -> None:
    """A departure ends when the player is gone, even without chips to cash out."""
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    driver.do("bob", "join", cents=1000)
    while not driver.table.state.position.puck or not driver.table.seat_of("bob").wagers:  # type: ignore[union-attr]  # bob sits
        if not driver.table.state.position.puck:
            for player in ("ann", "bob"):
                if not driver.table.seat_of(player).wagers:  # type: ignore[union-attr]  # they sit
                    short = 1000 - driver.table.rack_cents(player)
                    if short > 0:
                        driver.do(player, "buy_in", cents=short)
                    driver.do(player, "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    if driver.table.rack_cents("bob"):
        driver.do("bob", "bet", spot="come", stake_cents=driver.table.rack_cents("bob") // 1000 * 1000)
    driver.do("bob", "leave")
    assert driver.table.departing == {"bob"}
    for _ in range(200):
        if driver.table.seat_of("bob") is None:
            break
        if not driver.table.seat_of("ann").wagers:  # type: ignore[union-attr]  # ann sits
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        driver.do("ann", "roll")
    assert driver.table.departing == frozenset()
    driver.do("bob", "join", cents=2000)
    if not driver.table.state.position.puck:
        driver.do("bob", "bet", spot="pass", stake_cents=1000)


def test_a_live_table_is_rebuilt_from_its_events() -> None:
    """While bets are open, between lock and roll, and after the roll."""
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("bob")
    assert rebuild_live_table(driver.table.state, driver.stored_events) == driver.table
    driver.do("ann", "roll")
    assert driver.table.fair_roll.missing == ("bob",)
    assert rebuild_live_table(driver.table.state, driver.stored_events) == driver.table
    driver.time_out()
    driver.do("bob", "leave")
    assert rebuild_live_table(driver.table.state, driver.stored_events) == driver.table
    assert (driver.table.fair_roll.number, driver.table.last_roll_ms > 0) == (2, True)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "roll",
        {},
        {"command": 3},
        {"command": "win"},
        {"command": "bet"},
        {"command": "bet", "spot": "pass"},
        {"command": "bet", "spot": "pass", "stake_cents": 0},
        {"command": "bet", "spot": "pass", "stake_cents": 1.5},
        {"command": "bet", "spot": "pass", "stake_cents": True},
        {"command": "bet", "spot": "", "stake_cents": 100},
        {"command": "bet", "spot": "x" * 99, "stake_cents": 100},
        {"command": "bet", "spot": "place:x:y", "stake_cents": 100},
        {"command": "bet", "spot": "pass", "stake_cents": 10**30},
        {"command": "bet", "spot": "pass", "stake_cents": 100, "more": 1},
        {"command": "call", "tag": "1", "call": "maybe"},
        {"command": "roll", "dice": "3-4"},
        {"command": "leave", 3: 4},
        {"command": "commit_seed", "commitment": "zz", "roll": 1},
        {"command": "commit_seed", "commitment": "AA" * 32, "roll": 1},
        {"command": "commit_seed", "commitment": "00" * 32, "roll": -1},
        {"command": "open_seed", "seed": "00"},
        {"command": "join"},
    ],
)
def test_invalid_commands_are_refused(data: object) -> None:
    with pytest.raises(CommandRefused) as no:
        parse_command("ann", data)
    assert no.value.code == "invalid_command"
    assert len(no.value.message) <= 300


def test_a_single_player_may_roll_at_any_time() -> None:
    """There is no betting window, no minimum interval and no timeout."""
    driver = TableDriver(pace=Pace(min_roll_interval_ms=5_000, betting_window_ms=6_000))
    driver.do("ann", "join", cents=50_000)
    for _ in range(5):
        if not driver.table.seat_of("ann").wagers:  # type: ignore[union-attr]  # ann sits
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        driver.now_ms -= driver.pace.betting_window_ms + driver.pace.min_roll_interval_ms
        driver.do("ann", "roll")
    assert driver.controller.roll_allowed_at_ms(driver.table) is None
    assert driver.controller.timeout_at_ms(driver.table) is None
    driver.do("bob", "join", cents=50_000)
    assert driver.controller.roll_allowed_at_ms(driver.table) == driver.table.last_roll_ms + 6_000
    assert driver.controller.timeout_at_ms(driver.table) is not None


def test_a_table_has_its_own_pace() -> None:
    own = Pace(
        min_roll_interval_ms=1_000,
        betting_window_ms=2_000,
        seed_timeout_ms=700,
        shooter_timeout_ms=9_000,
        offer_timeout_ms=4_000,
    )
    driver = TableDriver(pace=Pace(), initial_events=(own.to_event(),))
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    assert driver.controller.timeout_at_ms(driver.table) == driver.table.waiting_since_ms + 4_000
    driver.do("ann", "accept_dice")
    assert driver.controller.timeout_at_ms(driver.table) == driver.table.waiting_since_ms + 9_000
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    driver.commit("bob")
    driver.do("ann", "roll")
    assert driver.controller.timeout_at_ms(driver.table) == driver.table.locked_ms + 700
    driver.time_out()
    assert driver.controller.roll_allowed_at_ms(driver.table) == driver.table.last_roll_ms + 2_000
    assert rebuild_live_table(driver.table.state, driver.stored_events) == driver.table


def test_a_returning_player_gets_the_full_timeout() -> None:
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "accept_dice")
    back_ms = driver.now_ms + 10**7
    assert driver.controller.timeout_at_ms(driver.table, None) is None
    assert driver.controller.timeout_at_ms(driver.table, back_ms) == back_ms + driver.pace.shooter_timeout_ms


def test_declined_dice_are_offered_again() -> None:
    driver = TableDriver()
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    for player in ("ann", "bob"):
        driver.do(player, "decline_dice")
    custody = driver.table.state.position.custody
    assert custody is not None
    assert (custody.shooter, custody.offered_to) == (None, None)
    assert driver.time_out() == ["CustodyChanged"]
    custody = driver.table.state.position.custody
    assert custody is not None
    assert custody.offered_to == "ann"


def test_a_single_player_may_accept_declined_dice() -> None:
    driver = TableDriver()
    driver.do("ann", "join", cents=50_000)
    driver.do("ann", "decline_dice")
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    assert "Rolled" in driver.do("ann", "roll")


def test_mini_craps_is_played_sitting() -> None:
    """A player who stands may not bet or shoot until seated again."""
    driver = TableDriver("new_jersey", game="mini_craps")
    driver.do("ann", "join", cents=50_000)
    assert driver.do("ann", "stand") == ["SeatingChanged"]
    assert driver.refusal_code("ann", "bet", spot="pass", stake_cents=1000) == "not_seated"
    assert driver.table.rack_cents("ann") == 50_000
    assert driver.do("ann", "sit") == ["SeatingChanged"]
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    assert driver.do("ann", "roll")[-1] == "Rolled"
