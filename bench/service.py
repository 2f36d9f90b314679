"""The table service under load: the real server in a process of its own, a crowd of sockets in this one.

    python bench/service.py

Prints, all of one run on one machine:

- bets a second that are on the disk when they are answered, of 50 clients at 5 tables that each wait for their answer,
  against commits of one row through the same driver with the same settings, in turns;
- how long a bet takes to its answer, and a throw to the last client at the table, for 500 clients at 50 tables that
  play at a pace of people, and how long a bet takes when all of them bet as fast as they are answered;
- memory of the server for each socket that only listens;
- how long 500 clients that all lost their connection take until each is caught up again;
- how much of a core the crowd took, which shares the machine with the server, and how busy the machine was with others.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

import sqlalchemy as sa
import uvloop

from crowd import Felt, Seat, gather_crowd
from trueodds.fair import Key
from trueodds.journal import check_journal, open_journal
from trueodds.journal.database import Database

ROUNDS = 7
ROUND_S = 2.0
BETS_A_ROLL = 4
PERIOD_S = 4.0
"""How often a table throws when 500 play: each of its ten bets once in between, at a moment of its own."""

LOADED_S = 24.0
SATURATED_S = 10.0
IDLE = 500


def main() -> None:
    print(f"{os.cpu_count()} cores, load before anything was started {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        bets_a_second(Path(folder))
        five_hundred(Path(folder))


def bets_a_second(folder: Path) -> None:
    """Compare bets with plain commits, in turns."""
    database = folder / "bets.db"
    with serving(database) as (port, _), uvloop_runner() as runner:
        plain = Plain(folder / "plain.db")
        felts = runner.run(gather_crowd(port, 5, 10))
        plain.commit_for(ROUND_S)
        runner.run(bet_for(felts, ROUND_S))
        pairs = []
        for _ in range(ROUNDS):
            bets, _ = runner.run(bet_for(felts, ROUND_S))
            commits = plain.commit_for(ROUND_S)
            syncs = syncs_a_second(folder / "syncs")
            pairs.append((bets, commits, syncs))
            print(
                f"durable bets {bets:6,.0f}/s   plain commits {commits:6,.0f}/s   ratio {bets / commits:4.2f}   "
                f"the disk alone {syncs:6,.0f} syncs/s"
            )
        runner.run(converge(felts))
    bets, commits, syncs = (median(column) for column in zip(*pairs, strict=True))
    print(f"50 clients at 5 tables, medians of {ROUNDS} rounds: {bets / commits:.2f} bets for one plain commit")
    print(f"the disk alone: {syncs:,.0f} syncs/s; the slower it is, the more bets share a commit")
    demand_clean(database)


def five_hundred(folder: Path) -> None:
    """Measure latencies, memory and a storm of reconnections."""
    database = folder / "many.db"
    with serving(database) as (port, server), uvloop_runner() as runner:
        runner.run(gather_crowd(port, 1, 10))
        before = resident_kib(server)
        felts = runner.run(gather_crowd(port, 50, 10))
        crowd = [seat for felt in felts for seat in felt.seats]
        seated = resident_kib(server)
        watchers = runner.run(watch(port, felts[0], IDLE))
        print(f"memory of the server: {before / 1024:,.0f} MiB with 10 clients")
        print(f"for each of 500 clients that sit at 50 tables {(seated - before) / 500:.0f} KiB, tables included")
        print(f"for each of {IDLE} that only watch {(resident_kib(server) - seated) / IDLE:.0f} KiB")
        for watcher in watchers:
            watcher.drop()
        with own_share():
            acknowledged, rolled = runner.run(evening(felts))
        say("bet to answer", acknowledged)
        say("throw to the last client of its table", rolled)
        runner.run(converge(felts))
        with own_share():
            rate, waited = runner.run(bet_for(felts, SATURATED_S))
        say(f"all 500 as fast as they are answered, {rate:,.0f} bets/s: bet to answer", waited)
        runner.run(converge(felts))
        taken = runner.run(storm(crowd))
        print(f"500 connections lost at once: all caught up again after {taken:.2f} s")
        runner.run(converge(felts))
    demand_clean(database)


def say(what: str, seconds: list[float]) -> None:
    cuts = quantiles(seconds, n=100)
    print(
        f"{what}: p50 {cuts[49] * 1000:,.1f} ms, p99 {cuts[98] * 1000:,.1f} ms, worst {max(seconds) * 1000:,.1f} ms "
        f"({len(seconds):,} of them)"
    )


# ------------------------------------------------------------------------------------------------- the crowd


async def bet_for(felts: list[Felt], seconds: float) -> tuple[float, list[float]]:
    """Let everybody bet as fast as answers come; bets a second, and the seconds of each to its answer."""
    began = time.perf_counter()
    until = began + seconds
    waited: list[float] = []
    await asyncio.gather(*(bet_on(seat, until, waited) for felt in felts for seat in felt.seats))
    return len(waited) / (time.perf_counter() - began), waited


async def bet_on(seat: Seat, until: float, waited: list[float]) -> None:
    """Bet on the field, and now and then on the line; whoever has the dice throws, so that the layout stays small."""
    while time.perf_counter() < until:
        for _ in range(BETS_A_ROLL):
            await bet(seat, "field", waited)
        if seat.felt.holder == seat.person:
            await bet(seat, "pass", waited)
            await seat.wish("roll")


async def bet(seat: Seat, spot: str, waited: list[float]) -> None:
    """Bet, and note how long the answer took. One that is refused, since bets are closed, counts for nothing."""
    asked = time.perf_counter()
    if await seat.wish("bet", spot=spot, cents=500):
        waited.append(time.perf_counter() - asked)


async def evening(felts: list[Felt]) -> tuple[list[float], list[float]]:
    """Play with 500 clients at a pace of people; seconds of every bet to its answer, and of every throw."""
    dice = random.Random(7)
    for felt in felts:
        for seat in felt.seats:
            seat.keeps_seeds = True
            seat.promise()
    bets: list[float] = []
    throws: list[float] = []
    await asyncio.gather(*(play(felt, dice, bets, throws) for felt in felts))
    return bets, throws


async def play(felt: Felt, dice: random.Random, bets: list[float], throws: list[float]) -> None:
    clock = asyncio.get_running_loop().time
    begin = clock() + dice.random() * PERIOD_S
    for number in range(int(LOADED_S / PERIOD_S)):
        start = begin + number * PERIOD_S
        moments = [start + dice.random() * (PERIOD_S - 0.5) for _ in felt.seats]
        await asyncio.gather(*(bet_at(seat, at, bets) for seat, at in zip(felt.seats, moments, strict=True)))
        await asyncio.sleep(max(0.0, start + PERIOD_S - 0.4 - clock()))
        shooter = next(seat for seat in felt.seats if seat.person == felt.holder)
        await shooter.wish("bet", spot="pass", cents=500)
        known, asked = set(felt.thrown), clock()
        if not await shooter.wish("roll"):
            raise SystemExit("a throw was refused")
        while not (new := set(felt.thrown) - known) or len(felt.thrown[min(new)]) < len(felt.seats):
            await asyncio.sleep(0.002)
        throws.append(max(felt.thrown[min(new)]) - asked)


async def bet_at(seat: Seat, moment: float, bets: list[float]) -> None:
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(max(0.0, moment - clock()))
    asked = clock()
    if not await seat.wish("bet", spot="field", cents=500):
        raise SystemExit("a bet was refused")
    bets.append(clock() - asked)


async def watch(port: int, felt: Felt, clients: int) -> list[Seat]:
    """Open sockets that only listen, each with the cookie of one of the players and at most ten for each of them."""
    quiet = Felt(felt.id)
    players = [seat for seat in felt.seats for _ in range(clients // len(felt.seats))]
    watchers = [Seat(port, quiet, seat.person, seat.cookie) for seat in players]
    for watcher in watchers:
        await watcher.come()
    return watchers


async def storm(crowd: list[Seat]) -> float:
    """Lose every connection at once, and come back at once; how long until everybody is caught up."""
    for seat in crowd:
        seat.drop()
    began = time.perf_counter()
    await asyncio.gather(*(seat.come() for seat in crowd))
    return time.perf_counter() - began


async def converge(felts: list[Felt]) -> None:
    """See that everybody at a table comes to the same last row."""
    for _ in range(200):
        if all(len({(seat.last, seat.hash) for seat in felt.seats}) == 1 for felt in felts):
            print(f"{sum(len(felt.seats) for felt in felts)} clients: all at the same last row of their table, no gap")
            return
        await asyncio.sleep(0.05)
    raise SystemExit("clients of one table know different rows")


# ---------------------------------------------------------------------------------------- the other processes


class Plain:
    """Commits of one row through the engine of the journal, with all of its settings."""

    def __init__(self, file: Path) -> None:
        self._database = Database(f"sqlite:///{file}")
        self._table = sa.Table(
            "plain", sa.MetaData(), sa.Column("number", sa.Integer, primary_key=True), sa.Column("body", sa.Text)
        )
        with self._database.writing() as connection:
            self._table.create(connection)

    def commit_for(self, seconds: float) -> float:
        """Write rows, each in a transaction of its own; commits a second."""
        began, rows = time.perf_counter(), 0
        while time.perf_counter() < began + seconds:
            with self._database.writing() as connection:
                connection.execute(sa.insert(self._table), {"body": "a bet of $5 on the field, for example"})
            rows += 1
        return rows / (time.perf_counter() - began)


def syncs_a_second(file: Path) -> float:
    """Write and sync without any database: a disk that is slow at it flatters whoever commits many bets together."""
    began, times = time.perf_counter(), 0
    with file.open("wb", buffering=0) as opened:
        while time.perf_counter() < began + ROUND_S / 4:
            opened.write(bytes(4096))
            os.fsync(opened.fileno())
            times += 1
    return times / (time.perf_counter() - began)


@contextmanager
def serving(database: Path) -> Iterator[tuple[int, int]]:
    """Run the server in a process of its own; gives port and process."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        port = listener.getsockname()[1]
        command = [sys.executable, __file__, "--serve", str(database), str(listener.fileno())]
        process = subprocess.Popen(command, pass_fds=[listener.fileno()])
    try:
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(30)


