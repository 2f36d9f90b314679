"""The frame fuzzer: clients that send malformed and unexpected frames to a real server.

    python3 dev.py fuzz [--inputs N] [--seed S]

Every frame must get a reply, or the socket must be closed as the protocol requires. A refused command must change
nothing, and the same id must get the same reply.
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

from support.frame_maker import FrameGenerator, GeneratedFrame
from support.raw_websocket import ClosedError, HandshakeRefusedError, RawWebSocket
from support.running_server import TEST_SETTINGS, RunningServer, http_client
from trueodds.fair import make_commitment
from trueodds.journal import check_journal
from trueodds.journal.schema import command_replies
from trueodds.service.pace import Pace
from trueodds.service.roll_audit import RollAuditor

SLOW_PACE = Pace(
    min_roll_interval_ms=0,
    betting_window_ms=0,
    seed_timeout_ms=600_000,
    shooter_timeout_ms=600_000,
    offer_timeout_ms=600_000,
)
"""No timeouts: every event comes from a command."""

BOOKS = ("new_jersey", "maryland", "rws", "south_dakota", "win_line")
CLOSE_CODES = {1000, 1002, 1007, 1009}
"""Close codes allowed after a violation of the protocol."""

EXPECTED = ("ASGI callable returned without completing handshake", "Invalid UTF-8 sequence")
"""Log messages of uvicorn that are refused handshakes or client errors, not bugs."""

INPUTS_PER_ROUND = 20_000
SIGNUP_SHARE = 0.01
"""The share of inputs that are handshakes."""


@dataclass
class FuzzCounts:
    """Counts of inputs and of reply codes."""

    inputs: int = 0
    codes: Counter[str] = field(default_factory=Counter)


class FaultLog(logging.Handler):
    """Collects unexpected errors from all loggers."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.getMessage().startswith(EXPECTED):
            self.messages.append(f"{record.getMessage()} {record.exc_info}")


