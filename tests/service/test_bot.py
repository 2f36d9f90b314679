"""A bot at a live table plays like its strategy in a session."""

from __future__ import annotations

import pytest

from support.table_driver import TableDriver
from trueodds.dice import Roll
from trueodds.rulebook import Spot, as_house
from trueodds.service.bot import Bot, command_from_action
from trueodds.service.player_command import DoAction, parse_command
from trueodds.sessions.reference import ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits
from trueodds.strategy import builtin_strategy
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    Dealer,
    DeclineDice,
    Join,
    OpenTable,
    PassDice,
    Position,
    Press,
    Reduce,
    RollDice,
    Rolled,
    Sit,
    TaggedWager,
    TakeDown,
    ToggleBet,
)
from trueodds.wagers import TableRules

ROLLS = 60


@pytest.mark.parametrize(
    ("book", "name"),
    [("new_jersey", "molly"), ("maryland", "pass_345"), ("rws", "iron_cross_line"), ("win_line", "martingale"),
     ("south_dakota", "pass_2_come"), ("new_jersey", "dolly"), ("maryland", "risk_12")],
)  # fmt: skip
def test_worth_after_every_roll_is_that_of_the_reference(book: str, name: str) -> None:
    """With the dice of the table, and with the wagers of another player."""
    driver = TableDriver(book)
    driver.do("ann", "join", cents=300_000)
    driver.do("bob", "join", cents=900_000)
    bot = Bot.new(builtin_strategy(name), "ann", 300_000)
    worths, rolls = [], list[Roll]()
    for _ in range(ROLLS):
        for command in bot.bet_commands(
            driver.controller.dealer, driver.table.state.position, driver.table.rack_cents("ann")
        ):
            driver.do("ann", **command)
        worths.append(driver.table.rack_cents("ann") + driver.table.state.balances.get("layout:ann", 0))
        bob = driver.table.seat_of("bob")
        if not driver.table.state.position.puck and bob is not None and not bob.wagers:
            driver.do("bob", "bet", spot="pass", stake_cents=1000)
        custody = driver.table.state.position.custody
        assert custody is not None
        shooter = custody.shooter or custody.offered_to
        driver.events.clear()
        if shooter == "ann" and not any(entry.wager.spot.kind == "pass" for entry in _entries(driver, "ann")):
            driver.do("ann", "pass_dice" if custody.shooter else "decline_dice")
            shooter = "bob"
        driver.do(shooter or "bob", "roll")
        for content in driver.events:
            bot = bot.after_event(content)
            if isinstance(content, Rolled):
                rolls.append(content.dice)
    assert len(rolls) == ROLLS
    reference = ReferencePlayer(bot.strategy, as_house(book), SessionLimits(300_000, ROLLS))
    played = reference.play(iter([*rolls, *[Roll(3, 4), Roll(4, 6), Roll(5, 5)] * 500]))
    assert worths == [played.worth_after(roll) for roll in range(ROLLS)]


SIX_WITHOUT_LINE = ("2-2", "come", "3-3", "1-3")
"""A point, a come bet that travels to six, and the point made: only the come bet is left."""


@pytest.mark.parametrize(
    ("book", "way"),
    [
        ("new_jersey", ["decline_line", "roll", "roll"]),
        ("maryland", ["decline_line", "roll", "roll"]),
        ("rws", ["pass_dice"]),
    ],
)
def test_come_bets_are_settled_without_a_line_bet_where_the_book_allows_it(book: str, way: list[str]) -> None:
    """A single bot without more bets does not pass the dice to itself forever."""
    dealer, position = Dealer(TableRules(as_house(book))), Position()
    first = (Join("ann"), OpenTable(), AcceptDice("ann"), Bet("ann", Spot("pass"), 1000))  # type: ignore[arg-type]  # cents
    for action in (*first, *(_next_of(word) for word in SIX_WITHOUT_LINE)):
        position, _ = dealer.act(position, action)
    bot = Bot.new(builtin_strategy("molly"), "ann", 300_000)
    for asked in way:
        assert [command["command"] for command in bot.dice_commands(dealer, position)] == [asked]
        act = RollDice(Roll(6, 5), "ann") if asked == "roll" else parse_command("ann", {"command": asked}).action  # type: ignore[union-attr]  # to do
        position, _ = dealer.act(position, act)
    assert _come_is_up(position)


