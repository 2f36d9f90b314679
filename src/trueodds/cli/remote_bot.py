"""A bot that plays at a table of a server. It sees only what every player sees."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from trueodds.client import Client, ClientError, ServerRefusedError, TableConnection, TableEvent
from trueodds.journal import AnyEvent, ServiceEvent
from trueodds.journal.canonical_json import encode_canonical
from trueodds.journal.ledger import apply_postings, layout_account, postings_for_event, rack_account
from trueodds.journal.stored_event import decode_event
from trueodds.money import format_money
from trueodds.rulebook import House, book_ids, load_book
from trueodds.service.bot import Bot
from trueodds.service.strategy_check import check_strategy
from trueodds.strategy import Strategy, StrategyError
from trueodds.table import CachedDealer, PlayerJoined, PlayerLeft, Position, Rolled, apply_event
from trueodds.wagers import TableRules

PrintLine = Callable[[str], None]
Json = Mapping[str, Any]


class BotOptions(NamedTuple):
    """Where to play, which strategy, and for how long."""

    url: str
    strategy: Strategy
    table: str | None = None
    book: str | None = None
    name: str | None = None
    buy_in_cents: int = 50_000
    rolls: int | None = None
    invitation: str | None = None
    wait_s: float = 1.0


async def run_bot(options: BotOptions, print_line: PrintLine) -> None:
    """Join a table, play and leave. The first interrupt leaves the table, a second one stops at once."""
    async with Client(options.url) as client:
        name = options.name or f"{options.strategy.name} {secrets.token_hex(2)}"[-40:].strip()
        me = str((await client.create_guest(name))["id"])
        invitation, table = options.invitation, options.table
        if table is None:
            book = options.book or max(book_ids(), key=lambda book_id: len(load_book(book_id).wagers))
            table = str((await client.create_table(book))["id"])
        house = rebuild_house(await client.get_table(table, invitation))
        check_strategy(options.strategy, house)
        print_line(f"{name} plays {options.strategy.name} at table {table}, {house.name}")
        async with await client.connect(table, invitation) as connection:
            player = Bot.new(options.strategy, me, options.buy_in_cents)
            bot = RemoteBot(connection, player, house, options, print_line)
            with _handle_interrupts(bot.leave):
                await bot.play()


def rebuild_house(snapshot: Json) -> House:
    """Return the house of a table, rebuilt from a snapshot."""
    data = snapshot["house"]
    house = House(
        load_book(snapshot["book"]["id"]), data["options"], name=data["name"], currency=snapshot["currency"],
        book_defaults=True,
    )  # fmt: skip
    if house.digest != data["digest"]:
        raise ClientError(f"the server uses another version of {house.book.title}")
    return house


class RemoteBot:
    """A bot on one connection. It derives position and chips from the events that the server sends."""

    def __init__(
        self, connection: TableConnection, bot: Bot, house: House, options: BotOptions, print_line: PrintLine
    ) -> None:
        self._connection = connection
        self._bot = bot
        self._currency = house.currency
        self._dealer = CachedDealer(TableRules(house))
        self._options = options
        self._print = print_line
        self._position = Position()
        self._balances: dict[str, int] = {}
        self._rolls = 0
        self._last_seen = self._last_reply = 0
        self._is_seated = self._is_gone = self._is_closed = False
        self._departing: set[str] = set()
        self._house_bots: set[str] = set()
        self._leave_reason = ""
        self._action_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Join the table and play until the bot has left."""
        await self._command({"command": "join", "cents": self._bot.buy_in_cents})
        async for event in self._connection:
            self._on_event(event)
            if self._is_gone:
                return
            if event.sequence == self._connection.last_sequence:
                await self._act()

    def leave(self) -> None:
        """Leave as soon as possible, without waiting for the next event."""
        self._leave_reason = self._leave_reason or "interrupted"
        task = asyncio.get_running_loop().create_task(self._act())
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved: `play` raises the error of the connection

    # ----------------------------------------------------------------------------------------- receiving

    def _on_event(self, event: TableEvent) -> None:
        self._last_seen = event.sequence
        content = decode_event(event.kind, encode_canonical(dict(event.body)))
        before = self._worth
        apply_postings(self._balances, postings_for_event(content))
        if not isinstance(content, ServiceEvent):
            self._position = apply_event(self._position, content)
        self._update_state(content)
        if self._is_seated:
            self._bot = self._bot.after_event(content)
            if isinstance(content, Rolled):
                self._rolls += 1
                self._print_roll(event, self._worth - before)

    def _update_state(self, content: AnyEvent) -> None:
        me = self._bot.player
        match content:
            case PlayerJoined(player) if player == me:
                self._is_seated = True
            case PlayerLeft(player):
                self._departing.discard(player)
                self._is_gone = self._is_gone or player == me
            case ServiceEvent("bot_added", body):
                self._house_bots.add(body["player"])
            case Rolled():
                self._is_closed = False
            case ServiceEvent("roll_locked", _):
                self._is_closed = True
            case ServiceEvent("departure_requested", body):
                self._departing.add(body["player"])
                if body["player"] == me:
                    self._print("waiting for the bets that must stay up")
            case ServiceEvent("cashed_out", body) if body["player"] == me:
                self._print_result(body["cents"])

    def _print_roll(self, event: TableEvent, won_cents: int) -> None:
        layout_cents = self._balances.get(layout_account(self._bot.player), 0)
        sign = "+" if won_cents > 0 else ""
        self._print(
            f"{self._rolls:>5}  {event.sentences[0]:<40}  {sign + format_money(won_cents, self._currency):>9}"
            f"   rack {format_money(self._rack, self._currency)}, bets {format_money(layout_cents, self._currency)}"
        )

    def _print_result(self, cents: int) -> None:
        won_cents = cents - self._bot.buy_in_cents
        sign = "+" if won_cents > 0 else ""
        won = f"{sign}{format_money(won_cents, self._currency)}"
        self._print(f"left after {self._rolls} rolls with {format_money(cents, self._currency)} ({won})")

    @property
    def _is_departing(self) -> bool:
        return self._bot.player in self._departing

    @property
    def _has_staying_players(self) -> bool:
        away = self._departing | self._house_bots
        return any(seat.player not in away for seat in self._position.seats)

    @property
    def _rack(self) -> int:
        return self._balances.get(rack_account(self._bot.player), 0)

    @property
    def _worth(self) -> int:
        return self._rack + self._balances.get(layout_account(self._bot.player), 0)

    # -------------------------------------------------------------------------------------------- acting

    async def _act(self) -> None:
        """Take the next action, unless the events of the last one have not arrived yet.

        A refused action is not repeated before the next event.
        """
        async with self._action_lock:
            if not self._is_seated or self._is_gone or self._is_closed or self._last_seen < self._last_reply:
                return
            if not self._is_departing and self._should_leave():
                await self._send_leave()
            elif self._is_departing or self._bot.has_decided or not await self._bet():
                await self._handle_dice()

    async def _command(self, command: dict[str, Any]) -> None:
        """Send a command and note the sequence number of its last event."""
        reply = await self._connection.send(**command, retry=True)
        self._last_reply = max(self._last_reply, int(reply["sequence"]))

    async def _send_leave(self) -> None:
        self._print(f"leaving: {self._leave_reason}")
        with suppress(ServerRefusedError):  # bets were just closed: leave after the roll
            await self._command({"command": "leave"})

    def _should_leave(self) -> bool:
        if not self._leave_reason and self._options.rolls is not None and self._rolls >= self._options.rolls:
            self._leave_reason = f"played {self._rolls} rolls"
        with suppress(StrategyError):
            if not self._leave_reason and self._bot.is_broke(self._dealer, self._position, self._rack):
                self._leave_reason = "cannot pay the next bet"
        return bool(self._leave_reason)

    async def _bet(self) -> bool:
        """Send the bets of the bot's decision. Return whether any was accepted."""
        bot = self._bot
        self._bot = replace(bot, has_decided=True)
        try:
            commands = bot.bet_commands(self._dealer, self._position, self._rack)
        except StrategyError as error:
            self._print(f"skips this roll: {error}")
            return False
        for command in prefix_tags(commands, secrets.token_hex(4)):
            try:
                await self._command(command)
            except ServerRefusedError as refusal:
                self._print(f"{command['command']} refused: {refusal.message}")
                break
        return self._last_seen < self._last_reply

    async def _handle_dice(self) -> None:
        for command in self._bot.dice_commands(self._dealer, self._position):
            name = command["command"]
            if self._is_departing and not self._allowed_while_departing(name):
                return
            if name == "roll":
                await asyncio.sleep(self._options.wait_s)
            elif name == "decline_line":
                self._print("makes no line bet: the dice go on, and the come bets are still decided")
            elif name != "accept_dice":
                self._print("passes the dice: it cannot roll without a line bet")
            with suppress(ServerRefusedError):  # the table has moved on; the next event says how
                await self._command(command)

    def _allowed_while_departing(self, name: str) -> bool:
        """Return whether a departing player sends a command. It rolls only if nobody else takes the dice."""
        return name in {"roll", "accept_dice", "decline_line"} or (name == "pass_dice" and self._has_staying_players)


