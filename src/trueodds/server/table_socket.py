"""The WebSocket of a table: it sends events in order and receives commands."""

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

from trueodds.journal import DatabaseUnavailableError, Person, StoredEvent
from trueodds.journal.canonical_json import is_valid_id
from trueodds.server.app_state import AppState
from trueodds.server.dependencies import not_logged_in
from trueodds.server.errors import ApiError, error_response
from trueodds.server.frames import Frame, frame_writer
from trueodds.server.json_input import parse_json
from trueodds.server.json_logs import log_event
from trueodds.server.live_view import live_view
from trueodds.server.loop_bridge import LoopBridge, current_loop_bridge, wait_for_result
from trueodds.server.origin_check import is_same_origin
from trueodds.server.outbox import Outbox
from trueodds.server.table_routes import run_command
from trueodds.server.table_snapshot import View
from trueodds.service.errors import CommandRefused
from trueodds.service.table_status import TableStatus

router = APIRouter(prefix="/api/tables")

PAGE_SIZE: Final = 200
CAUGHT_UP: Final = Frame.from_text('{"caught_up": true}')
CLOSE_CODES: Final = {"too_slow": 4008, "reconnect": 1012, "too_large": 1009, "closed": 1000}
"""Close codes: the client was too slow, should reconnect, sent too large a frame, or closed the socket itself."""

MAX_BACKOFF_S: Final = 1.0
"""The longest pause before the next frame of a client above its rate limit is read."""

RETRY_ERRORS: Final = (CommandRefused, ApiError, DatabaseUnavailableError)
"""Errors after which the client should reconnect."""


