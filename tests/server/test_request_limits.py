"""How often, how much, and who is waited for: nobody."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from socket import create_connection
from threading import Event
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from raw_socket import NotOpenedError, RawSocket
from running_server import Running, asking, run, strict
from trueodds.server.desk import address_of
from trueodds.server.heads import Heads
from trueodds.server.origin import is_own
from trueodds.server.running import SocketProtocol
from trueodds.server.settings import Rate

Serve = Callable[..., Running]


def refused(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def open_table(http: httpx.Client, **more: Any) -> dict[str, Any]:
    return dict(http.post("/api/tables", json={"book": "NJ", **more}).json())


def ws(server: Running, table: str, query: str = "", **headers: str) -> Any:
    given = {"Origin": server.address, **headers}
    address = f"ws{server.address[4:]}/api/tables/{table}/ws?{query}"
    return connect(address, additional_headers=given, proxy=None, compression=None)


def test_asking_too_often(serve: Serve) -> None:
    now = [1_000_000]
    server = serve(requests=Rate(5, 2), clock=lambda: now[0])
    with asking(server) as http:
        assert [http.get("/api/books").status_code for _ in range(5)] == [200] * 5
        answer = http.get("/api/books")
        assert refused(answer) == (429, "too_often")
        assert answer.json()["error"]["wait_ms"] == 500
        now[0] += 500
        assert http.get("/api/books").status_code == 200
        assert http.get("/healthz").status_code == 200


def test_coming_in_too_often(serve: Serve) -> None:
    server = serve(door=Rate(3, 0.001))
    with asking(server) as http:
        codes = [http.post("/api/guests", json={"name": f"Ann {number}"}).status_code for number in range(5)]
    assert codes == [201, 201, 201, 429, 429]


def test_opening_tables_too_often(serve: Serve) -> None:
    """A table stays, and costs everybody: it counts like somebody who comes in."""
    server = serve(door=Rate(3, 0.001))
    with asking(server, name="Ann") as http:
        codes = [http.post("/api/tables", json={"book": "NJ"}).status_code for _ in range(4)]
    assert codes == [201, 201, 429, 429]


@pytest.mark.parametrize(
    ("host", "told_apart_by"),
    [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("testclient", "testclient"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)  # fmt: skip
def test_how_addresses_are_told_apart(host: str, told_apart_by: str) -> None:
    assert address_of(HTTPConnection({"type": "http", "client": (host, 1), "headers": []})) == told_apart_by


def test_wishing_too_often(serve: Serve) -> None:
    server = serve(wishes=Rate(3, 0.001))
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]
        where = f"/api/tables/{table}/wishes"
        answers = [http.post(where, json={"id": str(number), "wish": "roll"}) for number in range(4)]
        assert [refused(answer)[1] for answer in answers] == ["not_at_table"] * 3 + ["too_often"]
        cookie = f"trueodds={http.cookies['trueodds']}"

    async def wish() -> Any:
        async with ws(server, table, Cookie=cookie) as socket:
            await socket.send(json.dumps({"id": "9", "wish": "roll"}))
            while "answer" not in (frame := json.loads(await socket.recv())):
                pass
            return frame

    frame = run(wish())
    assert (frame["answer"], frame["ok"], frame["error"]["code"]) == ("9", False, "too_often")


def test_sockets_from_elsewhere_and_nowhere(serve: Serve) -> None:
    server = serve(sockets_each=2)
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def refused_with(**given: Any) -> tuple[int, str]:
        with pytest.raises(InvalidStatus) as no:
            await ws(server, **{"table": table, **given})
        response = no.value.response
        return response.status_code, json.loads(response.body)["error"]["code"]

    async def tries() -> None:
        assert await refused_with(Origin="https://evil.example") == (403, "origin")
        assert await refused_with(Origin="null") == (403, "origin")
        assert await refused_with(table="nowhere") == (404, "no_such_table")
        assert await refused_with(table="no+where") == (404, "no_such_table")
        for after in ("x", "-1", "9" * 20, "²"):
            assert await refused_with(query=f"after={after}") == (422, "malformed")
        async with ws(server, table), ws(server, table):
            assert await refused_with() == (429, "too_many_sockets")
        with pytest.raises(InvalidStatus):
            await connect(f"ws{server.address[4:]}/api/nowhere", proxy=None)

    run(tries())


def test_many_sockets_at_once_are_no_more_than_many_in_a_row(serve: Serve) -> None:
    server = serve(sockets_each=3)
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

        async def open_one() -> Any:
            try:
                return await ws(server, table)
            except InvalidStatus as no:
                return no.response.status_code

        async def rush() -> list[Any]:
            opened = await asyncio.gather(*(open_one() for _ in range(30)))
            for one in opened:
                if not isinstance(one, int):
                    await one.close()
            return [one if isinstance(one, int) else 101 for one in opened]

        statuses = run(rush())
        assert set(statuses) == {101, 429}
        assert statuses.count(101) <= 3
        until = time.monotonic() + 10
        while server.app.state.desk.sockets:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert "trueodds_sockets 0.0" in http.get("/metrics").text


def test_nobody_is_read_faster_than_anybody_may_wish(serve: Serve) -> None:
    """Frames count whatever is in them and whoever sends them, and one who sends on is not read meanwhile."""
    # Where the clock stands still nothing is filled up again: only the first five are taken.
    server = serve(wishes=Rate(5, 10), clock=lambda: 10**12)
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def flood() -> tuple[list[str], float]:
        async with ws(server, table) as socket:
            began = time.monotonic()
            for frame in ("{", '{"id": "1", "wish": "roll"}') * 100:
                await socket.send(frame)
            codes: list[str] = []
            while len(codes) < 9:
                frame = json.loads(await socket.recv())
                codes += [frame["error"]["code"]] if "error" in frame else []
            return codes, time.monotonic() - began

    codes, seconds = run(flood())
    assert codes == ["malformed", "nobody", "malformed", "nobody", "malformed", *["too_often"] * 4]
    # Each that is told to wait 100 ms is not read for so long: the ninth answer comes after three such waits.
    assert seconds >= 0.3


def test_who_goes_before_the_floor_tells_leaves_nobody_behind(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is gone while the floor still begins to tell it of a table is told nothing for ever."""
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]
        asked, go_on = Event(), Event()
        watch = server.floor._watch

        def slow(*given: Any) -> Any:
            asked.set()
            assert go_on.wait(20)
            return watch(*given)

        monkeypatch.setattr(server.floor, "_watch", slow)

        async def come_and_go() -> None:
            socket = await ws(server, table)
            await asyncio.to_thread(asked.wait, 20)
            socket.transport.abort()
            while server.app.state.desk.sockets:
                await asyncio.sleep(0.01)

        run(come_and_go())
        go_on.set()
        server.floor.box(table).result(20)
        server.floor.box(table).result(20)
        assert not server.floor._tables[table].watchers