@pytest.mark.parametrize("book", ["new_jersey", "maryland"])
def test_a_bot_accepts_the_dice_if_come_bets_can_be_settled(book: str) -> None:
    dealer, position = Dealer(TableRules(as_house(book))), Position()
    first = (Join("ann"), OpenTable(), AcceptDice("ann"), Bet("ann", Spot("pass"), 1000))  # type: ignore[arg-type]  # cents
    for action in (*first, *(_next_of(word) for word in SIX_WITHOUT_LINE), PassDice("ann")):
        position, _ = dealer.act(position, action)
    bot = Bot.new(builtin_strategy("molly"), "ann", 300_000)
    assert bot.dice_commands(dealer, position) == [{"command": "accept_dice"}]


@pytest.mark.parametrize("book", ["new_jersey", "maryland", "south_dakota", "win_line"])
def test_two_bots_with_come_bets_do_not_pass_the_dice_forever(book: str) -> None:
    """Neither makes a line bet: the offer for the come settlement is declined, and the first bot rolls."""
    dealer, position = Dealer(TableRules(as_house(book))), Position()
    bets: tuple[Action, ...] = (Bet("bob", Spot("come"), 1000), Bet("ann", Spot("come"), 1000))  # type: ignore[arg-type]  # cents
    for action in (
        Join("ann"), Join("bob"), OpenTable(), AcceptDice("ann"), _next_of("pass"), _next_of("2-2"), *bets,
        _next_of("3-3"), _next_of("1-3"),
    ):  # fmt: skip
        position, _ = dealer.act(position, action)
    bots = [Bot.new(builtin_strategy("come_345"), player, 300_000) for player in ("ann", "bob")]
    asked: list[str] = []
    for _ in range(5):
        ((player, command),) = [
            (bot.player, command) for bot in bots for command in bot.dice_commands(dealer, position)
        ]
        asked.append(f"{player} {command['command']}")
        act = RollDice(Roll(6, 5), player) if command["command"] == "roll" else parse_command(player, command).action  # type: ignore[union-attr]  # to do
        position, _ = dealer.act(position, act)
    assert asked == ["ann decline_line", "bob decline_dice", "ann roll", "ann roll", "ann roll"]


def _next_of(word: str) -> Action:
    return Bet("ann", Spot(word), 1000) if word.isalpha() else RollDice(Roll(int(word[0]), int(word[2])), "ann")  # type: ignore[arg-type]  # cents


def _come_is_up(position: Position) -> bool:
    return [str(entry.wager.spot) for seat in position.seats for entry in seat.wagers] == ["come:6"]


def _entries(driver: TableDriver, player: str) -> tuple[TaggedWager, ...]:
    seat = driver.table.seat_of(player)
    return seat.wagers if seat else ()


@pytest.mark.parametrize(
    "action",
    [
        Bet("p", Spot("pass_odds"), 2000, "1", "o"), Bet("p", Spot("place", (6,)), 1200), Press("p", "1", 1800),  # type: ignore[arg-type]  # cents
        Reduce("p", "1", 600), TakeDown("p", "1"), ToggleBet("p", "1", "off"), AcceptDice("p"), DeclineDice("p"),  # type: ignore[arg-type]  # cents
    ],
)  # fmt: skip
def test_a_command_is_parsed_as_the_action_it_was(action: object) -> None:
    assert parse_command("p", command_from_action(action)) == DoAction(action)  # type: ignore[arg-type]  # one of many


def test_some_actions_have_no_command() -> None:
    with pytest.raises(TypeError, match="no command for"):
        command_from_action(Sit("p"))
