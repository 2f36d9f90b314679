"""The socket of a table: numbered events from the last one seen, and wishes as frames."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from trueodds.journal import Person, Row, UnavailableError
from trueodds.journal.encoding import is_name
from trueodds.server.desk import Desk, kept
from trueodds.server.errors import ApiError, error_response
from trueodds.server.feed import Feed
from trueodds.server.logs import note
from trueodds.server.origin import is_own
from trueodds.server.reading import read_json
from trueodds.server.relay import Relay, relay_here
from trueodds.server.tables import ask
from trueodds.server.view import View, see_table
from trueodds.server.wire import Frame, wire_of
from trueodds.service.errors import ServiceRefused
from trueodds.service.look import Look

router = APIRouter(prefix="/api/tables")

PAGE: Final = 200
CAUGHT_UP: Final = Frame.of('{"caught_up": true}')
CLOSE_CODES: Final = {"slow": 4008, "again": 1012, "too_much": 1009, "gone": 1000}
"""How a socket ends: the client was too slow, should come again, said too much at once, or went."""

HASTE_S: Final = 1.0
"""The longest that a client who asks too often is not read."""

NOT_NOW: Final = (ServiceRefused, ApiError, UnavailableError)
"""What the client is sent away with, to come again."""


@router.websocket("/{table_id}/ws")
async def watch_table(socket: WebSocket, table_id: str) -> None:
    """Tell of a table from `after` on, and take wishes."""
    desk: Desk = socket.app.state.desk
    client = desk.client_of(socket)
    # Counted before anything is waited for: many that come at once are no more than many in a row.
    desk.sockets[client] = desk.sockets.get(client, 0) + 1
    desk.metrics.sockets.inc()
    try:
        try:
            after = await _admit(desk, socket, table_id, client)
        except ApiError as error:
            await socket.send_denial_response(error_response(error.status, error.body))
            return
        await socket.accept()
        why = await _Conversation(desk, socket, table_id, after, client).run()
        note("socket_closed", why=why)
    finally:
        desk.metrics.sockets.dec()
        desk.sockets[client] -= 1
        if not desk.sockets[client]:
            del desk.sockets[client]


async def _admit(desk: Desk, socket: WebSocket, table_id: str, client: str) -> int:
    """Check everything that can be checked before a socket is accepted."""
    if not is_own(desk.settings, socket.headers):
        raise ApiError(403, "origin", "a socket is opened from this server's own pages only")
    desk.take_request(client)
    if desk.sockets[client] > desk.settings.sockets_each:
        raise ApiError(429, "too_many_sockets", "close another socket first")
    after = socket.query_params.get("after", "0")
    if not after.isdecimal() or not after.isascii() or len(after) > 15:
        raise ApiError(422, "malformed", "after: the number of the last event seen, or 0", where="after")

    def let_in() -> None:
        person = desk.person(socket)
        desk.doors.let_in(table_id, socket.query_params.get("invitation"), person.person_id if person else None)

    try:
        await run_in_threadpool(let_in)
    except UnavailableError:
        raise ApiError(503, "unavailable", "the database does not answer", wait_ms=1000) from None
    return int(after)


def _stop(watching: Future[Callable[[], None]]) -> None:
    """End a watching that began too late."""
    if watching.exception() is None:
        watching.result()()


class _Conversation:
    """One socket that was accepted."""

    def __init__(self, desk: Desk, socket: WebSocket, table_id: str, after: int, client: str) -> None:
        self._desk = desk
        self._client = client
        self._socket = socket
        self._table_id = table_id
        self._last = after
        self._views = socket.query_params.get("view") == "1"
        self._feed = Feed(desk.settings.feed_rows)
        self._wire = wire_of(socket.scope)

    async def run(self) -> str:
        """Talk until one side ends it; says why it ended."""
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(work()) for work in (self._tell, self._listen, self._feed.over.wait)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, (WebSocketDisconnect, *NOT_NOW)):
                raise result
        why = self._feed.why or ("again" if any(isinstance(one, NOT_NOW) for one in results) else "gone")
        if why != "gone":
            self._desk.metrics.dropped.labels(why).inc()
            with suppress(Exception):
                # Whoever does not read will not read this either, and is not waited for.
                await asyncio.wait_for(self._socket.close(CLOSE_CODES[why], why), 1)
        return why

    # ------------------------------------------------------------------------------------------- telling

    async def _tell(self) -> None:
        """Send what is there already, page by page, and then what comes."""
        while page := await run_in_threadpool(self._desk.journal.rows, self._table_id, self._last, PAGE):
            await self._send_rows(page)
        watcher = self._watcher(relay_here())
        watching = self._desk.floor.watch(self._table_id, watcher, self._last, self._desk.id_of(self._socket))
        try:
            stop = await kept(watching)
        except BaseException:
            # The client went, or would not wait, before the floor began to tell: it must not go on telling nobody.
            watching.add_done_callback(_stop)
            raise
        try:
            self._feed.put((CAUGHT_UP,))
            while True:
                await self._send(await self._feed.take())
                await self._send_view()
        finally:
            stop()

    def _watcher(self, relay: Relay) -> Callable[[tuple[Row, ...]], None]:
        """Make what the writing thread calls; it never waits."""

        def hear(rows: tuple[Row, ...]) -> None:
            if rows:
                relay.call(self._hear, rows)
            else:
                relay.call(self._feed.end, "again")

        return hear

    def _hear(self, rows: tuple[Row, ...]) -> None:
        """Take in what the floor tells: send it at once where nothing waits before it, or let it wait its turn."""
        is_next = self._goes_past and rows[0].sequence > self._last
        octets = self._desk.frames.joined(rows) if is_next else None
        if octets is not None and self._write(octets):
            self._count(rows)
        else:
            self._feed.put(rows)

    def _reply(self, answer: dict[str, Any]) -> None:
        """Send an answer, after everything that waits."""
        frame = Frame.of(json.dumps(answer))
        if not self._goes_past or not self._write(frame.octets):
            self._feed.put((frame,))

    @property
    def _goes_past(self) -> bool:
        """Whether nothing waits to be sent, and nothing has to follow: a page is shown a view after everything."""
        return self._feed.is_idle and not self._views

    def _write(self, octets: bytes) -> bool:
        """Write frames, if the client takes them without being waited for."""
        return self._wire is not None and self._wire.write_frames(octets)

    async def _send(self, items: Iterable[Row | Frame]) -> None:
        rows: list[Row] = []
        for item in items:
            if isinstance(item, Row):
                rows.append(item)
                continue
            await self._send_rows(rows)
            rows = []
            await self._send_frames([item])
        await self._send_rows(rows)

    async def _send_rows(self, rows: Iterable[Row]) -> None:
        new = [row for row in rows if row.sequence > self._last]
        if not new:
            return
        frames = self._desk.frames.known(new)
        await self._send_frames(await run_in_threadpool(self._desk.frames.write, new) if frames is None else frames)
        self._count(new)

    async def _send_view(self) -> None:
        """Show a page how things stand, once nothing more is to be told; what came meanwhile is shown with it."""
        if not self._views or self._feed.waits:
            return
        seen = await kept(self._desk.floor.look(self._table_id))
        view = await run_in_threadpool(self._draw, seen)
        await self._send_frames([Frame.of(json.dumps({"view": view}, separators=(",", ":")))])

    def _draw(self, seen: Look) -> View:
        person = self._desk.person(self._socket)
        return see_table(self._desk, seen, person.person_id if person else None)

    def _count(self, rows: Sequence[Row]) -> None:
        self._desk.metrics.rows.inc(len(rows))
        self._last = rows[-1].sequence

    async def _send_frames(self, frames: Iterable[Frame]) -> None:
        """Send frames; one that takes too long ends it."""
        loop, send_s = asyncio.get_running_loop(), self._desk.settings.send_s
        began_s = loop.time()
        try:
            async with asyncio.timeout(send_s) as limit:
                for frame in frames:
                    if not self._write(frame.octets):
                        await self._socket.send_text(frame.text)
                    if (now_s := loop.time()) > began_s + send_s / 10:
                        began_s = now_s
                        limit.reschedule(now_s + send_s)
        except TimeoutError:
            self._feed.end("slow")
        except RuntimeError:
            # The server below has closed the socket by itself: no answer to a ping, or a frame that is none.
            raise WebSocketDisconnect(1006) from None

    # ----------------------------------------------------------------------------------------- listening

    async def _listen(self) -> None:
        """Take wishes one after the other, and answer each."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace")
            if len(text.encode()) > self._desk.settings.body_bytes:
                self._feed.end("too_much")
                return
            answer = await self._answer(text)
            self._reply(answer)
            if (error := answer.get("error")) and error["code"] == "too_often":
                # Whoever does not wait is not read, so that asking on costs nobody else anything.
                await asyncio.sleep(min(error["wait_ms"] / 1000, HASTE_S))

    async def _answer(self, text: str) -> dict[str, Any]:
        named: dict[str, Any] = {}
        try:
            try:
                given = read_json(text)
                if isinstance(given, dict) and is_name(given.get("id")):
                    named = {"answer": given["id"]}
            finally:
                self._desk.take_wish(self._client)
            if not isinstance(given, dict):
                raise ApiError(422, "malformed", "a frame is an object with an id and a wish")
            return named | await ask(self._desk, self._table_id, await self._asker(), given)
        except ApiError as error:
            return {**named, "ok": False, "error": error.body}

    async def _asker(self) -> Person:
        """Say who wishes; looked up again and again, so that a deleted account ends here, too."""
        person = self._desk.seen(self._socket) or await run_in_threadpool(self._desk.person, self._socket)
        if person is None:
            raise ApiError(401, "nobody", "come in as a guest or log in first")
        return person
