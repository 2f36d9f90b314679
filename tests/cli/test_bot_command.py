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

from running_server import QUICK, Running, run
from test_serve_command import HERE, START
from trueodds.cli.app import app
from trueodds.cli.visitor import Visit, visit
from trueodds.client import Client, RefusedError
from trueodds.journal import check_journal
from trueodds.service.proving import RollVerifier
from trueodds.strategy import StrategyError, named_strategy


def wanted(server: Running, strategy: str, **more: Any) -> Visit:
    return Visit(server.address, named_strategy(strategy), wait_s=0)._replace(**more)


def throws(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r" *\d+  \d-\d", line)]


def test_a_bot_opens_a_table_plays_and_leaves(serve: Callable[..., Running]) -> None:
    server, said = serve(), list[str]()
    run(visit(wanted(server, "molly", rolls=25, book="maryland", name="Polly"), said.append))
    assert said[0].startswith("Polly plays Three point molly at table ")
    assert len(throws(said)) >= 25
    (header,) = server.journal.tables()
    assert header.book_id == "maryland"
    state = server.journal.load(header.table_id)
    assert not state.position.seats
    rolled = server.journal.rows_of(header.table_id, "rolled")
    assert len(rolled) == len(throws(said)), "a line a throw"
    (cashed,) = server.journal.rows_of(header.table_id, "cashed_out")
    cents = cashed.content().body["cents"]  # type: ignore[union-attr]  # a record
    assert said[-1].startswith(f"left after {len(rolled)} throws with ${cents // 100:,}")
    assert not check_journal(server.journal, RollVerifier())


def test_what_is_up_at_the_end_is_played_out(serve: Callable[..., Running]) -> None:
    """A line bet with a point stays: the bot throws on until it is decided, and bets no more."""
    server = serve()
    for _ in range(4):
        said: list[str] = []
        run(visit(wanted(server, "pass", rolls=1), said.append))
        count = len(throws(said))
        played_out = "what must stay up is played out" in said
        assert played_out == ("the point is" in throws(said)[0])
        assert played_out == (count > 1)
        assert said[-1].startswith(f"left after {count} throws")


@pytest.mark.parametrize("book", ["rws", "new_jersey"])
def test_visitors_who_leave_with_come_bets_are_let_go(serve: Callable[..., Running], book: str) -> None:
    """Also where the book has no throw without a line bet: they leave the dice to the table instead of giving them to
    each other for ever.
    """
    server = serve(pace=replace(QUICK, shooter_ms=200, offer_ms=200))

    async def evening(number: int) -> str:
        async with Client(server.address) as client:
            await client.guest(f"Ann {number}")
            table = str((await client.create_table(book))["id"])
        visits = [visit(wanted(server, "pass_2_come", rolls=5, table=table), lambda _: None) for _ in range(2)]
        await asyncio.gather(*visits)
        return table

    for number in range(4):
        table = run(evening(number))
        assert not server.journal.load(table).position.seats
    assert not check_journal(server.journal, RollVerifier())


def test_two_bots_at_a_table_lose_their_server_and_go_on(serve: Callable[..., Running], url: str) -> None:
    """By invitation; the one that cannot throw gives the dice on, and the other one throws for both."""
    server = serve(url)

    async def evening() -> tuple[str, list[str], list[str]]:
        async with Client(server.address) as client:
            await client.guest("Ann")
            made = await client.create_table("new_jersey", is_open=False)
        at = {"table": made["id"], "invitation": made["invitation"]}
        one, two = list[str](), list[str]()
        cross = visit(wanted(server, "iron_cross", rolls=15, buy_in_cents=500_000, **at), two.append)
        tasks = [asyncio.create_task(cross)]
        while "gives the dice on: it could not throw them" not in two:
            await asyncio.sleep(0.01)
        line = visit(wanted(server, "pass_345", rolls=25, buy_in_cents=500_000, **at), one.append)
        tasks.append(asyncio.create_task(line))
        while len(throws(one)) < 8:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await asyncio.gather(*tasks)
        return made["id"], one, two

    table, one, two = run(evening())
    assert len(throws(one)) >= 25
    assert len(throws(two)) >= 15
    assert not server.journal.load(table).position.seats
    assert not check_journal(server.journal, RollVerifier())


def test_who_cannot_pay_leaves(serve: Callable[..., Running]) -> None:
    server, said = serve(), list[str]()
    run(visit(wanted(server, "pass", buy_in_cents=900), said.append))
    assert said[1:] == ["leaving: the next bet cannot be paid", "left after 0 throws with $9 ($0)"]


def test_a_bot_is_refused_where_its_strategy_is(serve: Callable[..., Running]) -> None:
    server = serve()
    with pytest.raises(StrategyError, match="big"):
        run(visit(wanted(server, "big_6_8", book="new_jersey"), print))
    with pytest.raises(RefusedError, match="no such table"):
        run(visit(wanted(server, "molly", table="nowhere"), print))


def test_an_interrupt_leaves_the_table(serve: Callable[..., Running], tmp_path: Path) -> None:
    """As a process, with a strategy of its own file; a point may have to be played out first."""
    server = serve()
    (tmp_path / "mine.toml").write_text('name = "Mine"\n[[play]]\nkeep = "pass"\nstake = 10\n')
    options = ["--strategy", str(tmp_path / "mine.toml"), "--wait", "0.05", "--buy-in", "800.50"]
    bot = subprocess.Popen(
        [sys.executable, "-u", "-c", START, "bot", server.address, *options],
        text=True,
        env=HERE,
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
    (header,) = server.journal.tables()
    assert not server.journal.load(header.table_id).position.seats


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["http://127.0.0.1:9", "--strategy", "pass"], "http://127.0.0.1:9 does not answer"),
        (["127.0.0.1:8000", "--strategy", "pass"], "a server is named like"),
        (["http://127.0.0.1:9", "--strategy", "no_such"], "no strategy 'no_such'"),
        (["http://127.0.0.1:9", "--strategy", "no_such.toml"], "No such file"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--buy-in", "much"], "an amount is written like"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--buy-in", "0"], "more than nothing"),
        (["http://127.0.0.1:9", "--strategy", "pass", "--table", "t", "--book", "nj"], "not both"),
    ],
)
def test_errors_are_one_line(options: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["bot", *options])
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