def prefix_tags(commands: list[dict[str, Any]], prefix: str) -> list[dict[str, Any]]:
    """Return commands whose new bets have a prefix in their tags, so that they are unique at the table.

    >>> prefix_tags([{"command": "bet", "spot": "pass", "tag": "1"}, {"command": "bet", "base_tag": "1"}], "me")
    [{'command': 'bet', 'spot': 'pass', 'tag': 'me1'}, {'command': 'bet', 'base_tag': 'me1'}]
    """
    new_tags = {command["tag"] for command in commands if command["command"] == "bet" and "tag" in command}
    return [
        {
            key: prefix + value if key in {"tag", "base_tag"} and value in new_tags else value
            for key, value in command.items()
        }
        for command in commands
    ]


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_UNSUPPORTED_SIGNALS: Final = (
    NotImplementedError,  # asyncio on Windows, which has no signal handlers
    RuntimeError,  # a loop outside the main thread
    ValueError,  # the same, depending on the loop
)
"""Errors of loops without signal handlers. There, Ctrl-C stops the command at once and the bot keeps its seat."""


class _handle_interrupts:  # noqa: N801  reads like a function: with _handle_interrupts(...)
    """Context manager: the first interrupt calls a function, the second one cancels the task."""

    def __init__(self, on_interrupt: Callable[[], None]) -> None:
        self._on_interrupt = on_interrupt
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._count = 0

    def __enter__(self) -> None:
        with suppress(*_UNSUPPORTED_SIGNALS):
            for number in _SIGNALS:
                self._loop.add_signal_handler(number, self._interrupted)

    def __exit__(self, *_: object) -> None:
        with suppress(*_UNSUPPORTED_SIGNALS):
            for number in _SIGNALS:
                self._loop.remove_signal_handler(number)

    def _interrupted(self) -> None:
        self._count += 1
        if self._count == 1:
            self._on_interrupt()
        elif self._task is not None:
            self._task.cancel()
