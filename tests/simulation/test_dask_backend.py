"""The same result on a cluster, whoever of it survives."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster
from typer.testing import CliRunner

from trueodds.chain.simulate import Comparison, compare, simulate
from trueodds.cli.app import app
from trueodds.strategy import Pass, StrategyError, bet, keep

pytestmark = pytest.mark.filterwarnings("ignore")  # a killed worker leaves pipes and sockets behind


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    with Client(cluster, set_as_default=False) as found:
        yield found


TERMS: dict[str, Any] = {"bankroll": 300, "sessions": 400_000, "seed": 21, "rolls": 60}


def test_a_worker_killed_in_the_middle_changes_nothing(client: Any) -> None:
    killed: list[int] = []

    def kill(so_far: Comparison) -> None:
        if not killed and so_far.sessions > 20_000:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    here = compare(["molly", "pass"], "new_jersey", **TERMS)
    there = compare(["molly", "pass"], "new_jersey", **TERMS, fleet=client, progress=kill)
    assert killed
    assert there.summary() == here.summary()
    for mine, theirs in zip(here.simulations, there.simulations, strict=True):
        for name in mine.tally.counts:
            assert np.array_equal(mine.counted(name).values, theirs.counted(name).values)
            assert np.array_equal(mine.counted(name).times, theirs.counted(name).times)
    assert np.array_equal(here.apart[0].times, there.apart[0].times)


def test_strategies_of_ones_own_travel(client: Any) -> None:
    terms = TERMS | {"sessions": 3000}
    strategy = keep(Pass(15))
    assert simulate(strategy, "nj", **terms, fleet=client).summary() == simulate(strategy, "nj", **terms).summary()


def test_what_a_table_refuses_is_said_here(client: Any) -> None:
    with pytest.raises(StrategyError, match="is refused"):
        simulate(keep(bet("pass", 3)), "nj", **(TERMS | {"sessions": 3000}), fleet=client)


def test_interrupted_it_gives_what_was_played(client: Any) -> None:
    def stop(_so_far: Comparison) -> None:
        raise KeyboardInterrupt

    found = compare(["pass"], "nj", **(TERMS | {"sessions": 10**9}), fleet=client, progress=stop)
    assert 0 < found.sessions < 10**9


def test_from_the_command_line(cluster: Any) -> None:
    asked = ["simulate", "pass", "--book", "nj", "--bankroll", "300", "--sessions", "5e3", "--rolls", "20", "--json"]
    far = CliRunner().invoke(app, [*asked, "--dask", cluster.scheduler_address])
    assert far.exit_code == 0, far.output
    assert far.output == CliRunner().invoke(app, asked).output


@pytest.mark.parametrize("address", ["nowhere", "", "foo://bar:1", "tcp://here"])
def test_addresses_that_are_none(address: str) -> None:
    done = CliRunner().invoke(app, ["simulate", "pass", "--bankroll", "300", "--dask", address])
    assert (done.exit_code, "is like tcp://127.0.0.1:8786" in done.output) == (2, True)


def test_nobody_answers() -> None:
    asked = ["simulate", "pass", "--bankroll", "300", "--dask", "tcp://127.0.0.1:9"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 2
    assert "no Dask cluster answers at tcp://127.0.0.1:9" in done.output