class FuzzClient:
    """One player who fuzzes one table over one socket at a time."""

    def __init__(self, server: RunningServer, seed: str, table: str, me: str, cookie: str, *, alone: bool) -> None:
        self._server = server
        self._headers = {"Origin": server.address, "Cookie": f"trueodds={cookie}"}
        self._table = table
        self._me = me
        self._alone = alone
        self._maker = FrameGenerator(seed)
        self._socket: RawWebSocket | None = None
        self._last = 0
        self._last_accepted = 0
        self._replies: dict[str, dict[str, Any]] = {}
        self._rolls = 0
        self._is_seated = self._is_locked = self._has_committed = False

    async def fuzz(self, inputs: int, tally: FuzzCounts) -> None:
        while inputs > 0:
            if self._maker.random.random() < SIGNUP_SHARE:
                await self._fuzz_signup(tally)
            else:
                await self._send(self._maker.make(self._next_seed_command()), tally)
            inputs -= 1
            tally.inputs += 1
        if self._socket is not None:
            self._socket.close()

    async def _send(self, made: GeneratedFrame, tally: FuzzCounts) -> None:
        socket = self._socket or await self._connect()
        socket.write(made.octets)
        try:
            for _ in range(made.answers):
                self._check_reply(made, await self._receive_reply(socket), tally)
        except ClosedError as closed:
            raise AssertionError(f"{made.octets[:300]!r} ended the socket: {closed}") from None
        if not made.answers:
            await self._expect_close(socket, made, tally)

    async def _expect_close(self, socket: RawWebSocket, made: GeneratedFrame, tally: FuzzCounts) -> None:
        try:
            while "event" in (frame := await socket.receive()):
                self._on_event(frame["event"])
            raise AssertionError(f"{made.octets[:300]!r} got a reply: {frame}")
        except ClosedError as closed:
            code = closed.code
        assert code in CLOSE_CODES, f"{made.octets[:300]!r}: closed with {code}"
        tally.codes[f"end {code}"] += 1
        socket.close()
        self._socket = None

    async def _connect(self) -> RawWebSocket:
        target = f"/api/tables/{self._table}/ws?after={self._last}"
        socket = self._socket = await RawWebSocket.open(self._server.port, target, self._headers)
        while "event" in (frame := await socket.receive()):
            self._on_event(frame["event"])
        assert frame == {"caught_up": True}
        return socket

    async def _receive_reply(self, socket: RawWebSocket) -> dict[str, Any]:
        while "event" in (frame := await socket.receive()):
            self._on_event(frame["event"])
        return frame

    def _on_event(self, event: dict[str, Any]) -> None:
        assert event["sequence"] == self._last + 1
        self._last = event["sequence"]
        is_mine = event["body"].get("player") == self._me
        match event["kind"]:
            case "player_joined" if is_mine:
                self._is_seated = True
            case "player_left" if is_mine:
                self._is_seated = False
            case "bet_made":
                self._maker.tags.append(event["body"]["tag"])
            case "seed_committed" if is_mine:
                self._has_committed = True
            case "seed_withdrawn" if is_mine:
                self._has_committed = False
            case "roll_locked":
                self._is_locked = True
            case "secret_revealed":
                self._rolls += 1
                self._is_locked = self._has_committed = False

    def _check_reply(self, made: GeneratedFrame, reply: dict[str, Any], tally: FuzzCounts) -> None:
        """Check a reply, and that a refused command changed nothing."""
        sent = made.octets[:300]
        assert type(reply.get("ok")) is bool, f"{sent!r}: {reply}"
        if reply["ok"]:
            self._last_accepted = max(self._last_accepted, reply["sequence"])
            tally.codes["accepted"] += 1
        else:
            error = reply["error"]
            assert error["message"], sent
            assert error["code"] not in {"internal_error", "unavailable", "stale_sequence", "stale_epoch"}, (
                f"{sent!r}: {reply}"
            )
            tally.codes[error["code"]] += 1
        if self._alone and self._last_accepted:
            assert self._last == self._last_accepted, f"{sent!r} was refused and changed something: {reply}"
        if isinstance(reply.get("reply_to"), str):
            first = self._replies.setdefault(reply["reply_to"], reply)
            assert first == reply, f"{sent!r} got {first} before and now {reply}"
            self._maker.ids.append(reply["reply_to"])

    def _next_seed_command(self) -> dict[str, Any] | None:
        """Return a command that would be accepted now: to join, or for the seed."""
        if not self._is_seated:
            return {"command": "join", "cents": 1_000_000}
        seed = random.Random(f"{self._me} {self._rolls}").randbytes(32)
        if self._is_locked:
            return {"command": "open_seed", "seed": seed.hex()} if self._has_committed else None
        roll = self._rolls + 1
        commitment = make_commitment(self._table, roll, self._me, seed)
        return None if self._has_committed else {"command": "commit_seed", "roll": roll, "commitment": commitment.hex()}

    async def _fuzz_signup(self, tally: FuzzCounts) -> None:
        """Open a socket with wrong parameters or headers."""
        pick = self._maker.random
        after = pick.choice(("", "-1", "1.5", "x", "9" * 30, "%00", "\u0661", "0", "1e3", "99999"))
        table = pick.choice((self._table, "nowhere", "..%2f", "a" * 65, "%ff", self._table.swapcase()))
        headers = self._headers | pick.choice(
            ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Cookie": "trueodds=" + "0" * 110},
             {"Cookie": "trueodds=;;=,\xff"}, {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Key": "short"},
             {"Sec-Fetch-Site": "cross-site"}, {"X": "y" * 9000})
        )  # fmt: skip
        try:
            socket = await RawWebSocket.open(self._server.port, f"/api/tables/{table}/ws?after={after}", headers)
            socket.close()
            status = 101
        except HandshakeRefusedError as refused:
            status = refused.status
        assert status == 101 or 400 <= status < 500, f"{table} {after} {headers}: {status}"
        tally.codes[f"handshake {status}"] += 1


