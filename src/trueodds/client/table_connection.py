"""A session at a table: events in order, wishes answered once, seeds kept, through any number of lost connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Origin

from trueodds.client.closing import Closing
from trueodds.client.errors import ClientError, RefusedError
from trueodds.client.event import Event
from trueodds.client.keeper import Keeper

Json = dict[str, Any]
FRAME_BYTES: Final = 1 << 22
WAIT_LEAST_S: Final = 0.05
WAIT_MOST_S: Final = 2.0
KEEP_AGAIN_MS: Final = 500
"""After how long a seed that was not taken is given again, where the server does not say when."""
AGAIN: Final = frozenset({"too_often", "unavailable", "elsewhere", "busy", "stale_epoch", "stale_head"})
"""What is no answer for good: the wish may be asked again under its id, and is done once whatever became of it."""


class Session(Closing):
    """Begins when it is made. What is wished for while the connection is away is asked when it is back, once."""

    def __init__(self, address: str, table: str, seat: str, cookies: str, invitation: str | None = None) -> None:
        self.keeper = Keeper(table, seat)
        self.last = 0
        self.connections = 0
        self._address = address
        self._query = {} if invitation is None else {"invitation": invitation}
        self._headers = {"Cookie": cookies} if cookies else {}
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._asked: dict[str, tuple[Json, asyncio.Future[Json]]] = {}
        self._socket: ClientConnection | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._caught_up = asyncio.Event()
        self._fault: BaseException | None = None
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def wish(self, wish: str, *, patient: bool = False, **more: Any) -> Json:
        """Wish for something; raises `RefusedError`. Patient, it waits where the table says how long and asks again."""
        frame = {"id": uuid4().hex, "wish": wish, **more}
        while True:
            answer = await self._ask(frame)
            if answer["ok"]:
                return answer
            refused = RefusedError(answer["error"])
            is_open = refused.code in AGAIN
            if not patient or (refused.wait_ms is None and not is_open):
                raise refused
            await self._wait_out(refused)
            if not is_open:
                frame["id"] = uuid4().hex

    async def _wait_out(self, refused: RefusedError) -> None:
        """Wait as long as the table says; where bets are closed, no longer than until the dice lie."""
        wait_s = WAIT_MOST_S if refused.wait_ms is None else refused.wait_ms / 1000
        if refused.code != "closed":
            await asyncio.sleep(wait_s)
            return
        until = asyncio.get_running_loop().time() + wait_s
        await asyncio.sleep(min(wait_s, WAIT_LEAST_S))
        while self.keeper.lock is not None and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(WAIT_LEAST_S)

    async def caught_up(self) -> None:
        """Wait until everything is known that had happened."""
        waiting = asyncio.ensure_future(self._caught_up.wait())
        await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._raise_fault()

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Give every event in order, from the first; ends when the session is closed, or raises what ended it."""
        while (event := await self._events.get()) is not None:
            yield event
        self._raise_fault()

    async def drop(self) -> None:
        """Lose the connection, as networks do; the session comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        """End the session; the seat stays."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    # ------------------------------------------------------------------------------------ the connection

    async def _run(self) -> None:
        wait_s = WAIT_LEAST_S
        try:
            while True:
                before = self.last
                with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError, TimeoutError):
                    await self._talk()
                wait_s = WAIT_LEAST_S if self.last > before else min(WAIT_MOST_S, wait_s * 2)
                await asyncio.sleep(wait_s)
        except ClientError as error:
            self._fault = error
        finally:
            self._end()

    def _end(self) -> None:
        self._fault = self._fault or ClientError("the session is closed")
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(self._fault)
                answer.exception()  # whoever waits is told; nobody has to
        self._events.put_nowait(None)

    async def _talk(self) -> None:
        """Connect from the last event seen, ask again what is not answered, and listen until the connection ends."""
        query = urlencode({"after": self.last, **self._query})
        where = f"ws{self._address.removeprefix('http')}/api/tables/{self.keeper.table}/ws?{query}"
        try:
            socket = await connect(
                where, origin=Origin(self._address), additional_headers=self._headers, max_size=FRAME_BYTES,
                compression=None, proxy=None, open_timeout=10, close_timeout=1,
            )  # fmt: skip
        except InvalidStatus as no:
            raise _refusal(no) from None
        try:
            self._socket = socket
            self.connections += 1
            for frame, _ in list(self._asked.values()):
                await socket.send(json.dumps(frame))
            async for text in socket:
                self._hear(_read(text))
        finally:
            self._socket = None
            self._caught_up.clear()
            await socket.close()

    def _hear(self, frame: Json) -> None:
        if "event" in frame:
            try:
                event = Event.of(frame["event"])
            except (KeyError, TypeError) as error:
                raise ClientError(f"an event came that is none: {error!r}") from error
            if event.number != self.last + 1:
                raise ClientError(f"event {event.number} came after {self.last}")
            try:
                self.keeper.hear(event)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ClientError(f"event {event.number} cannot be read: {error!r}") from error
            self.last = event.number
            self._events.put_nowait(event)
        elif "caught_up" in frame:
            self._caught_up.set()
        elif frame.get("answer") in self._asked:
            _, answer = self._asked.pop(frame["answer"])
            if not answer.done():
                answer.set_result(frame)
        if self._caught_up.is_set():
            self._keep_seeds()

    # ------------------------------------------------------------------------------------------- wishing

    async def _ask(self, frame: Json) -> Json:
        answer = self._begin(frame)
        try:
            return await answer
        finally:
            self._asked.pop(frame["id"], None)

    def _begin(self, frame: Json) -> asyncio.Future[Json]:
        """Send a wish, now or when the connection is back."""
        if self._task.done():
            raise self._fault or ClientError("the session is closed")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Json] = loop.create_future()
        self._asked[frame["id"]] = (frame, answer)
        if self._socket is not None:
            sending = loop.create_task(self._send(self._socket, frame))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)
        return answer

    @staticmethod
    async def _send(socket: ClientConnection, frame: Json) -> None:
        with suppress(ConnectionClosed):
            await socket.send(json.dumps(frame))

    def _keep_seeds(self) -> None:
        """Promise and show seeds as the keeper says; a no means a roll without this seat's seed."""
        while (due := self.keeper.due()) is not None:
            self._keep({"id": uuid4().hex, **due})

    def _keep(self, frame: Json) -> None:
        """Ask for a seed to be taken, as long as it is the one for the roll that comes."""
        if not self._task.done() and self.keeper.is_for_now(frame):
            self._begin(frame).add_done_callback(partial(self._kept, frame))

    def _kept(self, frame: Json, done: asyncio.Future[Json]) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        answer = done.result()
        if answer["ok"] and frame["wish"] == "commit":
            self.keeper.granted(frame["commitment"])
        if not answer["ok"] and answer["error"]["code"] in AGAIN:
            # Under the same id and with the same seed: the first may have been written after all.
            wait_s = answer["error"].get("wait_ms", KEEP_AGAIN_MS) / 1000
            asyncio.get_running_loop().call_later(wait_s, self._keep, frame)

    def _raise_fault(self) -> None:
        """Say what ended the session, unless it was closed."""
        if self._task.done() and self._fault is not None and not self._task.cancelled():
            raise self._fault


def _read(text: str | bytes) -> Json:
    try:
        frame = json.loads(text)
    except ValueError:
        frame = None
    if not isinstance(frame, dict):
        raise ClientError(f"the server sent what is no frame: {text[:60]!r}")
    return frame


def _refusal(no: InvalidStatus) -> Exception:
    """Tell a no that stays from one that passes."""
    status = no.response.status_code
    try:
        error = json.loads(no.response.body or b"")["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "unknown", "sentence": f"the server answers {status}"}
    return ConnectionError() if status == 429 or status >= 500 else RefusedError(error, status)
