"""Frames that are written once for everybody: the same as over HTTP, in order, and never to a client that is behind."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from collections.abc import Callable
from typing import Any
from weakref import ref

import httpx
import pytest

from support.raw_websocket import TEXT, ClosedError, RawWebSocket, frame
from support.running_server import RunningServer, http_client, run
from trueodds.journal import StoredEvent
from trueodds.server.frames import Frame
from trueodds.server.loop_bridge import LoopBridge, current_loop_bridge
from trueodds.server.uvicorn_config import TableWebSocketProtocol

Serve = Callable[..., RunningServer]


def open_table(http: httpx.Client) -> str:
    return str(http.post("/api/tables", json={"book": "NJ", "options": {"min_bet": 500}}).json()["id"])


def wish(http: httpx.Client, table: str, name: str, **data: Any) -> None:
    answer = http.post(f"/api/tables/{table}/commands", json={"id": name, **data})
    assert answer.status_code == 200, answer.text


async def come(server: RunningServer, table: str, cookie: str = "") -> RawWebSocket:
    headers = {"Origin": server.address} | ({"Cookie": f"trueodds={cookie}"} if cookie else {})
    return await RawWebSocket.open(server.port, f"/api/tables/{table}/ws?after=0", headers)


async def caught_up(socket: RawWebSocket) -> list[dict[str, Any]]:
    events = []
    while "caught_up" not in (said := await socket.receive()):
        events.append(said["event"])
    return events


def protocols(server: RunningServer) -> list[TableWebSocketProtocol]:
    connections = server._server.server_state.connections
    return [one for one in connections if isinstance(one, TableWebSocketProtocol)]


async def call(server: RunningServer, work: Callable[[], None]) -> None:
    """Do something where the server's loop runs."""
    done = asyncio.Event()
    here = asyncio.get_running_loop()

    def do() -> None:
        work()
        here.call_soon_threadsafe(done.set)

    protocols(server)[0].loop.call_soon_threadsafe(do)
    await done.wait()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frame_encoding(size: int) -> None:
    text = "é" * (size // 2) + "x" * (size % 2)
    assert Frame.from_text(text) == (text, frame(text.encode(), TEXT, masked=False))


def test_an_event_is_the_same_on_a_socket_and_over_http(serve: Serve) -> None:
    """While it happens, when it is caught up on, and as the table's rows; with whatever a name may hold."""
    server = serve()
    with http_client(server, name='Zoë "\\" 7, <b>') as http:
        table = open_table(http)

        async def listen() -> tuple[list[Any], list[Any]]:
            live = await come(server, table)
            heard = await caught_up(live)
            for name, data in (
                ("1", {"command": "join", "cents": 50_000}),
                ("2", {"command": "bet", "spot": "pass", "stake_cents": 1000}),
                ("3", {"command": "bet", "spot": "place:6", "stake_cents": 1200}),
                ("4", {"command": "roll"}),
                ("5", {"command": "leave"}),
            ):
                await asyncio.to_thread(wish, http, table, name, **data)
            last = server.journal.load_state(table).sequence
            while heard[-1]["sequence"] < last:
                heard.append((await live.receive())["event"])
            late = await come(server, table)
            caught = await caught_up(late)
            live.close()
            late.close()
            return heard, caught

        heard, caught = run(listen())
        rows = http.get(f"/api/tables/{table}/events").json()["events"]
    assert heard == caught == rows
    assert [list(event) for event in heard] == [list(row) for row in rows]
    assert {"player_joined", "bought_in", "bet_made", "roll_locked", "secret_revealed", "rolled"} <= {
        event["kind"] for event in heard
    }
    assert any("Zoë" in sentence for event in heard for sentence in event["sentences"])
    said = [pair for event in heard for pair in zip(event["sentences"], event["clauses"], strict=True)]
    assert all(sentence.endswith(f": {clause}") for sentence, clause in said if clause)
    assert {event["kind"] for event in heard if any(event["clauses"])} >= {"bet_made", "rolled", "custody_changed"}
    assert {event["kind"] for event in heard if event["stick_call"]} == {"rolled"}
    assert {event["kind"] for event in heard if event["puck_change"] is not None} == {"rolled"}
    assert next(event for event in heard if event["kind"] == "custody_changed" and event["ends_hand"]), (
        "Zoë has the dice"
    )


def test_a_slow_client_gets_all_events_in_order(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", command="join", cents=1000)

        async def listen() -> list[dict[str, Any]]:
            socket = await come(server, table, http.cookies["trueodds"])
            heard: list[dict[str, Any]] = [{"event": event} for event in await caught_up(socket)]
            protocol = protocols(server)[0]
            await call(server, protocol.pause_writing)
            socket.write(frame(json.dumps({"id": "mine", "command": "buy_in", "cents": 100}).encode()))
            for number in range(20):
                await asyncio.to_thread(wish, http, table, f"b{number}", command="buy_in", cents=100)
            await call(server, protocol.resume_writing)
            while len(heard) < 4 + 20 + 2:
                heard.append(await socket.receive())
            await asyncio.to_thread(wish, http, table, "last", command="buy_in", cents=100)
            heard.append(await socket.receive())
            socket.close()
            return heard

        heard = run(listen())
    numbers = [one["event"]["sequence"] for one in heard if "event" in one]
    assert numbers == list(range(1, len(numbers) + 1))
    (place,) = (place for place, one in enumerate(heard) if "reply_to" in one)
    assert heard[place]["ok"]
    assert heard[place]["sequence"] in [one["event"]["sequence"] for one in heard[:place] if "event" in one]


def test_direct_writes_do_not_overtake_queued_events(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first row somebody has to be looked up, and that takes its time."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", command="join", cents=1000)
        frames, asked, go_on = server.app.state.app_state.event_frames, threading.Event(), threading.Event()
        known, write, waits = frames.cached, frames.encode, server.journal.load_state(table).sequence + 1

        def look_up(rows: list[StoredEvent]) -> list[Frame]:
            if rows[0].sequence == waits:
                asked.set()
                assert go_on.wait(20)
            return list(write(rows))

        monkeypatch.setattr(frames, "cached", lambda rows: None if rows[0].sequence == waits else known(rows))
        monkeypatch.setattr(frames, "encode", look_up)

        async def listen() -> list[Any]:
            socket = await come(server, table, http.cookies["trueodds"])
            await caught_up(socket)
            await asyncio.to_thread(wish, http, table, "b1", command="buy_in", cents=100)
            await asyncio.to_thread(asked.wait, 20)
            socket.write(frame(json.dumps({"id": "b2", "command": "buy_in", "cents": 100}).encode()))
            while server.journal.find_reply(table, http.get("/api/me").json()["id"], "b2") is None:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(wish, http, table, "b3", command="buy_in", cents=100)
            go_on.set()
            heard = [await socket.receive() for _ in range(4)]
            socket.close()
            return [one["event"]["sequence"] if "event" in one else one["reply_to"] for one in heard]

        heard = run(listen())
    assert [number for number in heard if number != "b2"] == [waits, waits + 1, waits + 2]
    assert heard.index("b2") > heard.index(waits + 1)


def test_only_the_slow_client_is_dropped(serve: Serve) -> None:
    server = serve(outbox_events=20)
    with http_client(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", command="join", cents=1000)

        async def listen() -> None:
            slow = await come(server, table)
            await caught_up(slow)
            stuck = protocols(server)[0]
            await call(server, stuck.pause_writing)
            quick = await come(server, table)
            last = (await caught_up(quick))[-1]["sequence"]
            for number in range(40):
                await asyncio.to_thread(wish, http, table, f"b{number}", command="buy_in", cents=100)
                event = (await quick.receive())["event"]
                assert event["sequence"] == last + number + 1
            quick.close()
            with pytest.raises(ClosedError):
                await slow.receive()
            slow.close()

        run(listen())
        assert 'trueodds_sockets_dropped_total{reason="too_slow"} 1.0' in http.get("/metrics").text


def test_a_loop_bridge_does_not_keep_its_loop_alive() -> None:
    loop = asyncio.new_event_loop()

    async def listen() -> LoopBridge:
        return current_loop_bridge()

    relay, gone = loop.run_until_complete(listen()), ref(loop)
    loop.close()
    del loop
    gc.collect()
    assert gone() is None
    relay.call_soon(print)


def test_a_loop_bridge_keeps_the_order_and_survives_errors() -> None:
    heard: list[int] = []
    faults: list[str] = []

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: faults.append(str(context["exception"])))
        relay, done = current_loop_bridge(), asyncio.Event()
        assert current_loop_bridge() is relay

        def tell() -> None:
            for number in range(1000):
                relay.call_soon(heard.append, number)
                if number == 500:
                    relay.call_soon(heard.remove, -1)
            relay.call_soon(done.set)

        thread = threading.Thread(target=tell)
        thread.start()
        await done.wait()
        thread.join()

    run(listen())
    assert heard == list(range(1000))
    assert len(faults) == 1