def fuzz(server: RunningServer, seed: str, inputs: int) -> FuzzCounts:
    """Fuzz a server: one client alone at a table of each book, and three at one table."""
    tally, faults = FuzzCounts(), FaultLog()
    clients = _fuzz_clients(server, seed)

    async def all_at_once() -> None:
        each = -(-inputs // len(clients))
        await asyncio.gather(*(client.fuzz(each, tally) for client in clients))

    logging.getLogger().addHandler(faults)
    try:
        asyncio.run(all_at_once())
        _check_journal(server)
    finally:
        logging.getLogger().removeHandler(faults)
    assert not faults.messages, faults.messages
    return tally


def _fuzz_clients(server: RunningServer, seed: str) -> list[FuzzClient]:
    clients = []
    tables = [*((book, True) for book in BOOKS), *(("new_jersey", False),) * 3]
    shared = ""
    for number, (book, alone) in enumerate(tables):
        with http_client(server, name=f"Fuzz {seed} {number}") as http:
            me = http.get("/api/me").json()["id"]
            table = shared if shared and not alone else http.post("/api/tables", json={"book": book}).json()["id"]
            shared = shared if alone else table
            cookie = http.cookies["trueodds"]
        clients.append(FuzzClient(server, f"{seed}/{number}", table, me, cookie, alone=alone))
    return clients


def _check_journal(server: RunningServer) -> None:
    """Check that the server is healthy, that every event comes from an accepted command, and that normal bets work."""
    assert server.table_manager.is_running
    problems = check_journal(server.journal, RollAuditor())
    assert not problems, problems[:5]
    for header in server.journal.headers():
        _check_only_accepted(server, header.table_id)
    with http_client(server, name=f"Guest {secrets.token_hex(4)}") as http:
        assert http.get("/healthz").json() == {"ok": True}
        for header in server.journal.headers():
            assert http.get(f"/api/tables/{header.table_id}").status_code == 200
        table = http.post("/api/tables", json={"book": "new_jersey"}).json()["id"]
        commands: list[dict[str, Any]] = [
            {"command": "join", "cents": 50_000}, {"command": "bet", "spot": "pass", "stake_cents": 1000},
            {"command": "roll"},
        ]  # fmt: skip
        for number, command in enumerate(commands):
            answer = http.post(f"/api/tables/{table}/commands", json={"id": str(number), **command})
            assert answer.status_code == 200, answer.text


def _check_only_accepted(server: RunningServer, table_id: str) -> None:
    """Check that every event except the first belongs to exactly one accepted command."""
    columns = (command_replies.c.first_sequence, command_replies.c.last_sequence, command_replies.c.reply)
    with server.journal.database.read_transaction() as connection:
        rows = list(connection.execute(sa.select(*columns).where(command_replies.c.table_id == table_id)))
    sequences = Counter({1: 1})
    for first, last, reply in rows:
        sequences.update(range(first, last + 1))
        assert json.loads(reply)["ok"] or last < first, f"a refusal made events {first} to {last} of {table_id}"
    assert sequences == Counter(range(1, server.journal.load_state(table_id).sequence + 1)), table_id


def main() -> None:
    """Run the fuzzer from the command line."""
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description="Send malformed input to a real server.")
    parser.add_argument("--inputs", type=int, default=200_000, help="Number of frames (default: 200,000)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="Random seed (default: random)")
    given = parser.parse_args()
    total, codes, began = 0, Counter[str](), time.monotonic()
    for number in range(-(-given.inputs // INPUTS_PER_ROUND)):
        with tempfile.TemporaryDirectory() as folder:
            server = RunningServer(f"sqlite:///{Path(folder) / 'fuzz.db'}", TEST_SETTINGS, SLOW_PACE)
            print(f"seed {given.seed}, round {number}", flush=True)
            tally = fuzz(server, f"{given.seed}-{number}", min(INPUTS_PER_ROUND, given.inputs - total))
            server.stop()
        total, codes = total + tally.inputs, codes + tally.codes
        print(f"{total:,} inputs in {time.monotonic() - began:.0f} s", flush=True)
    for code, times in codes.most_common():
        print(f"{times:8,}  {code}")
    print("no internal error, no crash, no change by a refused command")


if __name__ == "__main__":
    main()
