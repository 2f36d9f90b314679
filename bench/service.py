"""The server under load: the real server in one process, many clients in another.

    python bench/service.py

Everything is measured in one run on one machine:

- Durable bets per second of 50 clients at 5 tables, each waiting for its reply, compared with single-row commits
  through the same driver with the same settings. The two take turns.
- For 500 clients at 50 tables at a human pace, the time from a bet to its reply and from a roll to the last client of
  the table. Then the time from a bet to its reply while all clients bet as fast as they get replies.
- The server's memory per socket that only listens.
- The time until 500 clients that lost their connections at once have all caught up.
- The share of a core that the clients took, since they share the machine with the server.
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

from load_clients import LoadSeat, LoadTable, connect_players
from trueodds.fair import ServerKey
from trueodds.journal import check_journal, open_journal
from trueodds.journal.database import Database

ROUNDS = 7
ROUND_S = 2.0
BETS_PER_ROLL = 4
PERIOD_S = 4.0
"""The time between two rolls of a table when 500 clients play. Each of its ten players bets once in between."""

LOADED_S = 24.0
SATURATED_S = 10.0
WATCHERS = 500


def main() -> None:
    print(f"{os.cpu_count()} cores, load before the start {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        measure_durable_bets(Path(folder))
        measure_500_clients(Path(folder))


def measure_durable_bets(folder: Path) -> None:
    """Compare durable bets with plain commits, in turns."""
    database = folder / "bets.db"
    with serving(database) as (port, _), uvloop_runner() as runner:
        plain = PlainCommits(folder / "plain.db")
        tables = runner.run(connect_players(port, 5, 10))
        plain.commit_for(ROUND_S)
        runner.run(bet_for_seconds(tables, ROUND_S))
        pairs = []
        for _ in range(ROUNDS):
            bets, _ = runner.run(bet_for_seconds(tables, ROUND_S))
            commits = plain.commit_for(ROUND_S)
            syncs = syncs_per_second(folder / "syncs")
            pairs.append((bets, commits, syncs))
            print(
                f"durable bets {bets:6,.0f}/s   plain commits {commits:6,.0f}/s   ratio {bets / commits:4.2f}   "
                f"disk only {syncs:6,.0f} syncs/s"
            )
        runner.run(check_same_last_event(tables))
    bets, commits, syncs = (median(column) for column in zip(*pairs, strict=True))
    print(f"50 clients at 5 tables, medians of {ROUNDS} rounds: {bets / commits:.2f} bets per plain commit")
    print(f"disk only: {syncs:,.0f} syncs/s; the slower the disk, the more bets share a commit")
    check_clean_journal(database)


def measure_500_clients(folder: Path) -> None:
    """Measure latencies, memory and mass reconnection with 500 clients."""
    database = folder / "many.db"
    with serving(database) as (port, server), uvloop_runner() as runner:
        runner.run(connect_players(port, 1, 10))
        before = resident_kib(server)
        tables = runner.run(connect_players(port, 50, 10))
        seats = [seat for table in tables for seat in table.seats]
        seated = resident_kib(server)
        watchers = runner.run(open_watchers(port, tables[0], WATCHERS))
        print(f"memory of the server: {before / 1024:,.0f} MiB with 10 clients")
        print(f"per client, 500 clients seated at 50 tables: {(seated - before) / 500:.0f} KiB including the tables")
        print(f"per client, {WATCHERS} clients that only watch: {(resident_kib(server) - seated) / WATCHERS:.0f} KiB")
        for watcher in watchers:
            watcher.disconnect()
        with print_client_cpu():
            reply_times, roll_times = runner.run(play_at_human_pace(tables))
        print_latencies("bet to reply", reply_times)
        print_latencies("roll to the last client of its table", roll_times)
        runner.run(check_same_last_event(tables))
        with print_client_cpu():
            rate, waited = runner.run(bet_for_seconds(tables, SATURATED_S))
        print_latencies(f"all 500 as fast as they get replies, {rate:,.0f} bets/s: bet to reply", waited)
        runner.run(check_same_last_event(tables))
        taken = runner.run(reconnect_all(seats))
        print(f"500 connections lost at once: all caught up after {taken:.2f} s")
        runner.run(check_same_last_event(tables))
    check_clean_journal(database)


def print_latencies(label: str, seconds: list[float]) -> None:
    cuts = quantiles(seconds, n=100)
    print(
        f"{label}: p50 {cuts[49] * 1000:,.1f} ms, p99 {cuts[98] * 1000:,.1f} ms, worst {max(seconds) * 1000:,.1f} ms "
        f"({len(seconds):,} measured)"
    )


# ------------------------------------------------------------------------------------------------- the clients


async def bet_for_seconds(tables: list[LoadTable], seconds: float) -> tuple[float, list[float]]:
    """Let all seats bet as fast as they get replies. Return the bets per second and the seconds to each reply."""
    began = time.perf_counter()
    until = began + seconds
    waited: list[float] = []
    await asyncio.gather(*(keep_betting(seat, until, waited) for table in tables for seat in table.seats))
    return len(waited) / (time.perf_counter() - began), waited


async def keep_betting(seat: LoadSeat, until: float, waited: list[float]) -> None:
    """Bet on the field. The seat with the dice also bets on the line and rolls, so that the layout stays small."""
    while time.perf_counter() < until:
        for _ in range(BETS_PER_ROLL):
            await bet(seat, "field", waited)
        if seat.table.shooter_id == seat.player_id:
            await bet(seat, "pass", waited)
            await seat.send_command("roll")


async def bet(seat: LoadSeat, spot: str, waited: list[float]) -> None:
    """Bet and record the seconds to the reply. Bets refused because betting is closed do not count."""
    asked = time.perf_counter()
    if await seat.send_command("bet", spot=spot, stake_cents=500):
        waited.append(time.perf_counter() - asked)


async def play_at_human_pace(tables: list[LoadTable]) -> tuple[list[float], list[float]]:
    """Play at a human pace. Return the seconds from bets to replies and from rolls to the last client."""
    dice = random.Random(7)
    for table in tables:
        for seat in table.seats:
            seat.commits_seeds = True
            seat.commit_seed()
    bets: list[float] = []
    rolls: list[float] = []
    await asyncio.gather(*(play_table(table, dice, bets, rolls) for table in tables))
    return bets, rolls


async def play_table(table: LoadTable, dice: random.Random, bets: list[float], rolls: list[float]) -> None:
    clock = asyncio.get_running_loop().time
    begin = clock() + dice.random() * PERIOD_S
    for number in range(int(LOADED_S / PERIOD_S)):
        start = begin + number * PERIOD_S
        moments = [start + dice.random() * (PERIOD_S - 0.5) for _ in table.seats]
        await asyncio.gather(*(bet_at(seat, at, bets) for seat, at in zip(table.seats, moments, strict=True)))
        await asyncio.sleep(max(0.0, start + PERIOD_S - 0.4 - clock()))
        shooter = next(seat for seat in table.seats if seat.player_id == table.shooter_id)
        await shooter.send_command("bet", spot="pass", stake_cents=500)
        known, asked = set(table.roll_times), clock()
        if not await shooter.send_command("roll"):
            raise SystemExit("a roll was refused")
        while not (new := set(table.roll_times) - known) or len(table.roll_times[min(new)]) < len(table.seats):
            await asyncio.sleep(0.002)
        rolls.append(max(table.roll_times[min(new)]) - asked)


async def bet_at(seat: LoadSeat, moment: float, bets: list[float]) -> None:
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(max(0.0, moment - clock()))
    asked = clock()
    if not await seat.send_command("bet", spot="field", stake_cents=500):
        raise SystemExit("a bet was refused")
    bets.append(clock() - asked)


async def open_watchers(port: int, table: LoadTable, clients: int) -> list[LoadSeat]:
    """Open sockets that only listen, with the cookies of the players in turn."""
    watched = LoadTable(table.id)
    players = [seat for seat in table.seats for _ in range(clients // len(table.seats))]
    watchers = [LoadSeat(port, watched, seat.player_id, seat.cookie) for seat in players]
    for watcher in watchers:
        await watcher.connect()
    return watchers


async def reconnect_all(seats: list[LoadSeat]) -> float:
    """Drop all connections, reconnect, and return the seconds until all seats have caught up."""
    for seat in seats:
        seat.disconnect()
    began = time.perf_counter()
    await asyncio.gather(*(seat.connect() for seat in seats))
    return time.perf_counter() - began


async def check_same_last_event(tables: list[LoadTable]) -> None:
    """Exit unless all seats of each table arrive at the same last event."""
    for _ in range(200):
        if all(len({(seat.last, seat.hash) for seat in table.seats}) == 1 for table in tables):
            count = sum(len(table.seats) for table in tables)
            print(f"{count} clients: all at the same last event of their table, without gaps")
            return
        await asyncio.sleep(0.05)
    raise SystemExit("clients of one table have different last events")


# ---------------------------------------------------------------------------------------- the other processes


class PlainCommits:
    """Commits of a single row through the journal's database engine, with its settings."""

    def __init__(self, file: Path) -> None:
        self._database = Database(f"sqlite:///{file}")
        self._table = sa.Table(
            "plain", sa.MetaData(), sa.Column("number", sa.Integer, primary_key=True), sa.Column("body", sa.Text)
        )
        with self._database.write_transaction() as connection:
            self._table.create(connection)

    def commit_for(self, seconds: float) -> float:
        """Write rows in separate transactions. Return the commits per second."""
        began, rows = time.perf_counter(), 0
        while time.perf_counter() < began + seconds:
            with self._database.write_transaction() as connection:
                connection.execute(sa.insert(self._table), {"body": "a bet of $5 on the field, for example"})
            rows += 1
        return rows / (time.perf_counter() - began)