@router.websocket("/{table_id}/ws")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Send the events of a table after `after`, and receive commands."""
    state: AppState = socket.app.state.app_state
    client = state.client_key(socket)
    # Counted before the first await, so that sockets opened at the same time are all counted.
    state.socket_counts[client] = state.socket_counts.get(client, 0) + 1
    state.metrics.sockets.inc()
    try:
        try:
            after = await _check_admission(state, socket, table_id, client)
        except ApiError as error:
            await socket.send_denial_response(error_response(error.status, error.body))
            return
        await socket.accept()
        reason = await _TableSocket(state, socket, table_id, after, client).run()
        log_event("socket_closed", reason=reason)
    finally:
        state.metrics.sockets.dec()
        state.socket_counts[client] -= 1
        if not state.socket_counts[client]:
            del state.socket_counts[client]


async def _check_admission(state: AppState, socket: WebSocket, table_id: str, client: str) -> int:
    """Check everything before the socket is accepted. Return the sequence number to continue after."""
    if not is_same_origin(state.settings, socket.headers):
        raise ApiError(403, "wrong_origin", "A socket must be opened from the server's own pages")
    state.check_request_rate(client)
    if state.socket_counts[client] > state.settings.sockets_per_client:
        raise ApiError(429, "too_many_sockets", "Too many sockets: close another one first")
    after = socket.query_params.get("after", "0")
    if not after.isdecimal() or not after.isascii() or len(after) > 15:
        message = f"after: must be the sequence number of the last known event, or 0, got {after[:20]!r}"
        raise ApiError(422, "invalid_request", message, field="after")

    def check_access() -> None:
        person = state.find_person(socket)
        person_id = person.person_id if person else None
        state.table_access.check_access(table_id, socket.query_params.get("invitation"), person_id)

    try:
        await run_in_threadpool(check_access)
    except DatabaseUnavailableError:
        raise ApiError(503, "unavailable", "The database is not available", retry_after_ms=1000) from None
    return int(after)


def _stop_watching(watching: Future[Callable[[], None]]) -> None:
    """Stop a watch that started after its socket was closed."""
    if watching.exception() is None:
        watching.result()()


class _TableSocket:
    """An accepted socket."""

    def __init__(self, state: AppState, socket: WebSocket, table_id: str, after: int, client: str) -> None:
        self._state = state
        self._client = client
        self._socket = socket
        self._table_id = table_id
        self._last = after
        self._sends_views = socket.query_params.get("view") == "1"
        self._outbox = Outbox(state.settings.outbox_events)
        self._frame_writer = frame_writer(socket.scope)

    async def run(self) -> str:
        """Run until one side closes the socket, and return the reason."""
        loop = asyncio.get_running_loop()
        coroutines = (self._send_events(), self._receive_commands(), self._outbox.closed.wait())
        tasks: list[asyncio.Task[Any]] = [loop.create_task(coroutine) for coroutine in coroutines]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, (WebSocketDisconnect, *RETRY_ERRORS)):
                raise result
        should_retry = any(isinstance(result, RETRY_ERRORS) for result in results)
        reason = self._outbox.close_reason or ("reconnect" if should_retry else "closed")
        if reason != "closed":
            self._state.metrics.sockets_dropped.labels(reason).inc()
            with suppress(Exception):
                # A client that does not read will not read this either, so the wait is short.
                await asyncio.wait_for(self._socket.close(CLOSE_CODES[reason], reason), 1)
        return reason

    # ------------------------------------------------------------------------------------------- sending

    async def _send_events(self) -> None:
        """Send past events page by page, then new ones as they happen."""
        while page := await run_in_threadpool(self._state.journal.events, self._table_id, self._last, PAGE_SIZE):
            await self._send_event_list(page)
        callback = self._event_callback(current_loop_bridge())
        viewer = self._state.cookie_person_id(self._socket)
        watching = self._state.table_manager.watch(self._table_id, callback, self._last, viewer)
        try:
            stop = await wait_for_result(watching)
        except BaseException:
            # The socket was closed, or the wait timed out, before the watch started: end it when it does.
            watching.add_done_callback(_stop_watching)
            raise
        try:
            self._outbox.put((CAUGHT_UP,))
            while True:
                await self._send_items(await self._outbox.take_all())
                await self._send_view()
        finally:
            stop()

    def _event_callback(self, bridge: LoopBridge) -> Callable[[tuple[StoredEvent, ...]], None]:
        """Return the callback for the writer thread. It never blocks."""

        def on_events(events: tuple[StoredEvent, ...]) -> None:
            if events:
                bridge.call_soon(self._on_events, events)
            else:
                bridge.call_soon(self._outbox.close, "reconnect")

        return on_events

    def _on_events(self, events: tuple[StoredEvent, ...]) -> None:
        """Write new events directly if nothing is queued, or else queue them."""
        is_next = self._can_write_directly and events[0].sequence > self._last
        data = self._state.event_frames.cached_bytes(events) if is_next else None
        if data is not None and self._write_now(data):
            self._mark_sent(events)
        else:
            self._outbox.put(events)

    def _send_reply(self, reply: dict[str, Any]) -> None:
        """Send a reply after everything that is queued."""
        frame = Frame.from_text(json.dumps(reply))
        if not self._can_write_directly or not self._write_now(frame.data):
            self._outbox.put((frame,))

    @property
    def _can_write_directly(self) -> bool:
        """Whether nothing is queued and no view has to follow."""
        return self._outbox.is_idle and not self._sends_views

    def _write_now(self, data: bytes) -> bool:
        """Write frames if the client accepts them without waiting. Return whether they were written."""
        return self._frame_writer is not None and self._frame_writer.write_frames(data)

    async def _send_items(self, items: Iterable[StoredEvent | Frame]) -> None:
        events: list[StoredEvent] = []
        for item in items:
            if isinstance(item, StoredEvent):
                events.append(item)
                continue
            await self._send_event_list(events)
            events = []
            await self._send_frames([item])
        await self._send_event_list(events)

    async def _send_event_list(self, events: Iterable[StoredEvent]) -> None:
        new_events = [event for event in events if event.sequence > self._last]
        if not new_events:
            return
        frames = self._state.event_frames.cached(new_events)
        if frames is None:
            frames = await run_in_threadpool(self._state.event_frames.encode, new_events)
        await self._send_frames(frames)
        self._mark_sent(new_events)

    async def _send_view(self) -> None:
        """Send a live view once nothing is queued. It covers all events up to then."""
        if not self._sends_views or self._outbox.has_items:
            return
        status = await wait_for_result(self._state.table_manager.table_status(self._table_id))
        view = await run_in_threadpool(self._build_view, status)
        await self._send_frames([Frame.from_text(json.dumps({"view": view}, separators=(",", ":")))])

    def _build_view(self, status: TableStatus) -> View:
        person = self._state.find_person(self._socket)
        return live_view(self._state, status, person.person_id if person else None)

    def _mark_sent(self, events: Sequence[StoredEvent]) -> None:
        self._state.metrics.events_sent.inc(len(events))
        self._last = events[-1].sequence

    async def _send_frames(self, frames: Iterable[Frame]) -> None:
        """Send frames. A frame that takes too long closes the socket."""
        loop, timeout_s = asyncio.get_running_loop(), self._state.settings.send_timeout_s
        started_s = loop.time()
        try:
            async with asyncio.timeout(timeout_s) as timeout:
                for frame in frames:
                    if not self._write_now(frame.data):
                        await self._socket.send_text(frame.text)
                    if (now_s := loop.time()) > started_s + timeout_s / 10:
                        started_s = now_s
                        timeout.reschedule(now_s + timeout_s)
        except TimeoutError:
            self._outbox.close("too_slow")
        except RuntimeError:
            # uvicorn closed the socket itself: an unanswered ping or an invalid frame.
            raise WebSocketDisconnect(1006) from None

    # ----------------------------------------------------------------------------------------- receiving

    async def _receive_commands(self) -> None:
        """Run commands one after the other and reply to each."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace")
            if len(text.encode()) > self._state.settings.max_body_bytes:
                self._outbox.close("too_large")
                return
            reply = await self._handle_command(text)
            self._send_reply(reply)
            if (error := reply.get("error")) and error["code"] == "rate_limited":
                # Stop reading for a moment, so that a client that keeps sending costs others nothing.
                await asyncio.sleep(min(error["retry_after_ms"] / 1000, MAX_BACKOFF_S))

    async def _handle_command(self, text: str) -> dict[str, Any]:
        reply_to: dict[str, str] = {}
        try:
            try:
                data = parse_json(text)
                if isinstance(data, dict) and is_valid_id(data.get("id")):
                    reply_to = {"reply_to": data["id"]}
            finally:
                self._state.check_command_rate(self._client)
            if not isinstance(data, dict):
                raise ApiError(422, "invalid_request", "A frame must be an object with an id and a command")
            return reply_to | await run_command(self._state, self._table_id, await self._current_person(), data)
        except ApiError as error:
            return {**reply_to, "ok": False, "error": error.body}

    async def _current_person(self) -> Person:
        """Return the sender of a command. It is checked every time, since the account may be deleted meanwhile."""
        state = self._state
        person = state.cached_person(self._socket) or await run_in_threadpool(state.find_person, self._socket)
        if person is None:
            raise not_logged_in()
        return person
