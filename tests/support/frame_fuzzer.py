"""The frame fuzzer: strangers at a real server, who say everything but what they should.

    python3 dev.py fuzz [--inputs N] [--seed S]

Whatever is said, it is answered with yes or with a reason, or the socket is ended as the protocol wants it; what was
refused changed nothing; and the same id is answered the same.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import secrets
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from frame_maker import FrameMaker, Made
from raw_socket import ClosedError, NotOpenedError, RawSocket
from running_server import EASY, Running, asking
from trueodds.fair import commit_to
from trueodds.journal import check_journal
from trueodds.journal.schema import commands
from trueodds.service.pace import Pace
from trueodds.service.proving import RollVerifier

PATIENT = Pace(between_ms=0, window_ms=0, opening_ms=600_000, shooter_ms=600_000, offer_ms=600_000)
"""Nothing happens by itself: every row is somebody's wish."""

BOOKS = ("new_jersey", "maryland", "rws", "south_dakota", "win_line")
ENDS = {1000, 1002, 1007, 1009}
"""How a server may end a socket that does not keep to the protocol."""

EXPECTED = ("ASGI callable returned without completing handshake", "Invalid UTF-8 sequence")
"""What uvicorn calls an error of ours, and is a no at the door or a fault of the client."""

A_ROUND = 20_000
DOORS = 0.01
"""The part of the inputs that are tried at the door."""


@dataclass
class Tally:
    """What came of the inputs."""

    inputs: int = 0
    codes: Counter[str] = field(default_factory=Counter)


