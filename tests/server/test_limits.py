"""How often, how much, and who is waited for: nobody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from raw_socket import NotOpenedError, RawSocket
from running_server import Running, asking, run
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

        run(stuck(), 30)
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

    async def listen() -> None:
        async with ws(server, table) as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()

    run(listen())
    assert not [record for record in caplog.records if record.exc_info]
