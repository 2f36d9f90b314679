"""A connection to a table: events in order, each command run once, and seeds managed, across lost connections."""

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

from trueodds.client.async_closeable import AsyncCloseable
from trueodds.client.errors import ClientError, ServerRefusedError
from trueodds.client.seed_manager import SeedManager
from trueodds.client.table_event import TableEvent

Json = dict[str, Any]
MAX_FRAME_BYTES: Final = 1 << 22
MIN_WAIT_S: Final = 0.05
MAX_WAIT_S: Final = 2.0
SEED_RETRY_MS: Final = 500
"""How long to wait before a seed command is sent again, if the server does not say."""
RETRY_CODES: Final = frozenset(
    {"rate_limited", "unavailable", "held_elsewhere", "busy", "stale_epoch", "stale_sequence"}
)
"""Errors that leave the outcome open. The command may be sent again under its id and runs at most once."""


ROLL_COMMANDS: Final = frozenset(
    {
        "bet", "press", "reduce", "take_down", "call", "roll", "accept_dice", "decline_dice", "pass_dice",
        "decline_line", "sit", "stand",
    }
)  # fmt: skip
"""Commands that are meant for one roll. The server refuses them as `stale` once that roll is over."""


class TableConnection(AsyncCloseable):
    """A connection to a table, which reconnects by itself. Commands sent while it is down are sent when it is back.

    A command that reaches the server only after the next roll is not executed: it was meant for that roll.
    """

    def __init__(self, address: str, table: str, seat: str, cookies: str, invitation: str | None = None) -> None:
        self.seeds = SeedManager(table, seat)
        self.last_sequence = 0
        self.connection_count = 0
        self._address = address
        self._query = {} if invitation is None else {"invitation": invitation}
        self._headers = {"Cookie": cookies} if cookies else {}
        self._events: asyncio.Queue[TableEvent | None] = asyncio.Queue()
        self._pending: dict[str, tuple[Json, asyncio.Future[Json]]] = {}
        self._socket: ClientConnection | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._caught_up = asyncio.Event()
        self._was_caught_up = False
        self._error: BaseException | None = None
        self._task = asyncio.get_running_loop().create_task(self._run())

    def __repr__(self) -> str:
        return f"TableConnection({self._address!r}, {self.seeds.table!r}, last_sequence={self.last_sequence})"

    async def send(self, command: str, *, retry: bool = False, **fields: object) -> Json:
        """Send a command and return the reply. Raise `ServerRefusedError` if it is refused.

        With `retry`, a refusal that says when to retry is waited out and the command is sent again, for the roll that
        is next then.
        """
        frame: Json = {"id": uuid4().hex, "command": command, **self._for_next_roll(command), **fields}
        while True:
            reply = await self._send_command(frame)
            if reply["ok"]:
                return reply
            refusal = ServerRefusedError(reply["error"])
            is_open = refusal.code in RETRY_CODES
            if not retry or (refusal.retry_after_ms is None and not is_open):
                raise refusal
            await self._wait_before_retry(refusal)
            if not is_open:
                frame = {**frame, "id": uuid4().hex, **self._for_next_roll(command)}

    def _for_next_roll(self, command: str) -> Json:
        """Return the field that names the next roll, as far as it is known, for a command that is meant for one."""
        is_known = self._was_caught_up and command in ROLL_COMMANDS
        return {"for_roll": self.seeds.next_roll} if is_known else {}

    async def _wait_before_retry(self, refusal: ServerRefusedError) -> None:
        """Wait as long as the server says. While bets are closed, wait only until the roll is finished."""
        wait_s = MAX_WAIT_S if refusal.retry_after_ms is None else refusal.retry_after_ms / 1000
        if refusal.code != "bets_closed":
            await asyncio.sleep(wait_s)
            return
        deadline = asyncio.get_running_loop().time() + wait_s
        await asyncio.sleep(min(wait_s, MIN_WAIT_S))
        while self.seeds.lock is not None and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(MIN_WAIT_S)

    async def wait_caught_up(self) -> None:
        """Wait until all past events were received."""
        waiting = asyncio.ensure_future(self._caught_up.wait())
        await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._raise_error()

    async def __aiter__(self) -> AsyncIterator[TableEvent]:
        """Yield every event in order, from the first one, until the connection is closed. Raise its error, if any."""
        while (event := await self._events.get()) is not None:
            yield event
        self._raise_error()

    async def drop_connection(self) -> None:
        """Drop the network connection, as networks do. It reconnects by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        """Close the connection. The player keeps the seat."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    # ---------------------------------------------------------------------------------------- connection

    async def _run(self) -> None:
        wait_s = MIN_WAIT_S
        try:
            while True:
                before = self.last_sequence
                with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError, TimeoutError):
                    await self._run_connection()
                wait_s = MIN_WAIT_S if self.last_sequence > before else min(MAX_WAIT_S, wait_s * 2)
                await asyncio.sleep(wait_s)
        except ClientError as error:
            self._error = error
        finally:
            self._fail_pending()

    def _fail_pending(self) -> None:
        self._error = self._error or ClientError("the connection is closed")
        for _, reply in self._pending.values():
            if not reply.done():
                reply.set_exception(self._error)
                reply.exception()  # mark it as retrieved: nobody has to wait for the reply
        self._events.put_nowait(None)

    async def _run_connection(self) -> None:
        """Connect after the last known event, send pending commands again, and receive until the connection ends."""
        query = urlencode({"after": self.last_sequence, **self._query})
        url = f"ws{self._address.removeprefix('http')}/api/tables/{self.seeds.table}/ws?{query}"
        try:
            socket = await connect(
                url, origin=Origin(self._address), additional_headers=self._headers, max_size=MAX_FRAME_BYTES,
                compression=None, proxy=None, open_timeout=10, close_timeout=1,
            )  # fmt: skip
        except InvalidStatus as error:
            raise _handshake_error(error) from None
        try:
            self._socket = socket
            self.connection_count += 1
            for frame, _ in list(self._pending.values()):
                await socket.send(json.dumps(frame))
            async for text in socket:
                self._on_frame(_parse_frame(text))
        finally:
            self._socket = None
            self._caught_up.clear()
            await socket.close()

    def _on_frame(self, frame: Json) -> None:
        if "event" in frame:
            self._on_event(frame["event"])
        elif "caught_up" in frame:
            self._caught_up.set()
            self._was_caught_up = True
        elif frame.get("reply_to") in self._pending:
            _, reply = self._pending.pop(frame["reply_to"])
            if not reply.done():
                reply.set_result(frame)
        if self._caught_up.is_set():
            self._send_seed_commands()

    def _on_event(self, data: Json) -> None:
        try:
            event = TableEvent.from_data(data)
        except (KeyError, TypeError) as error:
            raise ClientError(f"Invalid event from the server: {error!r}") from error
        if event.sequence != self.last_sequence + 1:
            raise ClientError(f"expected event {self.last_sequence + 1}, got event {event.sequence}")
        try:
            self.seeds.on_event(event)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ClientError(f"Invalid event {event.sequence} from the server: {error!r}") from error
        self.last_sequence = event.sequence
        self._events.put_nowait(event)

    # ------------------------------------------------------------------------------------------ commands

    async def _send_command(self, frame: Json) -> Json:
        reply = self._start_command(frame)
        try:
            return await reply
        finally:
            self._pending.pop(frame["id"], None)

    def _start_command(self, frame: Json) -> asyncio.Future[Json]:
        """Send a command now, or when the connection is back. Return the future reply."""
        if self._task.done():
            raise self._error or ClientError("the connection is closed")
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[Json] = loop.create_future()
        self._pending[frame["id"]] = (frame, reply)
        if self._socket is not None:
            sending = loop.create_task(self._send_frame(self._socket, frame))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)
        return reply

    @staticmethod
    async def _send_frame(socket: ClientConnection, frame: Json) -> None:
        with suppress(ConnectionClosed):
            await socket.send(json.dumps(frame))

    def _send_seed_commands(self) -> None:
        """Send the commands of the seed manager. If one is refused, the roll has no seed of this seat."""
        while (command := self.seeds.next_command()) is not None:
            self._send_seed_command({"id": uuid4().hex, **command})

    def _send_seed_command(self, frame: Json) -> None:
        """Send a seed command if it is still for the next roll."""
        if not self._task.done() and self.seeds.is_current(frame):
            self._start_command(frame).add_done_callback(partial(self._on_seed_reply, frame))

    def _on_seed_reply(self, frame: Json, done: asyncio.Future[Json]) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        reply = done.result()
        if reply["ok"] and frame["command"] == "commit_seed":
            self.seeds.commitment_accepted(frame["commitment"])
        if not reply["ok"] and reply["error"]["code"] in RETRY_CODES:
            # With the same id and the same seed: the first attempt may have been written after all.
            wait_s = reply["error"].get("retry_after_ms", SEED_RETRY_MS) / 1000
            asyncio.get_running_loop().call_later(wait_s, self._send_seed_command, frame)

    def _raise_error(self) -> None:
        """Raise the error that ended the connection, unless `close` ended it."""
        if self._task.done() and self._error is not None and not self._task.cancelled():
            raise self._error


def _parse_frame(text: str | bytes) -> Json:
    try:
        frame = json.loads(text)
    except ValueError:
        frame = None
    if not isinstance(frame, dict):
        raise ClientError(f"Invalid frame from the server: {text[:60]!r}")
    return frame


def _handshake_error(error: InvalidStatus) -> Exception:
    """Return a connection error for a temporary failure, or the refusal of the server."""
    status = error.response.status_code
    try:
        data = json.loads(error.response.body or b"")["error"]
    except (ValueError, KeyError, TypeError):
        data = {"code": "unknown", "message": f"The server replied with status {status}"}
    return ConnectionError() if status == 429 or status >= 500 else ServerRefusedError(data, status)
