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

from support.raw_websocket import HandshakeRefusedError, RawWebSocket
from support.running_server import RunningServer, change_settings, http_client, run
from trueodds.server.app_state import client_address
from trueodds.server.header_timeout import HeaderTimeoutProtocol
from trueodds.server.origin_check import is_same_origin
from trueodds.server.settings import Rate
from trueodds.server.uvicorn_config import TableWebSocketProtocol

Serve = Callable[..., RunningServer]


def refused(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def open_table(http: httpx.Client, **more: Any) -> dict[str, Any]:
    return dict(http.post("/api/tables", json={"book": "NJ", **more}).json())


def ws(server: RunningServer, table: str, query: str = "", **headers: str) -> Any:
    given = {"Origin": server.address, **headers}
    address = f"ws{server.address[4:]}/api/tables/{table}/ws?{query}"
    return connect(address, additional_headers=given, proxy=None, compression=None)


def test_request_rate_limit(serve: Serve) -> None:
    now = [1_000_000]
    server = serve(request_rate=Rate(5, 2), clock=lambda: now[0])
    with http_client(server) as http:
        assert [http.get("/api/books").status_code for _ in range(5)] == [200] * 5
        answer = http.get("/api/books")
        assert refused(answer) == (429, "rate_limited")
        assert answer.json()["error"]["retry_after_ms"] == 500
        now[0] += 500
        assert http.get("/api/books").status_code == 200
        assert http.get("/healthz").status_code == 200


def test_signup_rate_limit(serve: Serve) -> None:
    server = serve(signup_rate=Rate(3, 0.001))
    with http_client(server) as http:
        codes = [http.post("/api/guests", json={"name": f"Ann {number}"}).status_code for number in range(5)]
    assert codes == [201, 201, 201, 429, 429]


def test_new_table_rate_limit(serve: Serve) -> None:
    """A table stays, and costs everybody: it counts like somebody who comes in."""
    server = serve(signup_rate=Rate(3, 0.001))
    with http_client(server, name="Ann") as http:
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
def test_client_addresses(host: str, told_apart_by: str) -> None:
    assert client_address(HTTPConnection({"type": "http", "client": (host, 1), "headers": []})) == told_apart_by


def test_command_rate_limit(serve: Serve) -> None:
    server = serve(command_rate=Rate(3, 0.001))
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]
        where = f"/api/tables/{table}/commands"
        answers = [http.post(where, json={"id": str(number), "command": "roll"}) for number in range(4)]
        assert [refused(answer)[1] for answer in answers] == ["not_at_table"] * 3 + ["rate_limited"]
        cookie = f"trueodds={http.cookies['trueodds']}"

    async def wish() -> Any:
        async with ws(server, table, Cookie=cookie) as socket:
            await socket.send(json.dumps({"id": "9", "command": "roll"}))
            while "reply_to" not in (frame := json.loads(await socket.recv())):
                pass
            return frame

    frame = run(wish())
    assert (frame["reply_to"], frame["ok"], frame["error"]["code"]) == ("9", False, "rate_limited")


def test_refused_sockets(serve: Serve) -> None:
    server = serve(sockets_per_client=2)
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def refused_with(**given: Any) -> tuple[int, str]:
        with pytest.raises(InvalidStatus) as no:
            await ws(server, **{"table": table, **given})
        response = no.value.response
        return response.status_code, json.loads(response.body)["error"]["code"]

    async def tries() -> None:
        assert await refused_with(Origin="https://evil.example") == (403, "wrong_origin")
        assert await refused_with(Origin="null") == (403, "wrong_origin")
        assert await refused_with(table="nowhere") == (404, "no_such_table")
        assert await refused_with(table="no+where") == (404, "no_such_table")
        for after in ("x", "-1", "9" * 20, "²"):
            assert await refused_with(query=f"after={after}") == (422, "invalid_request")
        async with ws(server, table), ws(server, table):
            assert await refused_with() == (429, "too_many_sockets")
        with pytest.raises(InvalidStatus):
            await connect(f"ws{server.address[4:]}/api/nowhere", proxy=None)

    run(tries())


def test_concurrent_sockets_are_all_counted(serve: Serve) -> None:
    server = serve(sockets_per_client=3)
    with http_client(server, name="Ann") as http:
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
        while server.app.state.app_state.socket_counts:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert "trueodds_sockets 0.0" in http.get("/metrics").text


