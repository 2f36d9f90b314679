"""Simulations on a Dask cluster give the same results, also when a worker dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster
from typer.testing import CliRunner

from trueodds.cli.app import app
from trueodds.simulation.results import Comparison
from trueodds.simulation.simulate import compare, simulate
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


OPTIONS: dict[str, Any] = {"bankroll": 300, "sessions": 400_000, "seed": 21, "rolls": 60}


def test_a_killed_worker_does_not_affect_the_results(client: Any) -> None:
    killed: list[int] = []

    def kill(so_far: Comparison) -> None:
        if not killed and so_far.sessions > 20_000:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    here = compare(["molly", "pass"], "new_jersey", **OPTIONS)
    there = compare(["molly", "pass"], "new_jersey", **OPTIONS, dask_client=client, progress=kill)
    assert killed
    assert there.summary() == here.summary()
    for mine, theirs in zip(here.simulations, there.simulations, strict=True):
        for name in mine.histograms.by_name:
            assert np.array_equal(mine.histogram(name).values, theirs.histogram(name).values)
            assert np.array_equal(mine.histogram(name).counts, theirs.histogram(name).counts)
    assert np.array_equal(here.differences[0].counts, there.differences[0].counts)


def test_own_strategies_are_sent_to_the_workers(client: Any) -> None:
    terms = OPTIONS | {"sessions": 3000}
    strategy = keep(Pass(15))
    assert (
        simulate(strategy, "nj", **terms, dask_client=client).summary() == simulate(strategy, "nj", **terms).summary()
    )


def test_refusals_are_raised_by_the_client(client: Any) -> None:
    with pytest.raises(StrategyError, match="is refused"):
        simulate(keep(bet("pass", 3)), "nj", **(OPTIONS | {"sessions": 3000}), dask_client=client)


def test_an_interrupted_simulation_returns_the_sessions_so_far(client: Any) -> None:
    def stop(_so_far: Comparison) -> None:
        raise KeyboardInterrupt

    found = compare(["pass"], "nj", **(OPTIONS | {"sessions": 10**9}), dask_client=client, progress=stop)
    assert 0 < found.sessions < 10**9


def test_from_the_command_line(cluster: Any) -> None:
    asked = ["simulate", "pass", "--book", "nj", "--bankroll", "300", "--sessions", "5e3", "--rolls", "20", "--json"]
    far = CliRunner().invoke(app, [*asked, "--dask", cluster.scheduler_address])
    assert far.exit_code == 0, far.output
    assert far.output == CliRunner().invoke(app, asked).output


@pytest.mark.parametrize("address", ["nowhere", "", "foo://bar:1", "tcp://here"])
def test_invalid_addresses(address: str) -> None:
    done = CliRunner().invoke(app, ["simulate", "pass", "--bankroll", "300", "--dask", address])
    assert (done.exit_code, "must look like tcp://127.0.0.1:8786" in done.output) == (2, True)


def test_no_cluster_at_the_address() -> None:
    asked = ["simulate", "pass", "--bankroll", "300", "--dask", "tcp://127.0.0.1:9"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 2
    assert "no Dask cluster answers at tcp://127.0.0.1:9" in done.output
