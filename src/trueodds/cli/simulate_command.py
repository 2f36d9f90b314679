"""`trueodds simulate` and `trueodds compare`: many sessions, played in machine code."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trueodds.chain import FAIR, SessionError
from trueodds.chain.terms import SHARES
from trueodds.cli import options
from trueodds.cli.odds import parse_faces
from trueodds.cli.progress import PatientBar
from trueodds.cli.session import check_plot, find_strategy
from trueodds.cli.show import AsJson, chosen_house, clear_errors, needs, print_json, print_table
from trueodds.money import money
from trueodds.notation import NotationError
from trueodds.rolls import recorded

if TYPE_CHECKING:
    from trueodds.chain.simulate import Comparison, Simulation


def _command(about: str, *, compared: bool) -> Callable[..., None]:
    """Make a command; the two differ in what they say of what was played."""

    @clear_errors
    @needs("numpy", "sim")
    def run(  # noqa: PLR0913, PLR0917  an option each
        strategies: options.StrategyNames,
        bankroll: options.Bankroll,
        sessions: options.Sessions = None,
        seed: options.Seed = None,
        book: options.BookName = None,
        house: options.HouseFile = None,
        rolls: options.Rolls = None,
        shooters: options.Shooters = None,
        stop_win: options.StopWin = None,
        stop_loss: options.StopLoss = None,
        faces: options.Faces = None,
        dice_file: options.DiceFile = None,
        threads: options.Threads = 1,
        dask: options.Dask = None,
        fan: Annotated[bool, typer.Option("--fan", help="Also say how results spread over time.")] = False,
        plot: options.Plot = None,
        as_json: AsJson = False,
        memory: options.Memory = options.MEMORY,
    ) -> None:
        from trueodds.chain.simulate import compare as play  # noqa: PLC0415  NumPy and Numba are slow to load

        if plot is not None:
            check_plot(plot)
        chosen = [find_strategy(name) for name in strategies]
        if compared and len(chosen) < 2:
            raise SessionError("a comparison takes two strategies or more")
        if fan and dice_file is not None:
            raise SessionError("sessions along a dice file are not watched; leave out --fan")
        dice = _dice(sessions, seed, faces, dice_file)
        with _interruption(), PatientBar("playing") as bar, _fleet(dask) as fleet:
            found = play(
                chosen, chosen_house(book, house), bankroll=bankroll, rolls=rolls, shooters=shooters,
                stop_win=stop_win, stop_loss=stop_loss, threads=threads, fleet=fleet, budget=memory << 20, **dice,
                progress=lambda so_far: bar.tell(so_far.sessions, dice["sessions"], _estimate(so_far)),
            )  # fmt: skip
        if dice_file is None and found.sessions < dice["sessions"]:
            typer.echo(f"interrupted after {found.sessions:,} of {dice['sessions']:,} sessions", err=True)
        if plot is not None:
            found.plot(plot)
        if as_json:
            told = found.summary() if compared else [one.summary() for one in found.simulations]
            spread = [{"fan_cents": one.fan_rows()} if fan else {} for one in found.simulations]
            print_json([one | more for one, more in zip(told, spread, strict=True)])
            return
        _print(found, compared=compared)
        for one in found.simulations if fan else ():
            _print_fan(one)
        if plot is None and find_spec("plotext") is not None:
            _draw(found)

    run.__doc__ = about
    return run


simulate = _command(
    """Play sessions and print what they came to, with the interval in which the true mean lies.

    Every strategy gets the same dice. The same seed gives the same result for any number of threads or machines. What
    ends a session and what becomes of its bets is as in `trueodds session`. Interrupted, it prints what was played
    until then. Along a dice file sessions are played one after the other; one that it cuts short is not counted.
    """,
    compared=False,
)
compare = _command(
    """Play strategies session for session on the same dice, and say by how much each is ahead of the first.

    On common dice most of the luck cancels out, so a difference shows after far fewer sessions. With --plot their
    distributions and their course over time are drawn over each other. Everything else is as in `trueodds simulate`.
    """,
    compared=True,
)


def _dice(sessions: str | None, seed: int | None, faces: str | None, dice_file: Path | None) -> dict[str, Any]:
    count = None if sessions is None else _whole(sessions)
    dice = FAIR if faces is None else parse_faces(faces)
    if dice_file is not None:
        return {"sessions": count, "seed": seed, "dice": dice, "recording": tuple(recorded(dice_file))}
    return {"sessions": count or 100_000, "seed": 1 if seed is None else seed, "dice": dice}


@contextmanager
def _interruption() -> Iterator[None]:
    """Say that there is nothing to show."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted before anything was played", err=True)
        raise typer.Exit(130) from None


