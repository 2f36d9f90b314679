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

from raw_socket import TEXT, ClosedError, RawSocket, frame
from running_server import Running, asking, run
from trueodds.journal import Row
from trueodds.server.relay import Relay, relay_here
from trueodds.server.running import SocketProtocol
from trueodds.server.wire import Frame

Serve = Callable[..., Running]


def open_table(http: httpx.Client) -> str:
    return str(http.post("/api/tables", json={"book": "NJ", "options": {"min_bet": 500}}).json()["id"])


def wish(http: httpx.Client, table: str, name: str, **data: Any) -> None:
    answer = http.post(f"/api/tables/{table}/wishes", json={"id": name, **data})
    assert answer.status_code == 200, answer.text


async def come(server: Running, table: str, cookie: str = "") -> RawSocket:
    headers = {"Origin": server.address} | ({"Cookie": f"trueodds={cookie}"} if cookie else {})
    return await RawSocket.open(server.port, f"/api/tables/{table}/ws?after=0", headers)


async def caught_up(socket: RawSocket) -> list[dict[str, Any]]:
    events = []
    while "caught_up" not in (said := await socket.hear()):
        events.append(said["event"])
    return events


def protocols(server: Running) -> list[SocketProtocol]:
    connections = server._server.server_state.connections
    return [one for one in connections if isinstance(one, SocketProtocol)]


