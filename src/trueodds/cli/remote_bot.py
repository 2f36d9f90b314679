"""A visitor: a bot at a table of a server, which knows of the table what every player is told."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from trueodds.client import Client, ClientError, Event, RefusedError, Session
from trueodds.journal import Content, Record
from trueodds.journal.encoding import write_json
from trueodds.journal.ledger import layout, post_all, postings, rack
from trueodds.journal.row import read_content
from trueodds.money import money
from trueodds.rulebook import House, book_ids, load_book
from trueodds.service.bot import Bot
from trueodds.service.tryout import try_out
from trueodds.strategy import Strategy, StrategyError
from trueodds.table import Dealer, Joined, Left, Position, Rolled, fold
from trueodds.wagers import Rules

Say = Callable[[str], None]
Json = Mapping[str, Any]


class Visit(NamedTuple):
    """What was asked for: where to play what, and for how long."""

    url: str
    strategy: Strategy
    table: str | None = None
    book: str | None = None
    name: str | None = None
    buy_in_cents: int = 50_000
    rolls: int | None = None
    invitation: str | None = None
    wait_s: float = 1.0


async def visit(wanted: Visit, say: Say) -> None:
    """Come in, sit down, play, leave. An interrupt leaves; another one does not wait for that."""
    async with Client(wanted.url) as client:
        name = wanted.name or f"{wanted.strategy.name} {secrets.token_hex(2)}"[-40:].strip()
        me = str((await client.guest(name))["id"])
        invitation, table = wanted.invitation, wanted.table
        if table is None:
            book = wanted.book or max(book_ids(), key=lambda one: len(load_book(one).wagers))
            opened = await client.create_table(book)
            table = str(opened["id"])
        house = house_of(await client.look(table, invitation))
        try_out(wanted.strategy, house)
        say(f"{name} plays {wanted.strategy.name} at table {table}, {house.name}")
        async with await client.join(table, invitation) as session:
            visitor = Visitor(session, Bot.new(wanted.strategy, me, wanted.buy_in_cents), house, wanted, say)
            with _interrupts(visitor.leave_soon):
                await visitor.play()


def house_of(look: Json) -> House:
    """Make the house of a table again from what the server says of it."""
    told = look["house"]
    house = House(
        load_book(look["book"]["id"]), told["options"], name=told["name"], currency=look["currency"],
        plain_options=True,
    )  # fmt: skip
    if house.digest != told["digest"]:
        raise ClientError(f"the server plays by another edition of {house.book.title} than this one")
    return house


class Visitor:
    """One bot in one session. Position and chips are the fold of the events that everybody is sent."""

    def __init__(self, session: Session, bot: Bot, house: House, wanted: Visit, say: Say) -> None:
        self._session = session
        self._bot = bot
        self._currency = house.currency
        self._dealer = Dealer(Rules(house))
        self._wanted = wanted
        self._say = say
        self._position = Position()
        self._balances: dict[str, int] = {}
        self._rolls = 0
        self._heard = self._granted = 0
        self._is_seated = self._is_gone = self._is_closed = False
        self._leaving: set[str] = set()
        self._hired: set[str] = set()
        self._wants_to_leave = ""
        self._acting = asyncio.Lock()
        self._soon: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Sit down and play until it is over."""
        await self._wish({"wish": "sit", "cents": self._bot.buy_in_cents})
        async for event in self._session:
            self._hear(event)
            if self._is_gone:
                return
            if event.number == self._session.last:
                await self._act()

    def leave_soon(self) -> None:
        """Leave as soon as that can be asked for, whether anything happens at the table or not."""
        self._wants_to_leave = self._wants_to_leave or "interrupted"
        task = asyncio.get_running_loop().create_task(self._act())
        self._soon.add(task)
        task.add_done_callback(self._is_done)

    def _is_done(self, task: asyncio.Task[None]) -> None:
        self._soon.discard(task)
        if not task.cancelled():
            task.exception()  # what ends the session is told to whoever plays

    # ----------------------------------------------------------------------------------------- listening

    def _hear(self, event: Event) -> None:
        self._heard = event.number
        content = read_content(event.kind, write_json(dict(event.body)))
        before = self._worth
        post_all(self._balances, postings(content))
        if not isinstance(content, Record):
            self._position = fold(self._position, content)
        self._take_in(content)
        if self._is_seated:
            self._bot = self._bot.after(content)
            if isinstance(content, Rolled):
                self._rolls += 1
                self._tell(event, self._worth - before)

    def _take_in(self, content: Content) -> None:
        me = self._bot.player
        match content:
            case Joined(player) if player == me:
                self._is_seated = True
            case Left(player):
                self._leaving.discard(player)
                self._is_gone = self._is_gone or player == me
            case Record("hired", body):
                self._hired.add(body["player"])
            case Rolled():
                self._is_closed = False
            case Record("locked", _):
                self._is_closed = True
            case Record("went", body) if body.get("leaving"):
                self._leaving.add(body["player"])
                if body["player"] == me:
                    self._say("what must stay up is played out")
            case Record("cashed_out", body) if body["player"] == me:
                self._sum_up(body["cents"])

    def _tell(self, event: Event, won: int) -> None:
        up = self._balances.get(layout(self._bot.player), 0)
        sign = "+" if won > 0 else ""
        self._say(
            f"{self._rolls:>5}  {event.sentences[0]:<40}  {sign + money(won, self._currency):>9}"
            f"   rack {money(self._rack, self._currency)}, up {money(up, self._currency)}"
        )

    def _sum_up(self, cents: int) -> None:
        made = cents - self._bot.buy_in_cents
        sign = "+" if made > 0 else ""
        self._say(
            f"left after {self._rolls} throws with {money(cents, self._currency)} ({sign}{money(made, self._currency)})"
        )

    @property
    def _is_leaving(self) -> bool:
        return self._bot.player in self._leaving

    @property
    def _somebody_stays(self) -> bool:
        away = self._leaving | self._hired
        return any(seat.player not in away for seat in self._position.seats)

    @property
    def _rack(self) -> int:
        return self._balances.get(rack(self._bot.player), 0)

    @property
    def _worth(self) -> int:
        return self._rack + self._balances.get(layout(self._bot.player), 0)

    # -------------------------------------------------------------------------------------------- acting

    async def _act(self) -> None:
        """Do one thing that is to be done now, and hear of it before the next.

        What is refused is not asked again before something happens.
        """
        async with self._acting:
            if not self._is_seated or self._is_gone or self._is_closed or self._heard < self._granted:
                return
            if not self._is_leaving and self._is_over():
                await self._leave()
            elif self._is_leaving or self._bot.is_done or not await self._bet():
                await self._handle_dice()

    async def _wish(self, wish: dict[str, Any]) -> None:
        """Wish, and know from the answer what will be heard of it."""
        answer = await self._session.wish(**wish, patient=True)
        self._granted = max(self._granted, int(answer["sequence"]))

    async def _leave(self) -> None:
        self._say(f"leaving: {self._wants_to_leave}")
        with suppress(RefusedError):  # bets were closed just now: after the throw, then
            await self._wish({"wish": "leave"})

    def _is_over(self) -> bool:
        if not self._wants_to_leave and self._wanted.rolls is not None and self._rolls >= self._wanted.rolls:
            self._wants_to_leave = f"{self._rolls} throws are over"
        with suppress(StrategyError):
            if not self._wants_to_leave and self._bot.is_broke(self._dealer, self._position, self._rack):
                self._wants_to_leave = "the next bet cannot be paid"
        return bool(self._wants_to_leave)

    async def _bet(self) -> bool:
        """Make the bot's decision; says whether anything came of it."""
        bot = self._bot
        self._bot = replace(bot, is_done=True)
        try:
            wishes = bot.wishes(self._dealer, self._position, self._rack)
        except StrategyError as refused:
            self._say(f"sits this one out: {refused}")
            return False
        for wish in with_own_tags(wishes, secrets.token_hex(4)):
            try:
                await self._wish(wish)
            except RefusedError as no:
                self._say(f"{wish['wish']} is refused: {no.sentence}")
                break
        return self._heard < self._granted

    async def _handle_dice(self) -> None:
        for wish in self._bot.dice_wishes(self._dealer, self._position):
            if self._is_leaving and not self._may_ask_leaving(wish["wish"]):
                return
            if wish["wish"] == "roll":
                await asyncio.sleep(self._wanted.wait_s)
            elif wish["wish"] == "decline_line":
                self._say("makes no line bet: who will may throw, and the come bets are decided anyway")
            elif wish["wish"] != "accept_dice":
                self._say("gives the dice on: it could not throw them")
            with suppress(RefusedError):  # the table went on in the meantime, and says so
                await self._wish(wish)

    def _may_ask_leaving(self, wish: str) -> bool:
        """Tell whether one who leaves asks for something: the table has dice thrown that nobody else would take."""
        return wish in {"roll", "accept_dice", "decline_line"} or (wish == "pass_dice" and self._somebody_stays)


