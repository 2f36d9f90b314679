"""The reference: what a session is, written once and plainly, on top of the engine.

Before each roll, `ReferencePlayer` does three things in this order:

1. Stops. The session ends when it has had its number of rolls or shooters, or when the player's worth (the rack plus
   the stakes on the layout) is at or below the stop loss, or at or above the stop win.
2. Decision. The strategy decides. If the rack covers the cost, the bets are made. If it does not, the player skips
   the decision and the bets on the layout stay as they are. A skip with an empty layout is ruin and ends the session.
3. Roll. The dealer settles the roll. A seven-out ends the shooter.

At the end the open bets are closed out. Every bet that the rules let the player take down comes down. The rest, the
contract bets, are rolled until they are decided, without new bets, and winners come down.

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

from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.sessions.session_limits import MAX_CLOSEOUT_ROLLS, SessionLimits, undecided_error
from trueodds.strategy import Strategy, decide, next_memories, outcome_from_event, position_from_situation
from trueodds.strategy.decision import PLAYER
from trueodds.table import CachedDealer, Event, Position, Rolled, Seat, TakeDown, money_movements, player_situation
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
        position, rack = Position(seats=(Seat(PLAYER),)), self._limits.bankroll_cents
        memories, rolls, hands, worths = self._strategy.initial_memories(), 0, 0, [rack]
        while (cause := end_cause(self._limits, rack + _stakes(position), rolls, hands)) is None:
            decision = decide(self._dealer, position, self._strategy.plays, memories, name=self._strategy.name)
            if rack >= max(0, decision.cost_cents):
                position, rack = decision.position, rack - decision.cost_cents
            elif not position.seats[0].wagers:
                cause = "ruin"
                break
            worths.append(rack + _stakes(position))
            position, (event, *_) = self._dealer.roll(position, next(dice))
            rack += _to_rack(event)
            rolls += 1
            if isinstance(event, Rolled):
                memories = next_memories(self._strategy, memories, outcome_from_event(event))
                hands += event.seven_out
        return PlayedSession([*worths, self._close_out(position, rack, dice)], rolls, hands, cause)

    def _close_out(self, position: Position, rack: int, dice: Iterator[Roll]) -> int:
        """Take down what may come down, roll until the rest is decided, and return the final rack."""
        position = position_from_situation(player_situation(position, PLAYER))
        for _ in range(MAX_CLOSEOUT_ROLLS):
            position, cash = self._take_down_all(position)
            rack += cash
            if not position.seats[0].wagers:
                return rack
            position, (event, *_) = self._closeout_dealer.roll(position, next(dice))
            rack += _to_rack(event)
        raise undecided_error()

    def _take_down_all(self, position: Position) -> tuple[Position, int]:
        """Take down every bet that may come down. Return the position after it and the cents returned."""
        cash = 0
        for entry in position.seats[0].wagers:
            for tag in (entry.tag, *entry.odds_tags):
                action = TakeDown(PLAYER, tag)
                # A wager that came down took its odds with it.
                if position.find_owner(tag) is not None and self._closeout_dealer.verify(position, action) is None:
                    position, events = self._closeout_dealer.act(position, action)
                    cash += sum(map(_to_rack, events))
        return position, cash


def _stakes(position: Position) -> int:
    return sum(entry.wager.total_stake for entry in position.seats[0].wagers)


def _to_rack(event: Event) -> int:
    return sum(movement.rack_cents for movement in money_movements(event))