@contextmanager
def _fleet(address: str | None) -> Iterator[Any]:
    """Join a cluster for as long as it is needed."""
    if address is None:
        yield None
        return
    with _client(address) as client:
        yield client


@needs("distributed", "fleet")
def _client(address: str) -> Any:
    from distributed import Client  # noqa: PLC0415  Dask is slow to load, and seldom there

    if not re.fullmatch(r"(tcp|tls|ws|wss)://[^/:\s]+:\d+", address):
        raise SessionError(f"the address of a Dask scheduler is like tcp://127.0.0.1:8786, not {address!r}")
    try:
        return Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise SessionError(f"no Dask cluster answers at {address}: {error}") from None


def _whole(text: str) -> int:
    """Read 100000 or 1e7."""
    try:
        count = float(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 1e15 or count != int(count):
        raise NotationError(f"a number of sessions is written like 100000 or 1e7, not {text!r}")
    return int(count)


def _estimate(found: Comparison) -> str:
    first = found.simulations[0]
    return f"{first.strategy.name}: mean {_between(first, first.interval)}"


def _print(comparison: Comparison, *, compared: bool) -> None:
    found = comparison.simulations
    rows = [
        ["sessions", *(f"{one.sessions:,}" for one in found)],
        ["result on average", *(_amount(one, one.mean) for one in found)],
        ["true mean, with 95 %", *(_between(one, one.interval) for one in found)],
        *(_rows_compared(comparison) if compared else []),
        ["standard deviation", *(_amount(one, one.deviation) for one in found)],
        *([options.quantile_label(share), *(_amount(one, one.quantile(share)) for one in found)] for share in SHARES),
        *([name, *(f"{getattr(one, name):.4%}" for one in found)] for name in ("ruin", "profit", "doubling")),
        *([f"{name} on average", *(f"{one.average(name):,.2f}" for one in found)] for name in ("rolls", "hands")),
        *(
            [f"{title} on average", *(_amount(one, one.average(name)) for one in found)]
            for title, name in (("highest worth", "peak"), ("lowest worth", "trough"), ("deepest fall", "fall"))
        ),
    ]
    if any(one.by_engine for one in found):
        rows.append(["played by the engine", *(f"{one.by_engine:.4%}" for one in found)])
    first = found[0]
    dice = "recorded dice" if first.game.recording else f"seed {first.game.seed}"
    length = f"{money(first.bankroll, first.house.currency)} for {first.terms.length}"
    print_table(f"{length} at {first.house.name}, {dice}", ["", *(one.strategy.name for one in found)], rows)


def _rows_compared(comparison: Comparison) -> list[list[str]]:
    """Say how far each is ahead of the first."""
    first, *others = comparison.simulations
    ahead = [comparison.ahead(index) for index, _ in enumerate(others, 1)]
    return [
        [f"ahead of {first.strategy.name}", "", *(_amount(first, mean) for mean, _, _ in ahead)],
        ["truly, with 95 %", "", *(_between(first, (low, high)) for _, low, high in ahead)],
        ["better in", "", *(f"{comparison.better(index):.2%} of sessions" for index, _ in enumerate(others, 1))],
    ]


def _print_fan(found: Simulation) -> None:
    """Say how results spread over time, at about a dozen points."""
    rows, shares = found.fan_rows(), found.fan.shares
    every = max(1, len(rows) // 12)
    told = [[str(row["throws"]), *(_amount(found, row[str(share)]) for share in shares)] for row in rows[::-every]]
    title = f"{found.strategy.name}: so much or less after so many throws, from {found.fan.sessions:,} sessions"
    print_table(title, ["throws", *(f"{share:.0%}" for share in shares)], reversed(told))


def _draw(found: Comparison) -> None:
    from trueodds.chain.plot import draw_simulations  # noqa: PLC0415  plotext is slow to load

    width = min(100, shutil.get_terminal_size().columns)
    typer.echo(draw_simulations(found.simulations, width), color=sys.stdout.isatty())


def _between(found: Simulation, bounds: tuple[float, float] | None) -> str:
    return "unknown" if bounds is None else " to ".join(_amount(found, bound) for bound in bounds)


def _amount(found: Simulation, value: Any) -> str:
    return money(round(value), found.house.currency)
