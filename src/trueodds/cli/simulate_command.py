"""`trueodds simulate` and `trueodds compare`: run many sessions in machine code."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from trueodds.automaton import SessionError
from trueodds.cli import options
from trueodds.cli.interrupts import INTERRUPTED_EXIT_CODE, catch_interrupts
from trueodds.cli.odds_command import parse_dice_weights
from trueodds.cli.output import (
    JsonOption,
    find_house,
    find_strategy,
    print_json,
    print_table,
    report_errors,
    requires_extra,
)
from trueodds.cli.progress_bar import DelayedProgressBar
from trueodds.cli.session_command import check_plot_path
from trueodds.dice import Roll
from trueodds.money import format_money
from trueodds.notation import NotationError
from trueodds.roll_sources import recorded_rolls
from trueodds.sessions.session_limits import SHOWN_QUANTILES
from trueodds.wager_odds import FAIR_DICE, DiceChances

if TYPE_CHECKING:
    from trueodds.simulation.dask_backend import DaskClient
    from trueodds.simulation.results import Comparison, Simulation


def _make_command(help_text: str, *, is_comparison: bool) -> Callable[..., None]:
    """Return one of the two commands. They differ in their output only."""

    @report_errors
    @requires_extra("numpy", "sim")
    def run(  # noqa: PLR0913, PLR0917  an option each
        strategies: options.StrategiesArgument,
        bankroll: options.BankrollOption,
        sessions: options.SessionsOption = None,
        seed: options.SeedOption = None,
        book: options.BookOption = None,
        house: options.HouseOption = None,
        rolls: options.RollsOption = None,
        shooters: options.ShootersOption = None,
        stop_win: options.StopWinOption = None,
        stop_loss: options.StopLossOption = None,
        faces: options.WeightsOption = None,
        dice_file: options.DiceFileOption = None,
        threads: options.ThreadsOption = 1,
        dask: options.DaskOption = None,
        percentiles: Annotated[
            bool, typer.Option("--percentiles", help="Also print percentiles of the result over time.")
        ] = False,
        plot: options.PlotOption = None,
        as_json: JsonOption = False,
        memory: options.MemoryOption = options.DEFAULT_MEMORY_MB,
    ) -> None:
        from trueodds.simulation.simulate import compare  # noqa: PLC0415  NumPy and Numba are slow to import

        if plot is not None:
            check_plot_path(plot)
        chosen = [find_strategy(name) for name in strategies]
        if is_comparison and len(chosen) < 2:
            raise SessionError(f"compare needs at least two strategies, got {len(chosen)}")
        if percentiles and dice_file is not None:
            raise SessionError("--percentiles cannot be combined with --dice-file")
        dice = _roll_source(sessions, seed, faces, dice_file)
        wanted = dice["sessions"] if dice_file is None else None
        with _report_interrupt(), DelayedProgressBar("simulating") as bar, _dask_client(dask) as client:
            comparison = compare(
                chosen, find_house(book, house), bankroll=bankroll, rolls=rolls, shooters=shooters,
                stop_win=stop_win, stop_loss=stop_loss, threads=threads, dask_client=client,
                budget_bytes=memory << 20, **dice,
                progress=lambda so_far: bar.update(so_far.sessions, wanted, _progress_text(so_far)),
            )  # fmt: skip
        if wanted is not None and comparison.sessions < wanted:
            typer.echo(f"interrupted after {comparison.sessions:,} of {wanted:,} sessions", err=True)
        if plot is not None:
            comparison.plot(plot)
        if as_json:
            print_json(_json_data(comparison, is_comparison=is_comparison, percentiles=percentiles))
            return
        _print(comparison, is_comparison=is_comparison)
        for simulation in comparison.simulations if percentiles else ():
            _print_percentile_bands(simulation)
        if plot is None and find_spec("plotext") is not None:
            _draw(comparison)

    run.__doc__ = help_text
    return run


simulate = _make_command(
    """Simulate sessions and print statistics of their results.

    All strategies get the same dice. The same seed gives the same result for any number of threads or machines. Limits
    and the end of a session are those of `trueodds session`. After Ctrl-C the results so far are printed. With a dice
    file, sessions are played one after the other, and a session that the file cuts short is not counted.
    """,
    is_comparison=False,
)
compare = _make_command(
    """Simulate strategies on the same dice and print how far each is ahead of the first.

    On common dice most of the luck cancels out, so that a difference shows after far fewer sessions. --plot draws the
    distributions and the percentiles over time of all strategies together. Everything else is as in
    `trueodds simulate`.
    """,
    is_comparison=True,
)


class _RollSource(TypedDict):
    sessions: int | None
    seed: int | None
    dice: DiceChances
    recording: tuple[Roll, ...] | None


def _roll_source(sessions: str | None, seed: int | None, faces: str | None, dice_file: Path | None) -> _RollSource:
    count = None if sessions is None else _parse_count(sessions)
    dice = FAIR_DICE if faces is None else parse_dice_weights(faces)
    if dice_file is not None:
        return {"sessions": count, "seed": seed, "dice": dice, "recording": tuple(recorded_rolls(dice_file))}
    return {"sessions": count, "seed": 1 if seed is None else seed, "dice": dice, "recording": None}


@contextmanager
def _report_interrupt() -> Iterator[None]:
    """Exit with a message if Ctrl-C comes before there are results."""
    catch_interrupts()
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted before the first result", err=True)
        raise typer.Exit(INTERRUPTED_EXIT_CODE) from None


@contextmanager
def _dask_client(address: str | None) -> Iterator[DaskClient | None]:
    """Yield a client of the Dask cluster at an address, or None without an address."""
    if address is None:
        yield None
        return
    with _connect_dask(address) as client:
        yield client


@requires_extra("distributed", "dask")
def _connect_dask(address: str) -> AbstractContextManager[DaskClient]:
    from distributed import Client  # noqa: PLC0415  Dask is slow to import and rarely installed

    if not re.fullmatch(r"(tcp|tls|ws|wss)://[^/:\s]+:\d+", address):
        raise SessionError(f"the address of a Dask scheduler must look like tcp://127.0.0.1:8786, got {address!r}")
    try:
        client: AbstractContextManager[DaskClient] = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise SessionError(f"no Dask cluster answers at {address}: {error}") from None
    return client


def _parse_count(text: str) -> int:
    """Return a number of sessions written like 100000 or 1e7."""
    try:
        count = float(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 1e15 or count != int(count):
        raise NotationError(f"number of sessions must be written like 100000 or 1e7, got {text!r}")
    return int(count)


def _progress_text(comparison: Comparison) -> str:
    first = comparison.simulations[0]
    return f"{first.strategy.name}: mean {_format_interval(first, first.mean_interval_95_cents)}"


def _json_data(comparison: Comparison, *, is_comparison: bool, percentiles: bool) -> list[dict[str, object]]:
    simulations = comparison.simulations
    summaries = comparison.summary() if is_comparison else [simulation.summary() for simulation in simulations]
    rows = [dict[str, object](summary) for summary in summaries]
    if percentiles:
        for row, simulation in zip(rows, simulations, strict=True):
            row["percentile_bands_cents"] = simulation.percentile_rows()
    return rows


def _print(comparison: Comparison, *, is_comparison: bool) -> None:
    simulations = comparison.simulations

    def row(label: str, cell: Callable[[Simulation], str]) -> list[str]:
        return [label, *map(cell, simulations)]

    def mean_amount(label: str, name: str) -> list[str]:
        return row(label, lambda simulation: _format_amount(simulation, simulation.mean_of(name)))

    def quantile(share: float) -> list[str]:
        label = options.quantile_label(share)
        return row(label, lambda simulation: _format_amount(simulation, simulation.quantile_cents(share)))

    rows = [
        row("sessions", lambda simulation: f"{simulation.sessions:,}"),
        row("mean result", lambda simulation: _format_amount(simulation, simulation.mean_cents)),
        row("95 % interval of the mean", lambda found: _format_interval(found, found.mean_interval_95_cents)),
        *(_comparison_rows(comparison) if is_comparison else []),
        row("standard deviation", lambda found: _format_amount(found, found.standard_deviation_cents)),
        *(quantile(share) for share in SHOWN_QUANTILES),
        row("ruin", lambda simulation: f"{simulation.ruin_chance:.4%}"),
        row("profit", lambda simulation: f"{simulation.profit_chance:.4%}"),
        row("bankroll doubled", lambda simulation: f"{simulation.doubling_chance:.4%}"),
        row("mean rolls", lambda simulation: f"{simulation.mean_of('rolls'):,.2f}"),
        row("mean hands", lambda simulation: f"{simulation.mean_of('hands'):,.2f}"),
        mean_amount("mean highest worth", "peak"),
        mean_amount("mean lowest worth", "trough"),
        mean_amount("mean drawdown", "drawdown"),
    ]
    if any(simulation.engine_share for simulation in simulations):
        rows.append(row("played by the engine", lambda simulation: f"{simulation.engine_share:.4%}"))
    first = simulations[0]
    dice = "recorded dice" if first.spec.recording else f"seed {first.spec.seed}"
    length = f"{format_money(first.bankroll_cents, first.house.currency)} for {first.limits.length_text}"
    names = [simulation.strategy.name for simulation in simulations]
    print_table(f"{length} at {first.house.name}, {dice}", ["", *names], rows)


def _comparison_rows(comparison: Comparison) -> list[list[str]]:
    """Return the rows that compare each strategy with the first."""
    first, *others = comparison.simulations
    indices = range(1, len(others) + 1)
    ahead = [comparison.ahead_of_first_cents(index) for index in indices]
    return [
        [f"ahead of {first.strategy.name}", "", *(_format_amount(first, mean) for mean, _, _ in ahead)],
        ["95 % interval of that", "", *(_format_interval(first, (low, high)) for _, low, high in ahead)],
        ["better in", "", *(f"{comparison.better_than_first(index):.2%} of sessions" for index in indices)],
    ]


def _print_percentile_bands(simulation: Simulation) -> None:
    """Print percentiles of the result over time, at about a dozen points."""
    bands, rows = simulation.percentile_rows(), list[list[str]]()
    quantiles = simulation.percentile_bands.quantiles
    for band in bands[:: -max(1, len(bands) // 12)]:
        rows.append([str(band["rolls"]), *(_format_amount(simulation, band[str(share)]) for share in quantiles)])
    sessions = simulation.percentile_bands.sessions
    title = f"{simulation.strategy.name}: percentiles of the result over time, from {sessions:,} sessions"
    print_table(title, ["rolls", *(f"{share:.0%}" for share in quantiles)], reversed(rows))


def _draw(comparison: Comparison) -> None:
    from trueodds.simulation.simulation_plot import simulations_chart  # noqa: PLC0415  plotext is slow to import

    width = min(100, shutil.get_terminal_size().columns)
    typer.echo(simulations_chart(comparison.simulations, width), color=sys.stdout.isatty())


def _format_interval(simulation: Simulation, bounds: tuple[float, float] | None) -> str:
    return "unknown" if bounds is None else " to ".join(_format_amount(simulation, bound) for bound in bounds)


def _format_amount(simulation: Simulation, cents: float) -> str:
    return format_money(round(cents), simulation.house.currency)