def serve(database: str, listener: int) -> None:
    """Be the server: as `trueodds serve` is, but in no hurry with anybody."""
    from uvicorn import Server  # noqa: PLC0415  only this process needs it

    from trueodds.server import Settings, make_app  # noqa: PLC0415
    from trueodds.server.running import server_config  # noqa: PLC0415
    from trueodds.server.settings import Rate, now_ms  # noqa: PLC0415
    from trueodds.service.floor import Floor  # noqa: PLC0415
    from trueodds.service.pace import Pace  # noqa: PLC0415

    often = Rate(1_000_000, 1_000_000)
    key = Key(os.urandom(32))
    pace = Pace(between_ms=0, window_ms=0, opening_ms=5_000, shooter_ms=600_000, offer_ms=600_000)
    with open_journal(f"sqlite:///{database}") as journal:
        floor = Floor(journal, key, now_ms, pace=pace)
        settings = Settings(key, requests=often, wishes=often, door=often, sockets_each=100)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        config = server_config(make_app(floor, journal, settings), "127.0.0.1", 0)
        with suppress(KeyboardInterrupt):
            Server(config).run([socket.socket(fileno=listener)])
        floor.close()


@contextmanager
def own_share() -> Iterator[None]:
    """Say how much of a core this process took, so that one can see whether the crowd was what was slow."""
    began, took = time.perf_counter(), time.process_time()
    yield
    print(f"the crowd took {(time.process_time() - took) / (time.perf_counter() - began):.0%} of a core")


def uvloop_runner() -> asyncio.Runner:
    """Give the crowd the quicker loop, which the server has, too."""
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def resident_kib(process: int) -> int:
    """Ask how much memory a process has."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=True).stdout)


def demand_clean(database: Path) -> None:
    with open_journal(f"sqlite:///{database}", create=False) as journal:
        findings = check_journal(journal)
    if findings:
        raise SystemExit(f"the journal is not whole: {findings[:3]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
    else:
        main()
