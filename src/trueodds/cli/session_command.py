"""`trueodds session`: the exact distribution of a session's result."""

from __future__ import annotations

import csv
import shutil
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trueodds.chain import FAIR
from trueodds.chain.terms import SHARES
from trueodds.cli import options
from trueodds.cli.odds import parse_faces
from trueodds.cli.progress import PatientBar
from trueodds.cli.show import AsJson, chosen_house, clear_errors, needs, print_json, print_table
from trueodds.money import money
from trueodds.strategy import Strategy, load_strategy, named_strategy

if TYPE_CHECKING:
    from trueodds.chain.session import Session


def find_strategy(name: str) -> Strategy:
    """Find a strategy of the library by its name, or read one's own from a file."""
    return load_strategy(Path(name)) if name.endswith(".toml") else named_strategy(name)


@clear_errors
@needs("numpy", "sim")
def session(  # noqa: PLR0913, PLR0917  an option each
    strategy: Annotated[str, typer.Argument(help="A strategy of the library, or a strategy file (.toml).")],
    bankroll: options.Bankroll,
    book: options.BookName = None,
    house: options.HouseFile = None,
    rolls: options.Rolls = None,
    shooters: options.Shooters = None,
    stop_win: options.StopWin = None,
    stop_loss: options.StopLoss = None,
    faces: options.Faces = None,
    rational: Annotated[bool, typer.Option("--rational", help="Work every chance out as an exact fraction.")] = False,
    plot: options.Plot = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print every result with its chance as CSV.")] = False,
    as_json: AsJson = False,
    memory: options.Memory = options.MEMORY,
) -> None:
    """Print the exact distribution of what a strategy does with a bankroll: no sampling, no simulation.

    Stops are tested before each bet, on the rack and the stakes up. At the end what may come down comes down, contract
    bets are rolled out. Ruin is an empty layout and a bet that cannot be paid. When the rack does not cover a decision,
    what is up runs on. Action is the stakes that throws won, lost or pushed.
    """
    from trueodds.chain.session import Session  # noqa: PLC0415  NumPy and Numba are slow to load

    if plot is not None:
        check_plot(plot)
    with PatientBar("finding situations") as bar:
        found = Session(
            find_strategy(strategy), chosen_house(book, house), bankroll=bankroll, rolls=rolls, shooters=shooters,
            stop_win=stop_win, stop_loss=stop_loss, dice=FAIR if faces is None else parse_faces(faces),
            rational=rational, budget=memory << 20,
            progress=lambda done, whole: bar.tell(done, whole, _stage(done, whole)),
        )  # fmt: skip
    if plot is not None:
        found.plot(plot)
    if as_csv:
        _print_csv(found)
    elif as_json:
        print_json(_data(found))
    else:
        _print(found, drawn=plot is None)


def _stage(done: int, whole: int | None) -> str:
    return "throwing" if whole else f"{done:,} situations"


@needs("matplotlib", "plot")
def check_plot(path: Path) -> None:
    """Find out before computing whether a plot can be written."""
    from trueodds.chain.plot import check_path  # noqa: PLC0415  NumPy is slow to load

    check_path(path)


def _print_csv(found: Session) -> None:
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["result_cents", "chance", *(["exact"] if found.exact else [])])
    for index, (result, chance) in enumerate(zip(found.results.tolist(), found.chances.tolist(), strict=True)):
        rows.writerow([result, repr(chance), *([str(found.exact[index])] if found.exact else [])])


def _data(found: Session) -> dict[str, Any]:
    """Say figures twice where they are fractions: exactly and in decimals."""
    told = {
        key: {"exact": str(value), "decimal": float(value)} if isinstance(value, Fraction) else value
        for key, value in found.summary().items()
    }
    rows = [
        {"result_cents": result, "chance": chance}
        for result, chance in zip(found.results.tolist(), found.chances.tolist(), strict=True)
    ]
    for row, exact in zip(rows, found.exact or (), strict=False):
        row["exact"] = str(exact)
    return told | {"distribution": rows}


def _print(found: Session, *, drawn: bool) -> None:
    currency, before, after = found.house.currency, *found.situations
    rows = [
        ["result on average", _amount(found.mean, currency)],
        ["standard deviation", _amount(found.deviation, currency)],
        *([options.quantile_label(share), money(found.quantile(share), currency)] for share in SHARES),
        ["ruin", _chance(found.ruin)],
        ["profit", _chance(found.profit)],
        ["doubling the bankroll", _chance(found.doubling)],
        *([f"left by the stop-{word}", _chance(found.causes[f"stop_{word}"])] for word in ("win", "loss")),
        ["throws on average", f"{float(found.expected_rolls):,.4f}"],
        ["action on average", _amount(found.expected_action, currency)],
        ["situations before and after betting", f"{before:,} and {after:,}"],
    ]
    title = f"{found.strategy.name}: {money(found.bankroll, currency)} for {found.terms.length} at {found.house.name}"
    print_table(title, ["", ""], [row for row in rows if row[1] != _NOTHING or "stop" not in row[0]])
    if drawn and find_spec("plotext") is not None:
        _draw(found)


def _draw(found: Session) -> None:
    from trueodds.chain.plot import draw_session  # noqa: PLC0415  plotext is slow to load

    typer.echo(draw_session(found, min(100, shutil.get_terminal_size().columns)), color=sys.stdout.isatty())


def _amount(value: float | Fraction, currency: str) -> str:
    return money(round(value), currency)


def _chance(value: float | Fraction) -> str:
    return f"{float(value) * 100:.6f} %"


_NOTHING = _chance(0)
