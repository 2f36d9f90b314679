"""Sessions that are not walked but played: at the table, by the engine, throw after throw."""

from __future__ import annotations

from collections.abc import Iterator

from trueodds.chain.odds import winners_come_down
from trueodds.chain.walker import CAUSES
from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, lay_out, outcome_of, remember
from trueodds.strategy.play import PLAYER
from trueodds.table import Dealer, Event, Position, Rolled, Seat, TakeDown, movements, situation
from trueodds.wagers import Rules


class EnginePlayer:
    """A strategy at a table of a house. Amounts are in cents; limits are those of a walk, in slots of one cent."""

    def __init__(self, strategy: Strategy, house: House) -> None:
        self._strategy = strategy
        self._dealer = Dealer(Rules(house))
        self._after = Dealer(Rules(winners_come_down(house)))

    def play(
        self, bankroll: int, rolls: int, shooters: int, at_most: int, at_least: int, dice: Iterator[Roll]
    ) -> list[int]:
        """Play a session; give a line of results as a walk does."""
        position, rack = Position(seats=(Seat(PLAYER),)), bankroll
        memory, hands, thrown, worths = self._strategy.start(), 0, 0, [bankroll]
        while True:
            worth = rack + _up(position)
            cause = (
                "rolls" if thrown >= rolls else "shooters" if hands >= shooters
                else "stop_loss" if worth <= at_most else "stop_win" if worth >= at_least else ""
            )  # fmt: skip
            if cause:
                break
            decision = decide(self._dealer, position, self._strategy.parts, memory, name=self._strategy.name)
            if rack >= max(0, decision.cost):
                position, rack = decision.position, rack - decision.cost
            elif not position.seats[0].entries:
                cause = "ruin"
                break
            worths.append(rack + _up(position))
            position, (event, *_) = self._dealer.roll(position, next(dice))
            rack += _to_rack(event)
            if isinstance(event, Rolled):
                memory, hands = remember(self._strategy, memory, outcome_of(event)), hands + event.seven_out
            thrown += 1
        rack = self._settle_up(position, rack, dice)
        return _line([*worths, rack], thrown, hands, cause)

    def _settle_up(self, position: Position, rack: int, dice: Iterator[Roll]) -> int:
        """Take down what may come down, and roll the rest out."""
        position = lay_out(situation(position, PLAYER))
        while True:
            for entry in position.seats[0].entries:
                for tag in (entry.tag, *entry.odds_tags):
                    if (
                        position.owner_of(tag) is not None
                        and self._after.verify(position, TakeDown(PLAYER, tag)) is None
                    ):
                        position, events = self._after.act(position, TakeDown(PLAYER, tag))
                        rack += sum(map(_to_rack, events))
            if not position.seats[0].entries:
                return rack
            position, (event, *_) = self._after.roll(position, next(dice))
            rack += _to_rack(event)


def _line(worths: list[int], thrown: int, hands: int, cause: str) -> list[int]:
    height = fall = worths[0]
    fall = 0
    for worth in worths:
        height = max(height, worth)
        fall = max(fall, height - worth)
    return [worths[-1], thrown, height, min(worths), fall, hands, CAUSES.index(cause), -1]


def _up(position: Position) -> int:
    return sum(entry.wager.up for entry in position.seats[0].entries)


def _to_rack(event: Event) -> int:
    return sum(movement.rack for movement in movements(event))