def with_own_tags(wishes: list[dict[str, Any]], prefix: str) -> list[dict[str, Any]]:
    """Name new bets so that nobody else's can have the name first.

    >>> with_own_tags([{"wish": "bet", "spot": "pass", "cents": 5, "tag": "1"}, {"wish": "bet", "on": "1"}], "me")
    [{'wish': 'bet', 'spot': 'pass', 'cents': 5, 'tag': 'me1'}, {'wish': 'bet', 'on': 'me1'}]
    """
    mine = {wish["tag"] for wish in wishes if wish["wish"] == "bet" and "tag" in wish}
    return [
        {key: prefix + value if key in {"tag", "on"} and value in mine else value for key, value in wish.items()}
        for wish in wishes
    ]


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_NO_SIGNALS: Final = (
    NotImplementedError,  # what asyncio's loop raises on Windows, which has no handlers of signals
    RuntimeError,  # and any loop outside the main thread, this
    ValueError,  # or this
)
"""What a loop raises that takes no signals. There Ctrl-C ends the command at once, which says that the seat stays."""


class _interrupts:  # noqa: N801  used as a word: with _interrupts(...)
    """While it lasts, the first interrupt is told; the next one ends the task."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._count = 0

    def __enter__(self) -> None:
        with suppress(*_NO_SIGNALS):
            for number in _SIGNALS:
                self._loop.add_signal_handler(number, self._interrupted)

    def __exit__(self, *_: object) -> None:
        with suppress(*_NO_SIGNALS):
            for number in _SIGNALS:
                self._loop.remove_signal_handler(number)

    def _interrupted(self) -> None:
        self._count += 1
        if self._count == 1:
            self._tell()
        elif self._task is not None:
            self._task.cancel()