def test_frames_above_the_rate_limit_are_read_slowly(serve: Serve) -> None:
    """Frames count whatever is in them and whoever sends them, and one who sends on is not read meanwhile."""
    # Where the clock stands still nothing is filled up again: only the first five are taken.
    server = serve(command_rate=Rate(5, 10), clock=lambda: 10**12)
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def flood() -> tuple[list[str], float]:
        async with ws(server, table) as socket:
            began = time.monotonic()
            for frame in ("{", '{"id": "1", "command": "roll"}') * 100:
                await socket.send(frame)
            codes: list[str] = []
            while len(codes) < 9:
                frame = json.loads(await socket.recv())
                codes += [frame["error"]["code"]] if "error" in frame else []
            return codes, time.monotonic() - began

    codes, seconds = run(flood())
    assert codes == [
        "invalid_request",
        "not_logged_in",
        "invalid_request",
        "not_logged_in",
        "invalid_request",
        *["rate_limited"] * 4,
    ]
    # Each that is told to wait 100 ms is not read for so long: the ninth answer comes after three such waits.
    assert seconds >= 0.3


def test_a_socket_closed_early_leaves_no_watcher(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is gone while the floor still begins to tell it of a table is told nothing for ever."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]
        asked, go_on = Event(), Event()
        watch = server.table_manager._watch

        def slow(*given: Any) -> Any:
            asked.set()
            assert go_on.wait(20)
            return watch(*given)

        monkeypatch.setattr(server.table_manager, "_watch", slow)

        async def come_and_go() -> None:
            socket = await ws(server, table)
            await asyncio.to_thread(asked.wait, 20)
            socket.transport.abort()
            while server.app.state.app_state.socket_counts:
                await asyncio.sleep(0.01)

        run(come_and_go())
        go_on.set()
        server.table_manager.live_table(table).result(20)
        server.table_manager.live_table(table).result(20)
        assert not server.table_manager._tables[table].watchers


def test_watching_without_a_cookie(serve: Serve) -> None:
    """Anybody may watch an open table; who is nobody can wish for nothing."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

        async def watch() -> list[Any]:
            async with ws(server, table) as socket:
                assert json.loads(await socket.recv())["event"]["kind"] == "anchor_published"
                assert json.loads(await socket.recv()) == {"caught_up": True}
                for frame in ('{"id": "1", "command": "roll"}', "[]", "{", '"x"', '{"command": "roll"}'):
                    await socket.send(frame)
                await socket.send(b"\xff")
                answers = [json.loads(await socket.recv()) for _ in range(6)]
                where = f"/api/tables/{table}/commands"
                await asyncio.to_thread(http.post, where, json={"id": "1", "command": "join", "cents": 100})
                event = json.loads(await socket.recv())["event"]
                assert event["sentences"] == ["Ann comes to the table"]
                return answers

        answers = run(watch())
    assert [answer["error"]["code"] for answer in answers] == [
        "not_logged_in", "invalid_request", "invalid_request", "invalid_request", "not_logged_in", "invalid_request",
    ]  # fmt: skip
    assert answers[0]["reply_to"] == "1"


def test_a_private_table(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as ann, http_client(server, name="Bob") as bob:
        made = open_table(ann, is_public=False)
        table, invitation = made["id"], made["invitation"]
        assert bob.get("/api/tables").json() == []
        sit = {"id": "1", "command": "join", "cents": 1000}
        for wrong in ({}, {"invitation": "x"}, {"invitation": "0" * 32}, {"invitation": "é"}):
            for path in ("", "/events", "/proofs"):
                assert refused(bob.get(f"/api/tables/{table}{path}", params=wrong)) == (403, "invitation_required")
            assert refused(bob.post(f"/api/tables/{table}/commands", params=wrong, json=sit)) == (
                403,
                "invitation_required",
            )
        given = {"invitation": invitation}
        assert bob.post(f"/api/tables/{table}/commands", params=given, json=sit).status_code == 200
        assert bob.get(f"/api/tables/{table}").json()["invitation"] == invitation

    async def knock() -> None:
        with pytest.raises(InvalidStatus):
            await ws(server, table)
        async with ws(server, table, f"invitation={invitation}") as socket:
            assert "event" in json.loads(await socket.recv())

    run(knock())


def test_large_frames_close_the_socket(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def shout() -> int:
        async with ws(server, table) as socket:
            await socket.send("x" * 17_000)
            await socket.wait_closed()
            return int(socket.close_code)

    assert run(shout()) == 1009


@pytest.mark.parametrize(
    ("takes", "limits"),
    [(4, {"outbox_events": 20}), (2, {"send_timeout_s": 0.2})],
    ids=["far behind", "from the start"],
)
def test_a_slow_client_is_dropped(serve: Serve, takes: int, limits: dict[str, Any]) -> None:
    """The app itself, with a network that takes some frames and then no more; everybody else goes on."""
    server = serve(**limits)
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]
        where = f"/api/tables/{table}/commands"
        http.post(where, json={"id": "sit", "command": "join", "cents": 1000})

        def buy(number: int) -> None:
            answer = http.post(where, json={"id": f"b{number}", "command": "buy_in", "cents": 100})
            assert answer.status_code == 200

        async def stuck() -> None:
            network = SlowClient(takes)
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
        assert 'trueodds_sockets_dropped_total{reason="too_slow"} 1.0' in told
        assert "trueodds_sockets 0.0" in told


class SlowClient:
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


def socket_scope(server: RunningServer, table: str) -> dict[str, Any]:
    host = server.address.removeprefix("http://")
    headers = [(b"host", host.encode()), (b"origin", server.address.encode())]
    return {
        "type": "websocket", "path": f"/api/tables/{table}/ws", "raw_path": b"", "query_string": b"after=2",
        "headers": headers, "client": ("127.0.0.1", 1), "server": None, "scheme": "ws", "subprotocols": [],
        "root_path": "", "extensions": {}, "http_version": "1.1",
    }  # fmt: skip


def test_behind_tls_an_http_origin_is_refused() -> None:
    for secure, scheme, is_ours in (
        (True, "https", True),
        (True, "http", False),
        (False, "http", True),
        (False, "https", True),
    ):
        headers = {"origin": f"{scheme}://craps.example", "host": "craps.example"}
        assert is_same_origin(change_settings(secure=secure), headers) is is_ours


def read_until_closed(server: RunningServer, said: bytes, then: bytes = b"") -> bytes:
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


def test_slow_headers_close_the_connection(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(body_timeout_s=0.2)
    monkeypatch.setattr(HeaderTimeoutProtocol, "header_timeout_s", 0.2)
    assert read_until_closed(server, b"") == b""
    assert read_until_closed(server, b"GET /healthz HTTP/1.1\r\nHo") == b""
    monkeypatch.setattr(HeaderTimeoutProtocol, "header_timeout_s", 2.0)
    asked = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    assert read_until_closed(server, asked, b"GET /hea").startswith(b"HTTP/1.1 200")
    own = HOST + b"Origin: http://craps.example\r\nContent-Length: 100\r\n\r\n{"
    assert read_until_closed(server, b"POST /api/guests HTTP/1.1\r\n" + own).startswith(b"HTTP/1.1 408")


def test_an_idle_socket_stays_open(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeaderTimeoutProtocol, "header_timeout_s", 1.0)
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def watch() -> None:
        async with ws(server, table) as socket:
            await asyncio.sleep(2.5)
            await socket.ping()
            assert "event" in json.loads(await socket.recv())

    run(watch())


@pytest.mark.parametrize("endless", [b"X-More: " + b"a" * 1000 + b"\r\n", b"a" * 1000], ids=["lines", "one line"])
def test_large_headers_are_refused(serve: Serve, endless: bytes) -> None:
    """A head that goes on beyond 16 KiB is answered, and not read to its end."""
    server = serve()
    said = read_until_closed(server, b"GET /healthz HTTP/1.1\r\n" + HOST + endless * 30)
    assert said.startswith(b"HTTP/1.1 400") or not said


def test_an_invalid_handshake_is_refused_and_closed(serve: Serve) -> None:
    server = serve()

    async def shake() -> None:
        with pytest.raises(HandshakeRefusedError) as no:
            await RawWebSocket.open(server.port, "/api/tables/t1/ws", {"X": "y" * 9000})
        assert no.value.status == 431

    run(shake())


def test_a_socket_closed_by_uvicorn_is_not_an_error(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without an answer to its pings uvicorn closes a socket by itself, and then takes nothing more to send."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = open_table(http)["id"]

    async def closed_already(_socket: WebSocket, _text: str) -> None:
        raise RuntimeError("Unexpected ASGI message 'websocket.send', after sending 'websocket.close'.")

    monkeypatch.setattr(WebSocket, "send_text", closed_already)
    monkeypatch.setattr(TableWebSocketProtocol, "write_frames", lambda _socket, _octets: False)

    async def listen() -> None:
        async with ws(server, table) as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()

    run(listen())
    assert not [record for record in caplog.records if record.exc_info]
