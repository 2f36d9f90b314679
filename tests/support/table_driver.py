"""Drive one table in memory through its controller, with a manual clock."""

from __future__ import annotations

from typing import Any

import pytest

from trueodds.fair import FairDice, ServerKey, make_commitment
from trueodds.journal import AnyEvent, ServiceEvent, StoredEvent, TableHeader, TableState, apply_events
from trueodds.rulebook import as_house
from trueodds.service.bot_runner import run_bots
from trueodds.service.errors import CommandRefused
from trueodds.service.live_table import LiveTable
from trueodds.service.pace import Pace
from trueodds.service.player_command import parse_command
from trueodds.service.table_controller import TableController

KEY = ServerKey(bytes(range(32)))
SEED = bytes(32)


class TableDriver:
    """One table in memory."""

    def __init__(
        self,
        book: str = "new_jersey",
        pace: Pace | None = None,
        initial_events: tuple[ServiceEvent, ...] = (),
        **options: Any,
    ) -> None:
        header = TableHeader.for_house("t1", as_house(book).with_changes(options), 0)
        self.pace = pace or Pace()
        self.controller = TableController(header, FairDice(KEY, "t1", chain_length=64), self.pace)
        self.now_ms = 1_000_000
        self.stored_events: list[StoredEvent] = []
        self.events: list[AnyEvent] = []
        self.table = LiveTable.new(TableState.new(header))
        opened = self.controller.open_table(self.table, self.now_ms, initial_events)
        self._apply(opened.events, opened.table)
        self.events.clear()

    def do(self, player: str, command: str, **fields: Any) -> list[str]:
        """Execute a command after the betting window, and return the kinds of its events."""
        self.now_ms += self.pace.betting_window_ms + self.pace.min_roll_interval_ms
        update = self.controller.execute(
            self.table, player, parse_command(player, {"command": command, **fields}), self.now_ms
        )
        return self._apply(update.events, update.table)

    def refusal_code(self, player: str, command: str, **fields: Any) -> str:
        """Execute a command that must be refused without changing anything, and return the code."""
        before = self.table
        with pytest.raises(CommandRefused) as refused:
            self.do(player, command, **fields)
        assert self.table is before
        assert refused.value.message
        return refused.value.code

    def commit(self, player: str, seed: bytes = SEED) -> list[str]:
        """Commit to a seed for the next roll."""
        number = self.table.fair_roll.number
        return self.do(player, "commit_seed", roll=number, commitment=make_commitment("t1", number, player, seed).hex())

    def run_bots(self, present_since_ms: int | None = 0) -> list[str] | None:
        """Run the bots and return the kinds of the events, or None if nothing is due."""
        update = run_bots(self.controller, self.table, present_since_ms, self.now_ms)
        return None if update is None else self._apply(update.events, update.table)

    def time_out(self, present_since_ms: int | None = 0) -> list[str]:
        """Advance the clock to the timeout, and return the kinds of the events."""
        due_ms = self.controller.timeout_at_ms(self.table, present_since_ms)
        assert due_ms is not None
        assert self.controller.on_timeout(self.table, due_ms - 1, present_since_ms) is None
        self.now_ms = max(self.now_ms, due_ms)
        update = self.controller.on_timeout(self.table, self.now_ms, present_since_ms)
        assert update is not None
        return self._apply(update.events, update.table)

    def _apply(self, events: tuple[AnyEvent, ...], table: LiveTable) -> list[str]:
        self.stored_events += apply_events(self.table.state, self.now_ms, events).events
        self.table = table
        self.events += events
        return [one.kind if isinstance(one, ServiceEvent) else type(one).__name__ for one in events]
