"""`trueodds bot`: a strategy at a table of a server."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from support.running_server import FAST_PACE, RunningServer, run
from support.trueodds_process import ENVIRONMENT, RUN_CLI
from trueodds.cli.app import app
from trueodds.cli.remote_bot import BotOptions, run_bot
from trueodds.client import Client, ServerRefusedError
from trueodds.journal import check_journal
from trueodds.service.roll_audit import RollAuditor
from trueodds.strategy import StrategyError, builtin_strategy


def wanted(server: RunningServer, strategy: str, **more: Any) -> BotOptions:
    return BotOptions(server.address, builtin_strategy(strategy), wait_s=0)._replace(**more)


def roll_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r" *\d+  \d-\d", line)]


def test_a_bot_opens_a_table_plays_and_leaves(serve: Callable[..., RunningServer]) -> None:
    server, said = serve(), list[str]()
    run(run_bot(wanted(server, "molly", rolls=25, book="maryland", name="Polly"), said.append))
    assert said[0].startswith("Polly plays Three point molly at table ")
    assert len(roll_lines(said)) >= 25
    (header,) = server.journal.headers()
    assert header.book_id == "maryland"
    state = server.journal.load_state(header.table_id)
    assert not state.position.seats
    rolled = server.journal.events_of_kind(header.table_id, "rolled")
    assert len(rolled) == len(roll_lines(said)), "one line per roll"
    (cashed,) = server.journal.events_of_kind(header.table_id, "cashed_out")
    cents = cashed.decode().body["cents"]  # type: ignore[union-attr]  # a record
    assert said[-1].startswith(f"left after {len(rolled)} rolls with ${cents // 100:,}")
    assert not check_journal(server.journal, RollAuditor())


def test_open_bets_are_played_out(serve: Callable[..., RunningServer]) -> None:
    """A line bet with a point stays: the bot throws on until it is decided, and bets no more."""
    server = serve()
    for _ in range(4):
        said: list[str] = []
        run(run_bot(wanted(server, "pass", rolls=1), said.append))
        count = len(roll_lines(said))
        played_out = "waiting for the bets that must stay up" in said
        assert played_out == ("the point is" in roll_lines(said)[0])
        assert played_out == (count > 1)
        assert said[-1].startswith(f"left after {count} rolls")


@pytest.mark.parametrize("book", ["rws", "new_jersey"])
def test_bots_leave_after_their_come_bets_are_decided(serve: Callable[..., RunningServer], book: str) -> None:
    """Also where the book has no throw without a line bet: they leave the dice to the table instead of giving them to
    each other for ever.
    """
    server = serve(pace=replace(FAST_PACE, shooter_timeout_ms=200, offer_timeout_ms=200))

    async def evening(number: int) -> str:
        async with Client(server.address) as client:
            await client.create_guest(f"Ann {number}")
            table = str((await client.create_table(book))["id"])
        visits = [run_bot(wanted(server, "pass_2_come", rolls=5, table=table), lambda _: None) for _ in range(2)]
        await asyncio.gather(*visits)
        return table

    for number in range(4):
        table = run(evening(number))
        assert not server.journal.load_state(table).position.seats
    assert not check_journal(server.journal, RollAuditor())


def test_two_bots_survive_a_restart(serve: Callable[..., RunningServer], url: str) -> None:
    """By invitation; the one that cannot throw gives the dice on, and the other one throws for both."""
    server = serve(url)

    async def evening() -> tuple[str, list[str], list[str]]:
        async with Client(server.address) as client:
            await client.create_guest("Ann")
            made = await client.create_table("new_jersey", is_public=False)
        at = {"table": made["id"], "invitation": made["invitation"]}
        one, two = list[str](), list[str]()
        cross = run_bot(wanted(server, "iron_cross", rolls=15, buy_in_cents=500_000, **at), two.append)
        tasks = [asyncio.create_task(cross)]
        while "passes the dice: it cannot roll without a line bet" not in two:
            await asyncio.sleep(0.01)
        line = run_bot(wanted(server, "pass_345", rolls=25, buy_in_cents=500_000, **at), one.append)
        tasks.append(asyncio.create_task(line))
        while len(roll_lines(one)) < 8:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await asyncio.gather(*tasks)
        return made["id"], one, two

    table, one, two = run(evening())
    assert len(roll_lines(one)) >= 25
    assert len(roll_lines(two)) >= 15
    assert not server.journal.load_state(table).position.seats
    assert not check_journal(server.journal, RollAuditor())


def test_a_bot_that_cannot_pay_leaves(serve: Callable[..., RunningServer]) -> None:
    server, said = serve(), list[str]()
    run(run_bot(wanted(server, "pass", buy_in_cents=900), said.append))
    assert said[1:] == ["leaving: cannot pay the next bet", "left after 0 rolls with $9 ($0)"]


def test_a_strategy_that_is_not_allowed_is_refused(serve: Callable[..., RunningServer]) -> None:
    server = serve()
    with pytest.raises(StrategyError, match="big"):
        run(run_bot(wanted(server, "big_6_8", book="new_jersey"), print))
    with pytest.raises(ServerRefusedError, match="No such table"):
        run(run_bot(wanted(server, "molly", table="nowhere"), print))


def test_an_interrupt_leaves_the_table(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    """As a process, with a strategy of its own file; a point may have to be played out first."""
    server = serve()
    (tmp_path / "mine.toml").write_text('name = "Mine"\n[[play]]\nkeep = "pass"\nstake = 10\n')
    options = ["--strategy", str(tmp_path / "mine.toml"), "--wait", "0.05", "--buy-in", "800.50"]
    bot = subprocess.Popen(
        [sys.executable, "-u", "-c", RUN_CLI, "bot", server.address, *options],
        text=True,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
    )
    try:
        assert bot.stdout is not None
        said = [bot.stdout.readline() for _ in range(4)]
        bot.send_signal(signal.SIGINT)
        rest, _ = bot.communicate(timeout=60)
    finally:
        bot.kill()
        bot.wait()
    assert bot.returncode == 0
    assert "plays Mine" in said[0]
    assert "leaving: interrupted" in rest
    assert "left after" in rest
    (header,) = server.journal.headers()
    assert not server.journal.load_state(header.table_id).position.seats


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["http://127.0.0.1:9", "--strategy", "pass"], "http://127.0.0.1:9 cannot be reached"),
        (["127.0.0.1:8000", "--strategy", "pass"], "the address of a server must look like"),
        (["http://127.0.0.1:9", "--strategy", "no_such"], "no built-in strategy is called 'no_such'"),
        (["http://127.0.0.1:9", "--strategy", "no_such.toml"], "No such file"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--buy-in", "much"], "must be written like"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--buy-in", "0"], "must be positive"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--table", "t", "--book", "nj"], "not both"),
    ],
)
def test_errors_are_one_line(options: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["bot", *options])
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