async def call(server: Running, work: Callable[[], None]) -> None:
    """Do something where the server's loop runs."""
    done = asyncio.Event()
    here = asyncio.get_running_loop()

    def do() -> None:
        work()
        here.call_soon_threadsafe(done.set)

    protocols(server)[0].loop.call_soon_threadsafe(do)
    await done.wait()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_as_the_protocol_says(size: int) -> None:
    text = "é" * (size // 2) + "x" * (size % 2)
    assert Frame.of(text) == (text, frame(text.encode(), TEXT, masked=False))


def test_an_event_is_the_same_on_a_socket_and_over_http(serve: Serve) -> None:
    """While it happens, when it is caught up on, and as the table's rows; with whatever a name may hold."""
    server = serve()
    with asking(server, name='Zoë "\\" 7, <b>') as http:
        table = open_table(http)

        async def listen() -> tuple[list[Any], list[Any]]:
            live = await come(server, table)
            heard = await caught_up(live)
            for name, data in (
                ("1", {"wish": "sit", "cents": 50_000}),
                ("2", {"wish": "bet", "spot": "pass", "cents": 1000}),
                ("3", {"wish": "bet", "spot": "place:6", "cents": 1200}),
                ("4", {"wish": "roll"}),
                ("5", {"wish": "leave"}),
            ):
                await asyncio.to_thread(wish, http, table, name, **data)
            last = server.journal.load(table).sequence
            while heard[-1]["number"] < last:
                heard.append((await live.hear())["event"])
            late = await come(server, table)
            caught = await caught_up(late)
            live.close()
            late.close()
            return heard, caught

        heard, caught = run(listen())
        rows = http.get(f"/api/tables/{table}/rows").json()["rows"]
    assert heard == caught == rows
    assert [list(event) for event in heard] == [list(row) for row in rows]
    assert {"joined", "bought_in", "made", "locked", "revealed", "rolled"} <= {event["kind"] for event in heard}
    assert any("Zoë" in sentence for event in heard for sentence in event["sentences"])
    said = [pair for event in heard for pair in zip(event["sentences"], event["clauses"], strict=True)]
    assert all(sentence.endswith(f": {clause}") for sentence, clause in said if clause)
    assert {event["kind"] for event in heard if any(event["clauses"])} >= {"made", "rolled", "dice_moved"}
    assert {event["kind"] for event in heard if event["call"]} == {"rolled"}
    assert {event["kind"] for event in heard if event["mark"] is not None} == {"rolled"}
    assert next(event for event in heard if event["kind"] == "dice_moved" and event["new_hand"]), "Zoë has the dice"


def test_who_falls_behind_is_told_everything_later_and_in_order(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", wish="sit", cents=1000)

        async def listen() -> list[dict[str, Any]]:
            socket = await come(server, table, http.cookies["trueodds"])
            heard: list[dict[str, Any]] = [{"event": event} for event in await caught_up(socket)]
            protocol = protocols(server)[0]
            await call(server, protocol.pause_writing)
            socket.write(frame(json.dumps({"id": "mine", "wish": "buy_in", "cents": 100}).encode()))
            for number in range(20):
                await asyncio.to_thread(wish, http, table, f"b{number}", wish="buy_in", cents=100)
            await call(server, protocol.resume_writing)
            while len(heard) < 4 + 20 + 2:
                heard.append(await socket.hear())
            await asyncio.to_thread(wish, http, table, "last", wish="buy_in", cents=100)
            heard.append(await socket.hear())
            socket.close()
            return heard

        heard = run(listen())
    numbers = [one["event"]["number"] for one in heard if "event" in one]
    assert numbers == list(range(1, len(numbers) + 1))
    (place,) = (place for place, one in enumerate(heard) if "answer" in one)
    assert heard[place]["ok"]
    assert heard[place]["sequence"] in [one["event"]["number"] for one in heard[:place] if "event" in one]


def test_what_can_be_sent_at_once_does_not_overtake_what_waits(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first row somebody has to be looked up, and that takes its time."""
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", wish="sit", cents=1000)
        frames, asked, go_on = server.app.state.desk.frames, threading.Event(), threading.Event()
        known, write, waits = frames.known, frames.write, server.journal.load(table).sequence + 1

        def look_up(rows: list[Row]) -> list[Frame]:
            if rows[0].sequence == waits:
                asked.set()
                assert go_on.wait(20)
            return list(write(rows))

        monkeypatch.setattr(frames, "known", lambda rows: None if rows[0].sequence == waits else known(rows))
        monkeypatch.setattr(frames, "write", look_up)

        async def listen() -> list[Any]:
            socket = await come(server, table, http.cookies["trueodds"])
            await caught_up(socket)
            await asyncio.to_thread(wish, http, table, "b1", wish="buy_in", cents=100)
            await asyncio.to_thread(asked.wait, 20)
            socket.write(frame(json.dumps({"id": "b2", "wish": "buy_in", "cents": 100}).encode()))
            while server.journal.answer(table, http.get("/api/me").json()["id"], "b2") is None:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(wish, http, table, "b3", wish="buy_in", cents=100)
            go_on.set()
            heard = [await socket.hear() for _ in range(4)]
            socket.close()
            return [one["event"]["number"] if "event" in one else one["answer"] for one in heard]

        heard = run(listen())
    assert [number for number in heard if number != "b2"] == [waits, waits + 1, waits + 2]
    assert heard.index("b2") > heard.index(waits + 1)


def test_who_stays_behind_is_dropped_and_nobody_else(serve: Serve) -> None:
    server = serve(feed_rows=20)
    with asking(server, name="Ann") as http:
        table = open_table(http)
        wish(http, table, "sit", wish="sit", cents=1000)

        async def listen() -> None:
            slow = await come(server, table)
            await caught_up(slow)
            stuck = protocols(server)[0]
            await call(server, stuck.pause_writing)
            quick = await come(server, table)
            last = (await caught_up(quick))[-1]["number"]
            for number in range(40):
                await asyncio.to_thread(wish, http, table, f"b{number}", wish="buy_in", cents=100)
                event = (await quick.hear())["event"]
                assert event["number"] == last + number + 1
            quick.close()
            with pytest.raises(ClosedError):
                await slow.hear()
            slow.close()

        run(listen())
        assert 'trueodds_sockets_dropped_total{why="slow"} 1.0' in http.get("/metrics").text


def test_a_relay_keeps_no_loop() -> None:
    loop = asyncio.new_event_loop()

    async def listen() -> Relay:
        return relay_here()

    relay, gone = loop.run_until_complete(listen()), ref(loop)
    loop.close()
    del loop
    gc.collect()
    assert gone() is None
    relay.call(print)


def test_a_relay_keeps_the_order_and_survives_what_fails() -> None:
    heard: list[int] = []
    faults: list[str] = []

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: faults.append(str(context["exception"])))
        relay, done = relay_here(), asyncio.Event()
        assert relay_here() is relay

        def tell() -> None:
            for number in range(1000):
                relay.call(heard.append, number)
                if number == 500:
                    relay.call(heard.remove, -1)
            relay.call(done.set)

        thread = threading.Thread(target=tell)
        thread.start()
        await done.wait()
        thread.join()

    run(listen())
    assert heard == list(range(1000))
    assert len(faults) == 1
