"""A bot at a table of the service plays as its strategy does anywhere."""

from __future__ import annotations

import pytest

from boxes import Trial
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.terms import Terms
from trueodds.dice import Roll
from trueodds.rulebook import Spot, open_house
from trueodds.service.bot import Bot, wish_of
from trueodds.service.wish import Do, read_wish
from trueodds.strategy import named_strategy
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CallWager,
    Dealer,
    DeclineDice,
    Entry,
    Join,
    OpenTable,
    PassDice,
    Position,
    Press,
    Reduce,
    Rolled,
    Sit,
    TakeDown,
    Throw,
)
from trueodds.wagers import Rules

THROWS = 60


@pytest.mark.parametrize(
    ("book", "name"),
    [("new_jersey", "molly"), ("maryland", "pass_345"), ("rws", "iron_cross_line"), ("win_line", "martingale"),
     ("south_dakota", "pass_2_come"), ("new_jersey", "dolly"), ("maryland", "risk_12")],
)  # fmt: skip
def test_worth_after_every_throw_is_that_of_the_engine(book: str, name: str) -> None:
    """On the dice of the table itself, in company, with other wagers on the layout."""
    trial = Trial(book)
    trial.wish("ann", "sit", cents=300_000)
    trial.wish("bob", "sit", cents=900_000)
    bot = Bot.new(named_strategy(name), "ann", 300_000)
    worths, rolls = [], list[Roll]()
    for _ in range(THROWS):
        for wish in bot.wishes(trial.boxman.dealer, trial.box.table.position, trial.box.rack("ann")):
            trial.wish("ann", **wish)
        worths.append(trial.box.rack("ann") + trial.box.table.balances.get("layout:ann", 0))
        bob = trial.box.seat("bob")
        if not trial.box.table.position.puck and bob is not None and not bob.entries:
            trial.wish("bob", "bet", spot="pass", cents=1000)
        custody = trial.box.table.position.custody
        assert custody is not None
        shooter = custody.shooter or custody.offer_to
        trial.contents.clear()
        if shooter == "ann" and not any(entry.wager.spot.kind == "pass" for entry in _entries(trial, "ann")):
            trial.wish("ann", "pass_dice" if custody.shooter else "decline_dice")
            shooter = "bob"
        trial.wish(shooter or "bob", "roll")
        for content in trial.contents:
            bot = bot.after(content)
            if isinstance(content, Rolled):
                rolls.append(content.dice)
    assert len(rolls) == THROWS
    engine = EnginePlayer(bot.strategy, open_house(book), Terms(300_000, THROWS))
    seen = engine.watch(iter([*rolls, *[Roll(3, 4), Roll(4, 6), Roll(5, 5)] * 500]), range(THROWS))
    assert worths == seen


SIX_WITHOUT_LINE = ("2-2", "come", "3-3", "1-3")
"""A point, a come bet that travels to six, and the point made: nothing is left but the come bet."""


@pytest.mark.parametrize(
    ("book", "way"),
    [
        ("new_jersey", ["decline_line", "roll", "roll"]),
        ("maryland", ["decline_line", "roll", "roll"]),
        ("rws", ["pass_dice"]),
    ],
)
def test_come_bets_are_played_out_without_a_line_bet_where_the_book_has_a_way(book: str, way: list[str]) -> None:
    """Alone, with nothing more to bet: the bot does not give the dice to itself for ever."""
    dealer, position = Dealer(Rules(open_house(book))), Position()
    first = (Join("ann"), OpenTable(), AcceptDice("ann"), Bet("ann", Spot("pass"), 1000))  # type: ignore[arg-type]  # cents
    for action in (*first, *(_next_of(word) for word in SIX_WITHOUT_LINE)):
        position, _ = dealer.act(position, action)
    bot = Bot.new(named_strategy("molly"), "ann", 300_000)
    for asked in way:
        assert [wish["wish"] for wish in bot.dice_wishes(dealer, position)] == [asked]
        act = Throw(Roll(6, 5), "ann") if asked == "roll" else read_wish("ann", {"wish": asked}).action  # type: ignore[union-attr]  # to do
        position, _ = dealer.act(position, act)
    assert _come_is_up(position)


