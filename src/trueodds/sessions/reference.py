"""The reference: what a session is, written once and plainly, on top of the engine.

Before each roll, `ReferencePlayer` does three things in this order:

1. Stops. The session ends when it has had its number of rolls or shooters, or when the player's worth (the rack plus
   the stakes on the layout) is at or below the stop loss, or at or above the stop win.
2. Decision. The strategy decides. If the rack covers the cost, the bets are made. If it does not, the player skips
   the decision and the bets on the layout stay as they are. A skip with an empty layout is ruin and ends the session.
3. Roll. The dealer settles the roll. A seven-out ends the shooter.

At the end the open bets are closed out. Every bet that the rules let the player take down comes down. The rest, the
contract bets, are rolled until they are decided, without new bets, and winners come down.

`ReferencePlayer.steps` yields a session roll by roll, and `play` returns its totals. `trueodds.watch` is built on it.

The fast implementations are translations of this module, and each is tested against it:

- `float_distribution` and `exact_distribution` move probabilities instead of one player, and `closeout_results` closes
  out all of them:
  `tests/sessions/test_reference.py::test_distributions_match_the_reference`.
- `simulation.kernel`, `simulation.batched_kernel` and `simulation.numpy_backend` play rows of a transition table:
  `tests/simulation/test_kernels.py::test_kernels_match_the_reference`.

The simulation runs the reference itself for sessions that do not fit into its memory budget. The reference in turn is
tested against `tests/support/table_sessions.py`, which plays sessions action by action and adds up the dealer's events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.automaton.calculation_errors import SessionError
from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.sessions.session_limits import MAX_CLOSEOUT_ROLLS, SessionLimits, undecided_error
from trueodds.strategy import Strategy, decide, next_memories, outcome_from_event
from trueodds.strategy.decision import PLAYER
from trueodds.table import (
    Action,
    CachedDealer,
    Dealer,
    Event,
    Position,
    Rolled,
    Seat,
    SettledWager,
    TakeDown,
    money_movements,
)
from trueodds.wager_odds.exact_odds import with_winners_down
from trueodds.wagers import TableRules


class PlayedSession(NamedTuple):
    """One session from start to end.

    `worths_cents` holds the bankroll, the worth after each decision, and the rack after closing out. `hands` counts
    the seven-outs. `ended_by` is one of `END_CAUSES`.
    """

    worths_cents: list[int]
    rolls: int
    hands: int
    ended_by: str

    def worth_after(self, rolls: int) -> int:
        """Return the worth before the roll that follows this many rolls, or the final worth if the session is over."""
        return self.worths_cents[min(rolls + 1, len(self.worths_cents) - 1)]


class SessionStep(NamedTuple):
    """One roll of a session, with what the player did before it.

    `start` is the position before the player acts, `position` the one in which the dice are rolled, and
    `position_after` the one after the roll. `actions` are the bets made and changed; a player who cannot afford the
    strategy's bets does nothing. `ended_by` is None while the session lasts. Afterwards it is one of `END_CAUSES`, and
    the steps close out the open bets. The last step has no roll, and its `rack_cents` is the final one.
    """

    start: Position
    actions: tuple[Action, ...]
    position: Position
    roll: Roll | None
    events: tuple[Event, ...]
    position_after: Position
    rack_at_roll_cents: int
    rack_cents: int
    ended_by: str | None

    @property
    def settled(self) -> tuple[SettledWager, ...]:
        """The wagers that were on the layout, as the roll settled them."""
        return tuple(settled for event in self.events if isinstance(event, Rolled) for settled in event.settled)

    @property
    def seven_out(self) -> bool:
        """Whether the roll ended the shooter's hand."""
        return any(isinstance(event, Rolled) and event.seven_out for event in self.events)

    @property
    def worth_at_roll_cents(self) -> int:
        """The rack plus the stakes on the layout when the dice are rolled."""
        return self.rack_at_roll_cents + _stakes(self.position)


class RollsEndedError(SessionError):
    """Raised when there are no more rolls before a session has ended."""


def end_cause(limits: SessionLimits, worth_cents: int, rolls: int, shooters: int) -> str | None:
    """Return why a session ends before the next decision, or None if it continues."""
    if limits.rolls is not None and rolls >= limits.rolls:
        return "rolls"
    if limits.shooters is not None and shooters >= limits.shooters:
        return "shooters"
    if limits.stop_loss_worth_cents is not None and worth_cents <= limits.stop_loss_worth_cents:
        return "stop_loss"
    if limits.stop_win_worth_cents is not None and worth_cents >= limits.stop_win_worth_cents:
        return "stop_win"
    return None