def syncs_per_second(file: Path) -> float:
    """Write and sync without a database. A slow disk favors the server, which commits many bets together."""
    began, times = time.perf_counter(), 0
    with file.open("wb", buffering=0) as opened:
        while time.perf_counter() < began + ROUND_S / 4:
            opened.write(bytes(4096))
            os.fsync(opened.fileno())
            times += 1
    return times / (time.perf_counter() - began)


@contextmanager
def serving(database: Path) -> Iterator[tuple[int, int]]:
    """Run the server in its own process and yield its port and process id."""
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
    """Run the server like `trueodds serve`, without rate limits and waiting times."""
    from uvicorn import Server  # noqa: PLC0415  only this process needs it

    from trueodds.server import Settings, make_app  # noqa: PLC0415
    from trueodds.server.settings import Rate, now_ms  # noqa: PLC0415
    from trueodds.server.uvicorn_config import uvicorn_config  # noqa: PLC0415
    from trueodds.service.pace import Pace  # noqa: PLC0415
    from trueodds.service.table_manager import TableManager  # noqa: PLC0415

    unlimited = Rate(1_000_000, 1_000_000)
    key = ServerKey(os.urandom(32))
    pace = Pace(
        min_roll_interval_ms=0,
        betting_window_ms=0,
        seed_timeout_ms=5_000,
        shooter_timeout_ms=600_000,
        offer_timeout_ms=600_000,
    )
    with open_journal(f"sqlite:///{database}") as journal:
        manager = TableManager(journal, key, now_ms, pace=pace)
        settings = Settings(
            key, request_rate=unlimited, command_rate=unlimited, signup_rate=unlimited, sockets_per_client=100
        )
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        config = uvicorn_config(make_app(manager, journal, settings), "127.0.0.1", 0)
        with suppress(KeyboardInterrupt):
            Server(config).run([socket.socket(fileno=listener)])
        manager.close()


@contextmanager
def print_client_cpu() -> Iterator[None]:
    """Print the share of a core that this process took, to see whether the clients were the bottleneck."""
    began, took = time.perf_counter(), time.process_time()
    yield
    print(f"the clients took {(time.process_time() - took) / (time.perf_counter() - began):.0%} of a core")


def uvloop_runner() -> asyncio.Runner:
    """Return a runner with uvloop, which the server uses too."""
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def resident_kib(process: int) -> int:
    """Return the resident memory of a process."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=True).stdout)


def check_clean_journal(database: Path) -> None:
    with open_journal(f"sqlite:///{database}", create=False) as journal:
        findings = check_journal(journal)
    if findings:
        raise SystemExit(f"the journal has errors: {findings[:3]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
    else:
        main()