@pytest.mark.parametrize("book", ["new_jersey", "maryland"])
def test_who_is_offered_the_dice_takes_them_where_come_bets_can_be_decided(book: str) -> None:
    dealer, position = Dealer(Rules(open_house(book))), Position()
    first = (Join("ann"), OpenTable(), AcceptDice("ann"), Bet("ann", Spot("pass"), 1000))  # type: ignore[arg-type]  # cents
    for action in (*first, *(_next_of(word) for word in SIX_WITHOUT_LINE), PassDice("ann")):
        position, _ = dealer.act(position, action)
    bot = Bot.new(named_strategy("molly"), "ann", 300_000)
    assert bot.dice_wishes(dealer, position) == [{"wish": "accept_dice"}]


@pytest.mark.parametrize("book", ["new_jersey", "maryland", "south_dakota", "win_line"])
def test_two_bots_with_come_bets_do_not_give_each_other_the_dice_for_ever(book: str) -> None:
    """Neither makes a line bet: the offer for the round of come bets is declined, and the first one throws."""
    dealer, position = Dealer(Rules(open_house(book))), Position()
    bets: tuple[Action, ...] = (Bet("bob", Spot("come"), 1000), Bet("ann", Spot("come"), 1000))  # type: ignore[arg-type]  # cents
    for action in (
        Join("ann"), Join("bob"), OpenTable(), AcceptDice("ann"), _next_of("pass"), _next_of("2-2"), *bets,
        _next_of("3-3"), _next_of("1-3"),
    ):  # fmt: skip
        position, _ = dealer.act(position, action)
    bots = [Bot.new(named_strategy("come_345"), player, 300_000) for player in ("ann", "bob")]
    asked: list[str] = []
    for _ in range(5):
        ((player, wish),) = [(bot.player, wish) for bot in bots for wish in bot.dice_wishes(dealer, position)]
        asked.append(f"{player} {wish['wish']}")
        act = Throw(Roll(6, 5), player) if wish["wish"] == "roll" else read_wish(player, wish).action  # type: ignore[union-attr]  # to do
        position, _ = dealer.act(position, act)
    assert asked == ["ann decline_line", "bob decline_dice", "ann roll", "ann roll", "ann roll"]


def _next_of(word: str) -> Action:
    return Bet("ann", Spot(word), 1000) if word.isalpha() else Throw(Roll(int(word[0]), int(word[2])), "ann")  # type: ignore[arg-type]  # cents


def _come_is_up(position: Position) -> bool:
    return [str(entry.wager.spot) for seat in position.seats for entry in seat.entries] == ["come:6"]


def _entries(trial: Trial, player: str) -> tuple[Entry, ...]:
    seat = trial.box.seat(player)
    return seat.entries if seat else ()


@pytest.mark.parametrize(
    "action",
    [
        Bet("p", Spot("pass_odds"), 2000, "1", "o"), Bet("p", Spot("place", (6,)), 1200), Press("p", "1", 1800),  # type: ignore[arg-type]  # cents
        Reduce("p", "1", 600), TakeDown("p", "1"), CallWager("p", "1", "off"), AcceptDice("p"), DeclineDice("p"),  # type: ignore[arg-type]  # cents
    ],
)  # fmt: skip
def test_a_wish_is_read_as_the_action_it_was(action: object) -> None:
    assert read_wish("p", wish_of(action)) == Do(action)  # type: ignore[arg-type]  # one of many


def test_nobody_wishes_for_everything() -> None:
    with pytest.raises(TypeError, match="nobody wishes"):
        wish_of(Sit("p"))
