"""A live table: the immutable state that a table controller decides on, rebuilt from stored events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from trueodds.fair import FairRoll, Lock, Proof
from trueodds.journal import AnyEvent, ServiceEvent, StoredEvent, TableState
from trueodds.journal.player_activity import LEFT
from trueodds.journal.service_event import DEPARTURE_REQUESTED, PACE_SET, SELF_LIMIT_REACHED
from trueodds.service.bot import Bot
from trueodds.service.pace import Pace
from trueodds.strategy import builtin_strategy, builtin_strategy_names
from trueodds.table import CustodyChanged, PlayerLeft, Rolled, Seat


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The state of a table and its next roll.

    `last_roll_ms` is the time of the last roll, `waiting_since_ms` since when the table waits for the player who has or
    is offered the dice, `locked_ms` when bets were closed for the roll, or 0. The `departing` asked to leave and still
    have bets that must stay up. The players of `limit_reached` reached a limit of their own here. `pace` is None if
    the table uses the default.
    """

    state: TableState
    fair_roll: FairRoll
    last_roll_ms: int = 0
    waiting_since_ms: int = 0
    locked_ms: int = 0
    departing: frozenset[str] = frozenset()
    limit_reached: frozenset[str] = frozenset()
    pace: Pace | None = None
    bots: tuple[Bot, ...] = ()

    @classmethod
    def new(cls, state: TableState) -> LiveTable:
        """Return a live table without events."""
        return cls(state, FairRoll.first(state.header.table_id))

    def seat_of(self, player: str) -> Seat | None:
        """Return a player's seat, or None."""
        return self.state.position.find_seat(player)

    def rack_cents(self, player: str) -> int:
        """Return what a player has in the rack, in cents."""
        return self.state.rack_cents(player)

    def bot_of(self, player: str | None) -> Bot | None:
        """Return the bot that plays a seat, or None."""
        return next((bot for bot in self.bots if bot.player == player), None)

    def replace_bot(self, changed: Bot) -> LiveTable:
        """Return the table with a bot replaced by a changed one."""
        return replace(self, bots=tuple(changed if bot.player == changed.player else bot for bot in self.bots))

    @property
    def human_players(self) -> tuple[str, ...]:
        """The players at the table who are not bots."""
        bots = {bot.player for bot in self.bots}
        return tuple(seat.player for seat in self.state.position.seats if seat.player not in bots)

    @property
    def has_single_player(self) -> bool:
        """Whether at most one player is at the table, so that no player waits for another."""
        return len(self.state.position.seats) < 2

    @property
    def all_humans_departing(self) -> bool:
        """Whether every player except bots asked to leave."""
        return bool(self.departing) and self.departing.issuperset(self.human_players)

    def after_events(self, state: TableState, events: Iterable[AnyEvent], at_ms: int) -> LiveTable:
        """Return the table after some events, which lead to `state`."""
        table = replace(self, state=state)
        for event in events:
            table = table._after_event(event, at_ms)
            if table.bots:
                table = replace(table, bots=tuple(bot.after_event(event) for bot in table.bots))
        return table

    def _after_event(self, event: AnyEvent, at_ms: int) -> LiveTable:
        match event:
            case Rolled():
                return replace(self, last_roll_ms=at_ms, waiting_since_ms=at_ms)
            case CustodyChanged():
                return replace(self, waiting_since_ms=at_ms)
            case ServiceEvent("seed_committed", body):
                commitment = bytes.fromhex(body["commitment"])
                return replace(self, fair_roll=self.fair_roll.commit(body["player"], commitment, body["roll"]))
            case ServiceEvent("seed_withdrawn", body):
                return replace(self, fair_roll=self.fair_roll.withdraw(body["player"]))
            case ServiceEvent("roll_locked", body):
                lock = Lock.from_data(dict(body["lock"]))
                return replace(self, fair_roll=self.fair_roll.with_lock(lock), locked_ms=at_ms)
            case ServiceEvent("seed_opened", body):
                return replace(self, fair_roll=self.fair_roll.open_seed(body["player"], bytes.fromhex(body["seed"])))
            case ServiceEvent("secret_revealed", body):
                return replace(self, fair_roll=FairRoll.after(Proof.from_data(dict(body["proof"]))), locked_ms=0)
            case ServiceEvent("departure_requested", body):
                return replace(self, departing=self.departing | {body["player"]})
            case ServiceEvent("self_limit_reached", body):
                return replace(self, limit_reached=self.limit_reached | {body["player"]})
            case ServiceEvent("pace_set", body):
                return replace(self, pace=Pace.from_data(body))
            case ServiceEvent("bot_added", body) if body["strategy"] in builtin_strategy_names():
                # If the strategy is no longer built in, the seat is that of a player who is always away.
                bot = Bot.new(builtin_strategy(body["strategy"]), body["player"], body["buy_in_cents"])
                return replace(self, bots=(*self.bots, bot))
            case PlayerLeft(player):
                return replace(self, departing=self.departing - {player}, limit_reached=self.limit_reached - {player})
            case _:
                return self


LASTING_KINDS: Final = frozenset({PACE_SET, DEPARTURE_REQUESTED, SELF_LIMIT_REACHED, LEFT})
"""The kinds of events that still matter after a later roll. Of the events since the last roll, all matter."""


def rebuild_live_table(state: TableState, stored_events: Iterable[StoredEvent]) -> LiveTable:
    """Return the live table of a state, rebuilt from the events that lead to it."""
    table = LiveTable.new(state)
    for event in stored_events:
        table = table.after_events(state, [event.decode()], event.at_ms)
    return table