class ReferencePlayer:
    """Plays sessions of a strategy at a house, one roll at a time, with the engine."""

    def __init__(self, strategy: Strategy, house: House, limits: SessionLimits) -> None:
        self._strategy = strategy
        self._limits = limits
        self._dealer = CachedDealer(TableRules(house))
        self._closeout_dealer = CachedDealer(TableRules(with_winners_down(house)))

    def play(self, dice: Iterator[Roll]) -> PlayedSession:
        """Play one session and take its rolls from an iterator. Raise StopIteration if the iterator ends first."""
        worths, rolls, hands = [self._limits.bankroll_cents], 0, 0
        rack, cause = worths[0], ""
        try:
            for step in self.steps(dice):
                rack = step.rack_cents
                if step.ended_by is None:
                    worths.append(step.worth_at_roll_cents)
                    rolls += 1
                    hands += step.seven_out
                else:
                    cause = step.ended_by
        except RollsEndedError:
            raise StopIteration from None
        return PlayedSession([*worths, rack], rolls, hands, cause)

    def steps(self, dice: Iterator[Roll]) -> Iterator[SessionStep]:
        """Yield one session roll by roll, with rolls from an iterator. Raise RollsEndedError if they end first."""
        position, rack = Position(seats=(Seat(PLAYER),)), self._limits.bankroll_cents
        memories, rolls, hands = self._strategy.initial_memories(), 0, 0
        while (cause := end_cause(self._limits, rack + _stakes(position), rolls, hands)) is None:
            start, actions = position, tuple[Action, ...]()
            decision = decide(self._dealer, position, self._strategy.plays, memories, name=self._strategy.name)
            if rack >= max(0, decision.cost_cents):
                position, rack, actions = decision.position, rack - decision.cost_cents, decision.actions
            elif not position.seats[0].wagers:
                cause = "ruin"
                break
            roll, after, events = _next_roll(self._dealer, position, dice)
            rack_after = rack + _to_rack(events[0])
            yield SessionStep(start, actions, position, roll, events, after, rack, rack_after, None)
            position, rack = after, rack_after
            rolls += 1
            if isinstance(events[0], Rolled):
                memories = next_memories(self._strategy, memories, outcome_from_event(events[0]))
                hands += events[0].seven_out
        yield from self._close_out(position, rack, dice, cause)

    def _close_out(self, position: Position, rack: int, dice: Iterator[Roll], cause: str) -> Iterator[SessionStep]:
        """Take down what may come down and roll until the rest is decided."""
        position = position._replace(barred=())
        for _ in range(MAX_CLOSEOUT_ROLLS):
            start = position
            position, cash, actions = self._take_down_all(position)
            rack += cash
            if not position.seats[0].wagers:
                yield SessionStep(start, actions, position, None, (), position, rack, rack, cause)
                return
            roll, after, events = _next_roll(self._closeout_dealer, position, dice)
            rack_after = rack + _to_rack(events[0])
            yield SessionStep(start, actions, position, roll, events, after, rack, rack_after, cause)
            position, rack = after, rack_after
        raise undecided_error()

    def _take_down_all(self, position: Position) -> tuple[Position, int, tuple[Action, ...]]:
        """Take down every bet that may come down. Return the position after it, the cents returned and the actions."""
        cash, actions = 0, list[Action]()
        for entry in position.seats[0].wagers:
            for tag in (entry.tag, *entry.odds_tags):
                action = TakeDown(PLAYER, tag)
                # A wager that came down took its odds with it.
                if position.find_owner(tag) is not None and self._closeout_dealer.verify(position, action) is None:
                    position, events = self._closeout_dealer.act(position, action)
                    cash += sum(map(_to_rack, events))
                    actions.append(action)
        return position, cash, tuple(actions)


def _next_roll(dealer: Dealer, position: Position, dice: Iterator[Roll]) -> tuple[Roll, Position, tuple[Event, ...]]:
    """Return the next roll, the position after it and its events."""
    roll = next(dice, None)
    if roll is None:
        raise RollsEndedError("the rolls end before the session does")
    return roll, *dealer.roll(position, roll)


def _stakes(position: Position) -> int:
    return sum(entry.wager.total_stake for entry in position.seats[0].wagers)


def _to_rack(event: Event) -> int:
    return sum(movement.rack_cents for movement in money_movements(event))
