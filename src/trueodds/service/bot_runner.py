"""Run the bots of a table. They bet at once, and roll when all players had time to bet.

They send commands to the same controller as players. They commit no seeds: a bot's seed would be the server's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from trueodds.journal import AnyEvent, ServiceEvent
from trueodds.journal.canonical_json import Json
from trueodds.journal.service_event import BOT_ADDED
from trueodds.journal.table_state import AppliedEvents
from trueodds.service.bot import Bot
from trueodds.service.errors import CommandRefused
from trueodds.service.live_table import LiveTable
from trueodds.service.player_command import parse_command
from trueodds.service.table_controller import TableController, TableUpdate
from trueodds.strategy import StrategyError

MAX_BOTS: Final = 6
IMMEDIATELY_MS: Final = 0


def bot_added(player: str, strategy: str, buy_in_cents: int) -> ServiceEvent:
    """Return the event that a bot plays a seat."""
    return ServiceEvent(BOT_ADDED, {"player": player, "strategy": strategy, "buy_in_cents": buy_in_cents})


def bots_due_ms(controller: TableController, table: LiveTable, present_since_ms: int | None) -> int | None:
    """Return when a bot has something to do, or None if none has or if no player is present."""
    custody = table.state.position.custody
    if (
        not table.bots
        or not _is_watched(table, present_since_ms)
        or table.fair_roll.lock is not None
        or custody is None
    ):
        return None
    if not all(bot.has_decided for bot in table.bots):
        return IMMEDIATELY_MS
    holder = table.bot_of(custody.shooter or custody.offered_to)
    if holder is None or holder.is_stuck:
        return None
    return IMMEDIATELY_MS if custody.shooter is None else _roll_due_ms(controller, table, present_since_ms)


def _is_watched(table: LiveTable, present_since_ms: int | None) -> bool:
    """Return whether any player is present or departing: departing players wait for rolls even if away."""
    return present_since_ms is not None or bool(table.departing)


def _roll_due_ms(controller: TableController, table: LiveTable, present_since_ms: int | None) -> int:
    """Return when a bot with the dice rolls: after the betting window since anything changed."""
    return (
        max(table.last_roll_ms, table.waiting_since_ms, present_since_ms or 0) + controller.pace_of(table).roll_delay_ms
    )


def run_bots(
    controller: TableController, table: LiveTable, present_since_ms: int | None, now_ms: int
) -> TableUpdate | None:
    """Let every bot do what is due by now. Return None if nothing is due. The update may contain no events."""
    due_ms = bots_due_ms(controller, table, present_since_ms)
    if due_ms is None or now_ms < due_ms:
        return None
    turn = _BotTurn(controller, table, now_ms)
    for bot in table.bots:
        if not bot.has_decided:
            turn.bet(bot.player)
    for _ in table.state.position.seats:
        # Declined dice may be offered to another bot; each is asked once.
        turn.answer_offer()
    if now_ms >= _roll_due_ms(controller, turn.table, present_since_ms):
        turn.roll()
    return TableUpdate(tuple(turn.events), turn.table, turn.applied)


class _BotTurn:
    """What the bots of a table do at one time: the events so far, and the table after them."""

    def __init__(self, controller: TableController, table: LiveTable, now_ms: int) -> None:
        self._controller = controller
        self._now_ms = now_ms
        self.table = table
        self.events: list[AnyEvent] = []
        self.applied: AppliedEvents | None = None

    def bet(self, player: str) -> None:
        """Make all bets of a bot. If one is refused, none is made, and the bets that are up stay."""
        bot = self._bot_of(player)
        dealer = self._controller.dealer
        try:
            if bot.is_broke(dealer, self.table.state.position, self.table.rack_cents(player)):
                self._execute(player, [{"command": "buy_in", "cents": bot.buy_in_cents}])
            self._execute(player, bot.bet_commands(dealer, self.table.state.position, self.table.rack_cents(player)))
        except (StrategyError, CommandRefused):
            pass
        self._replace_bot(replace(self._bot_of(player), has_decided=True))

    def answer_offer(self) -> None:
        """Accept or decline the dice if a bot is offered them."""
        custody = self.table.state.position.custody
        bot = self.table.bot_of(custody.offered_to) if custody else None
        if bot is not None:
            self._run_dice_commands(bot)

    def roll(self) -> None:
        """Roll or pass the dice if a bot has them."""
        custody = self.table.state.position.custody
        bot = self.table.bot_of(custody.shooter) if custody else None
        if bot is not None:
            self._run_dice_commands(bot)

    def _run_dice_commands(self, bot: Bot) -> None:
        commands = bot.dice_commands(self._controller.dealer, self.table.state.position)
        try:
            self._execute(bot.player, commands)
        except CommandRefused:
            commands = []
        if not commands:
            self._replace_bot(replace(self._bot_of(bot.player), is_stuck=True))

    def _execute(self, player: str, commands: list[dict[str, Json]]) -> None:
        """Execute all commands or none."""
        table, events, applied = self.table, list[AnyEvent](), self.applied
        for command in commands:
            update = self._controller.execute(table, player, parse_command(player, command), self._now_ms)
            table, events = update.table, [*events, *update.events]
            if update.applied is not None:
                applied = update.applied if applied is None else applied.followed_by(update.applied)
        self.table, self.applied = table, applied
        self.events += events

    def _bot_of(self, player: str) -> Bot:
        bot = self.table.bot_of(player)
        if bot is None:
            raise LookupError(player)
        return bot

    def _replace_bot(self, changed: Bot) -> None:
        self.table = self.table.replace_bot(changed)