def test_watching_without_a_seat(serve: Serve) -> None:
    """Anybody may watch an open table; who is nobody can wish for nothing."""
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

        async def watch() -> list[Any]:
            async with ws(server, table) as socket:
                assert json.loads(await socket.recv())["event"]["kind"] == "anchored"
                assert json.loads(await socket.recv()) == {"caught_up": True}
                for frame in ('{"id": "1", "wish": "roll"}', "[]", "{", '"x"', '{"wish": "roll"}'):
                    await socket.send(frame)
                await socket.send(b"\xff")
                answers = [json.loads(await socket.recv()) for _ in range(6)]
                where = f"/api/tables/{table}/wishes"
                await asyncio.to_thread(http.post, where, json={"id": "1", "wish": "sit", "cents": 100})
                event = json.loads(await socket.recv())["event"]
                assert event["sentences"] == ["Ann comes to the table"]
                return answers

        answers = run(watch())
    assert [answer["error"]["code"] for answer in answers] == [
        "nobody", "malformed", "malformed", "malformed", "nobody", "malformed",
    ]  # fmt: skip
    assert answers[0]["answer"] == "1"


def test_a_table_by_invitation(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as ann, asking(server, name="Bob") as bob:
        made = open_table(ann, open=False)
        table, invitation = made["id"], made["invitation"]
        assert bob.get("/api/tables").json() == []
        sit = {"id": "1", "wish": "sit", "cents": 1000}
        for wrong in ({}, {"invitation": "x"}, {"invitation": "0" * 32}, {"invitation": "é"}):
            for path in ("", "/rows", "/proofs"):
                assert refused(bob.get(f"/api/tables/{table}{path}", params=wrong)) == (403, "by_invitation")
            assert refused(bob.post(f"/api/tables/{table}/wishes", params=wrong, json=sit)) == (403, "by_invitation")
        given = {"invitation": invitation}
        assert bob.post(f"/api/tables/{table}/wishes", params=given, json=sit).status_code == 200
        assert bob.get(f"/api/tables/{table}").json()["invitation"] == invitation

    async def knock() -> None:
        with pytest.raises(InvalidStatus):
            await ws(server, table)
        async with ws(server, table, f"invitation={invitation}") as socket:
            assert "event" in json.loads(await socket.recv())

    run(knock())


def test_a_frame_is_small(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def shout() -> int:
        async with ws(server, table) as socket:
            await socket.send("x" * 17_000)
            await socket.wait_closed()
            return int(socket.close_code)

    assert run(shout()) == 1009


@pytest.mark.parametrize(
    ("takes", "limits"), [(4, {"feed_rows": 20}), (2, {"send_s": 0.2})], ids=["far behind", "from the start"]
)
def test_a_slow_client_is_dropped(serve: Serve, takes: int, limits: dict[str, Any]) -> None:
    """The app itself, with a network that takes some frames and then no more; everybody else goes on."""
    server = serve(**limits)
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]
        where = f"/api/tables/{table}/wishes"
        http.post(where, json={"id": "sit", "wish": "sit", "cents": 1000})

        def buy(number: int) -> None:
            answer = http.post(where, json={"id": f"b{number}", "wish": "buy_in", "cents": 100})
            assert answer.status_code == 200

        async def stuck() -> None:
            network = Stuck(takes)
            talking = asyncio.ensure_future(server.app(socket_scope(server, table), network.receive, network.send))
            await network.is_full.wait()
            for number in range(100):
                await asyncio.to_thread(buy, number)
                if talking.done():
                    break
            await talking
            assert len(network.sent) <= takes + 2

        run(stuck())
        told = http.get("/metrics").text
        assert 'trueodds_sockets_dropped_total{why="slow"} 1.0' in told
        assert "trueodds_sockets 0.0" in told


class Stuck:
    """A network that connects, takes so many messages, and then never finishes sending another."""

    def __init__(self, takes: int) -> None:
        self.sent: list[Any] = []
        self.is_full = asyncio.Event()
        self._takes = takes
        self._has_connected = False

    async def receive(self) -> dict[str, Any]:
        if self._has_connected:
            await asyncio.Event().wait()
        self._has_connected = True
        return {"type": "websocket.connect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        if len(self.sent) >= self._takes:
            self.is_full.set()
        if len(self.sent) > self._takes:
            await asyncio.Event().wait()


def socket_scope(server: Running, table: str) -> dict[str, Any]:
    host = server.address.removeprefix("http://")
    headers = [(b"host", host.encode()), (b"origin", server.address.encode())]
    return {
        "type": "websocket", "path": f"/api/tables/{table}/ws", "raw_path": b"", "query_string": b"after=2",
        "headers": headers, "client": ("127.0.0.1", 1), "server": None, "scheme": "ws", "subprotocols": [],
        "root_path": "", "extensions": {}, "http_version": "1.1",
    }  # fmt: skip


def test_behind_tls_a_page_without_it_is_another_site() -> None:
    for secure, scheme, is_ours in (
        (True, "https", True),
        (True, "http", False),
        (False, "http", True),
        (False, "https", True),
    ):
        headers = {"origin": f"{scheme}://craps.example", "host": "craps.example"}
        assert is_own(strict(secure=secure), headers) is is_ours


def hung_up(server: Running, said: bytes, then: bytes = b"") -> bytes:
    """Say something on a new connection, and give what comes until it ends."""
    with create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(said)
        heard = b""
        with suppress(ConnectionResetError, BrokenPipeError):
            while piece := line.recv(65_536):
                heard += piece
                line.sendall(then)
        return heard


HOST = b"Host: craps.example\r\n"


def test_nobody_holds_a_connection_by_saying_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(body_s=0.2)
    monkeypatch.setattr(Heads, "head_s", 0.2)
    assert hung_up(server, b"") == b""
    assert hung_up(server, b"GET /healthz HTTP/1.1\r\nHo") == b""
    monkeypatch.setattr(Heads, "head_s", 2.0)
    asked = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    assert hung_up(server, asked, b"GET /hea").startswith(b"HTTP/1.1 200")
    own = HOST + b"Origin: http://craps.example\r\nContent-Length: 100\r\n\r\n{"
    assert hung_up(server, b"POST /api/guests HTTP/1.1\r\n" + own).startswith(b"HTTP/1.1 408")


def test_a_quiet_socket_is_not_hung_up_on(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Heads, "head_s", 1.0)
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def watch() -> None:
        async with ws(server, table) as socket:
            await asyncio.sleep(2.5)
            await socket.ping()
            assert "event" in json.loads(await socket.recv())

    run(watch())


@pytest.mark.parametrize("endless", [b"X-More: " + b"a" * 1000 + b"\r\n", b"a" * 1000], ids=["lines", "one line"])
def test_a_head_is_small(serve: Serve, endless: bytes) -> None:
    """A head that goes on beyond 16 KiB is answered, and not read to its end."""
    server = serve()
    said = hung_up(server, b"GET /healthz HTTP/1.1\r\n" + HOST + endless * 30)
    assert said.startswith(b"HTTP/1.1 400") or not said


def test_a_handshake_that_cannot_be_read_is_refused_and_not_kept_open(serve: Serve) -> None:
    server = serve()

    async def shake() -> None:
        with pytest.raises(NotOpenedError) as no:
            await RawSocket.open(server.port, "/api/tables/t1/ws", {"X": "y" * 9000})
        assert no.value.status == 431

    run(shake())


def test_a_socket_that_uvicorn_closed_is_gone_and_no_fault(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without an answer to its pings uvicorn closes a socket by itself, and then takes nothing more to send."""
    server = serve()
    with asking(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def closed_already(_socket: WebSocket, _text: str) -> None:
        raise RuntimeError("Unexpected ASGI message 'websocket.send', after sending 'websocket.close'.")

    monkeypatch.setattr(WebSocket, "send_text", closed_already)
    monkeypatch.setattr(SocketProtocol, "write_frames", lambda _socket, _octets: False)

    async def listen() -> None:
        async with ws(server, table) as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()

    run(listen())
    assert not [record for record in caplog.records if record.exc_info]