class Faults(logging.Handler):
    """Hears of every exception that nobody expected, wherever it was raised."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.getMessage().startswith(EXPECTED):
            self.told.append(f"{record.getMessage()} {record.exc_info}")


class Stranger:
    """One player who fuzzes one table over one socket at a time."""

    def __init__(self, server: Running, seed: str, table: str, me: str, cookie: str, *, alone: bool) -> None:
        self._server = server
        self._headers = {"Origin": server.address, "Cookie": f"trueodds={cookie}"}
        self._table = table
        self._me = me
        self._alone = alone
        self._maker = FrameMaker(seed)
        self._socket: RawSocket | None = None
        self._last = 0
        self._granted = 0
        self._answers: dict[str, dict[str, Any]] = {}
        self._rolls = 0
        self._is_seated = self._is_locked = self._has_committed = False

    async def fuzz(self, inputs: int, tally: Tally) -> None:
        while inputs > 0:
            if self._maker.random.random() < DOORS:
                await self._try_door(tally)
            else:
                await self._say(self._maker.make(self._due()), tally)
            inputs -= 1
            tally.inputs += 1
        if self._socket is not None:
            self._socket.close()

    async def _say(self, made: Made, tally: Tally) -> None:
        socket = self._socket or await self._come()
        socket.write(made.octets)
        try:
            for _ in range(made.answers):
                self._take_answer(made, await self._answer(socket), tally)
        except ClosedError as closed:
            raise AssertionError(f"{made.octets[:300]!r} ended the socket: {closed}") from None
        if not made.answers:
            await self._see_end(socket, made, tally)

    async def _see_end(self, socket: RawSocket, made: Made, tally: Tally) -> None:
        try:
            while "event" in (said := await socket.hear()):
                self._take_event(said["event"])
            raise AssertionError(f"{made.octets[:300]!r} was answered: {said}")
        except ClosedError as closed:
            code = closed.code
        assert code in ENDS, f"{made.octets[:300]!r}: closed with {code}"
        tally.codes[f"end {code}"] += 1
        socket.close()
        self._socket = None

    async def _come(self) -> RawSocket:
        target = f"/api/tables/{self._table}/ws?after={self._last}"
        socket = self._socket = await RawSocket.open(self._server.port, target, self._headers)
        while "event" in (said := await socket.hear()):
            self._take_event(said["event"])
        assert said == {"caught_up": True}
        return socket

    async def _answer(self, socket: RawSocket) -> dict[str, Any]:
        while "event" in (said := await socket.hear()):
            self._take_event(said["event"])
        return said

    def _take_event(self, event: dict[str, Any]) -> None:
        assert event["number"] == self._last + 1
        self._last = event["number"]
        is_mine = event["body"].get("player") == self._me
        match event["kind"]:
            case "joined" if is_mine:
                self._is_seated = True
            case "left" if is_mine:
                self._is_seated = False
            case "made":
                self._maker.tags.append(event["body"]["tag"])
            case "committed" if is_mine:
                self._has_committed = True
            case "withdrawn" if is_mine:
                self._has_committed = False
            case "locked":
                self._is_locked = True
            case "revealed":
                self._rolls += 1
                self._is_locked = self._has_committed = False

    def _take_answer(self, made: Made, said: dict[str, Any], tally: Tally) -> None:
        """Hold an answer against what is allowed, and a no against what happened."""
        before = made.octets[:300]
        assert type(said.get("ok")) is bool, f"{before!r}: {said}"
        if said["ok"]:
            self._granted = max(self._granted, said["sequence"])
            tally.codes["granted"] += 1
        else:
            error = said["error"]
            assert error["sentence"], before
            assert error["code"] not in {"fault", "unavailable", "stale_head", "stale_epoch"}, f"{before!r}: {said}"
            tally.codes[error["code"]] += 1
        if self._alone and self._granted:
            assert self._last == self._granted, f"{before!r} was refused and something happened: {said}"
        if isinstance(said.get("answer"), str):
            first = self._answers.setdefault(said["answer"], said)
            assert first == said, f"{before!r} was answered {first} before and now {said}"
            self._maker.ids.append(said["answer"])

    def _due(self) -> dict[str, Any] | None:
        """Say what would go through now: a seat, or what the dice wait for."""
        if not self._is_seated:
            return {"wish": "sit", "cents": 1_000_000}
        seed = random.Random(f"{self._me} {self._rolls}").randbytes(32)
        if self._is_locked:
            return {"wish": "open", "seed": seed.hex()} if self._has_committed else None
        roll = self._rolls + 1
        commitment = commit_to(self._table, roll, self._me, seed)
        return None if self._has_committed else {"wish": "commit", "roll": roll, "commitment": commitment.hex()}

    async def _try_door(self, tally: Tally) -> None:
        """Ask for a socket as one should not."""
        pick = self._maker.random
        after = pick.choice(("", "-1", "1.5", "x", "9" * 30, "%00", "\u0661", "0", "1e3", "99999"))
        table = pick.choice((self._table, "nowhere", "..%2f", "a" * 65, "%ff", self._table.swapcase()))
        headers = self._headers | pick.choice(
            ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Cookie": "trueodds=" + "0" * 110},
             {"Cookie": "trueodds=;;=,\xff"}, {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Key": "short"},
             {"Sec-Fetch-Site": "cross-site"}, {"X": "y" * 9000})
        )  # fmt: skip
        try:
            socket = await RawSocket.open(self._server.port, f"/api/tables/{table}/ws?after={after}", headers)
            socket.close()
            status = 101
        except NotOpenedError as no:
            status = no.status
        assert status == 101 or 400 <= status < 500, f"{table} {after} {headers}: {status}"
        tally.codes[f"door {status}"] += 1


def fuzz(server: Running, seed: str, inputs: int) -> Tally:
    """Fuzz a server: each stranger alone at a table of another book, and three at one table."""
    tally, faults = Tally(), Faults()
    strangers = _strangers(server, seed)

    async def all_at_once() -> None:
        each = -(-inputs // len(strangers))
        await asyncio.gather(*(one.fuzz(each, tally) for one in strangers))

    logging.getLogger().addHandler(faults)
    try:
        asyncio.run(all_at_once())
        _demand_whole(server)
    finally:
        logging.getLogger().removeHandler(faults)
    assert not faults.told, faults.told
    return tally


def _strangers(server: Running, seed: str) -> list[Stranger]:
    made = []
    places = [*((book, True) for book in BOOKS), *(("new_jersey", False),) * 3]
    shared = ""
    for number, (book, alone) in enumerate(places):
        with asking(server, name=f"Stranger {seed} {number}") as http:
            me = http.get("/api/me").json()["id"]
            table = shared if shared and not alone else http.post("/api/tables", json={"book": book}).json()["id"]
            shared = shared if alone else table
            cookie = http.cookies["trueodds"]
        made.append(Stranger(server, f"{seed}/{number}", table, me, cookie, alone=alone))
    return made


def _demand_whole(server: Running) -> None:
    """See that the server is well, that every row is of a wish that was granted, and that a normal bet works."""
    assert server.floor.is_up
    findings = check_journal(server.journal, RollVerifier())
    assert not findings, findings[:5]
    for header in server.journal.tables():
        _demand_only_granted(server, header.table_id)
    with asking(server, name=f"Guest {secrets.token_hex(4)}") as http:
        assert http.get("/healthz").json() == {"ok": True}
        for header in server.journal.tables():
            assert http.get(f"/api/tables/{header.table_id}").status_code == 200
        table = http.post("/api/tables", json={"book": "new_jersey"}).json()["id"]
        evening: list[dict[str, Any]] = [
            {"wish": "sit", "cents": 50_000}, {"wish": "bet", "spot": "pass", "cents": 1000}, {"wish": "roll"},
        ]  # fmt: skip
        for number, wish in enumerate(evening):
            answer = http.post(f"/api/tables/{table}/wishes", json={"id": str(number), **wish})
            assert answer.status_code == 200, answer.text


def _demand_only_granted(server: Running, table_id: str) -> None:
    """See that rows are of granted wishes alone, each of one, but for the first, which opens the table."""
    columns = (commands.c.first_sequence, commands.c.last_sequence, commands.c.response)
    with server.journal.database.reading() as connection:
        found = list(connection.execute(sa.select(*columns).where(commands.c.table_id == table_id)))
    told = Counter({1: 1})
    for first, last, response in found:
        told.update(range(first, last + 1))
        assert json.loads(response)["ok"] or last < first, f"a no made rows {first} to {last} of {table_id}"
    assert told == Counter(range(1, server.journal.load(table_id).sequence + 1)), table_id


def main() -> None:
    """Fuzz for as long as it is wished for."""
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description="Say everything wrong to a real server.")
    parser.add_argument("--inputs", type=int, default=200_000, help="how many frames (200,000)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="makes the same frames again")
    given = parser.parse_args()
    total, codes, began = 0, Counter[str](), time.monotonic()
    for number in range(-(-given.inputs // A_ROUND)):
        with tempfile.TemporaryDirectory() as folder:
            server = Running(f"sqlite:///{Path(folder) / 'fuzz.db'}", EASY, PATIENT)
            print(f"seed {given.seed}, round {number}", flush=True)
            tally = fuzz(server, f"{given.seed}-{number}", min(A_ROUND, given.inputs - total))
            server.stop()
        total, codes = total + tally.inputs, codes + tally.codes
        print(f"{total:,} inputs in {time.monotonic() - began:.0f} s", flush=True)
    for code, times in codes.most_common():
        print(f"{times:8,}  {code}")
    print("no fault, no crash, nothing changed by what was refused")


if __name__ == "__main__":
    main()
