"""Sessions that are not walked but played: at the table, by the engine, throw after throw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from trueodds.chain.machine import limits_of
from trueodds.chain.odds import winners_come_down
from trueodds.chain.terms import LONG_ENOUGH, Terms, endless
from trueodds.chain.walker import GOES_ON, RUIN, why_over
from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, lay_out, outcome_of, remember
from trueodds.strategy.play import PLAYER
from trueodds.table import Dealer, Event, Position, Rolled, Seat, TakeDown, movements, situation
from trueodds.wagers import Rules


class EnginePlayer:
    """A strategy at a table of a house, under the terms of a session. Amounts are in cents."""

    def __init__(self, strategy: Strategy, house: House, terms: Terms) -> None:
        self._strategy = strategy
        self._limits = limits_of(terms)
        self._dealer = Dealer(Rules(house))
        self._after = Dealer(Rules(winners_come_down(house)))

    def play(self, dice: Iterator[Roll]) -> list[int]:
        """Play a session; give a line of results as a walk does."""
        worths, thrown, hands, cause = self._session(dice)
        heights = list(accumulate(worths, max))
        fall = max(height - worth for height, worth in zip(heights, worths, strict=True))
        return [worths[-1], thrown, heights[-1], min(worths), fall, hands, cause, -1]

    def watch(self, dice: Iterator[Roll], throws: Iterable[int]) -> list[int]:
        """Play a session; give what it was worth after so many throws, or what it came to if it was over by then."""
        _, *worths = self._session(dice)[0]
        return [worths[min(after, len(worths) - 1)] for after in throws]

    def _session(self, dice: Iterator[Roll]) -> tuple[list[int], int, int, int]:
        """Give the worth at first, after every decision, and at last; throws, hands, and why it was over."""
        position, rack = Position(seats=(Seat(PLAYER),)), self._limits.bankroll
        memory, hands, thrown, worths = self._strategy.start(), 0, 0, [rack]
        while (cause := why_over(self._limits, rack + _up(position), thrown, hands)) == GOES_ON:
            decision = decide(self._dealer, position, self._strategy.parts, memory, name=self._strategy.name)
            if rack >= max(0, decision.cost):
                position, rack = decision.position, rack - decision.cost
            elif not position.seats[0].entries:
                cause = RUIN
                break
            worths.append(rack + _up(position))
            position, (event, *_) = self._dealer.roll(position, next(dice))
            rack += _to_rack(event)
            if isinstance(event, Rolled):
                memory, hands = remember(self._strategy, memory, outcome_of(event)), hands + event.seven_out
            thrown += 1
        return [*worths, self._settle_up(position, rack, dice)], thrown, hands, cause

    def _settle_up(self, position: Position, rack: int, dice: Iterator[Roll]) -> int:
        """Take down what may come down, and roll the rest out."""
        position = lay_out(situation(position, PLAYER))
        for _ in range(LONG_ENOUGH):
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
        raise endless()


def _up(position: Position) -> int:
    return sum(entry.wager.up for entry in position.seats[0].entries)


def _to_rack(event: Event) -> int:
    return sum(movement.rack for movement in movements(event))
