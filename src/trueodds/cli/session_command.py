"""`trueodds session`: the exact distribution of the result of a session."""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trueodds.cli import options
from trueodds.cli.odds_command import parse_dice_weights
from trueodds.cli.output import (
    JsonOption,
    exact_and_decimal,
    find_house,
    find_strategy,
    print_json,
    print_table,
    report_errors,
    requires_extra,
)
from trueodds.cli.progress_bar import DelayedProgressBar
from trueodds.money import format_money
from trueodds.sessions.session_limits import SHOWN_QUANTILES
from trueodds.wager_odds import FAIR_DICE

if TYPE_CHECKING:
    from trueodds.sessions.exact_session import Session


@report_errors
@requires_extra("numpy", "sim")
def session(  # noqa: PLR0913, PLR0917  an option each
    strategy: Annotated[str, typer.Argument(help="Name of a built-in strategy, or a strategy file (.toml).")],
    bankroll: options.BankrollOption,
    book: options.BookOption = None,
    house: options.HouseOption = None,
    rolls: options.RollsOption = None,
    shooters: options.ShootersOption = None,
    stop_win: options.StopWinOption = None,
    stop_loss: options.StopLossOption = None,
    faces: options.WeightsOption = None,
    rational: Annotated[
        bool, typer.Option("--rational", help="Compute exact fractions instead of floating-point numbers.")
    ] = False,
    plot: options.PlotOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print every possible result with its chance as CSV.")] = False,
    as_json: JsonOption = False,
    memory: options.MemoryOption = options.DEFAULT_MEMORY_MB,
) -> None:
    """Compute the exact distribution of a session's result, without sampling.

    Stops are checked before each bet and count the rack plus the stakes on the layout. If the rack does not cover the
    strategy's bets, the player skips them; with an empty layout that is ruin. At the end, bets that may be taken down
    come down, and contract bets are rolled until they are decided. Action is the total of the stakes won, lost or
    pushed.
    """
    from trueodds.sessions.exact_session import Session  # noqa: PLC0415  NumPy is slow to import

    if plot is not None:
        check_plot_path(plot)
    with DelayedProgressBar("finding situations") as bar:
        computed = Session(
            find_strategy(strategy), find_house(book, house), bankroll=bankroll, rolls=rolls, shooters=shooters,
            stop_win=stop_win, stop_loss=stop_loss, dice=FAIR_DICE if faces is None else parse_dice_weights(faces),
            rational=rational, budget_bytes=memory << 20,
            progress=lambda done, total: bar.update(done, total, _progress_text(done, total)),
        )  # fmt: skip
    if plot is not None:
        computed.plot(plot)
    if as_csv:
        _print_csv(computed)
    elif as_json:
        print_json(_json_data(computed))
    else:
        _print_summary(computed, draw=plot is None)


def _progress_text(done: int, total: int | None) -> str:
    return "rolling" if total else f"{done:,} situations"


@requires_extra("matplotlib", "plot")
def check_plot_path(path: Path) -> None:
    """Raise PlotError before computing if the plot cannot be written."""
    from trueodds.sessions.session_plot import check_plot_path  # noqa: PLC0415  NumPy is slow to import

    check_plot_path(path)


def _print_csv(computed: Session) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    exact = [str(chance) for chance in computed.exact_chances or ()]
    writer.writerow(["result_cents", "chance", *(["exact"] if exact else [])])
    for index, (result, chance) in enumerate(_distribution(computed)):
        writer.writerow([result, repr(chance), *exact[index : index + 1]])


def _distribution(computed: Session) -> Iterator[tuple[int, float]]:
    return zip(computed.results_cents.tolist(), computed.chances.tolist(), strict=True)


def _json_data(computed: Session) -> dict[str, object]:
    """Return the summary and the distribution. Fractions are written exactly and as a decimal."""
    summary = {
        key: exact_and_decimal(value) if isinstance(value, Fraction) else value
        for key, value in computed.summary().items()
    }
    rows: list[dict[str, object]] = [
        {"result_cents": result, "chance": chance} for result, chance in _distribution(computed)
    ]
    for row, exact in zip(rows, computed.exact_chances or (), strict=False):
        row["exact"] = str(exact)
    return summary | {"distribution": rows}


def _print_summary(computed: Session, *, draw: bool) -> None:
    currency, before, after = computed.house.currency, *computed.situation_counts
    quantiles = [
        [options.quantile_label(share), format_money(computed.quantile_cents(share), currency)]
        for share in SHOWN_QUANTILES
    ]
    stops = {"stop win reached": computed.ended_by["stop_win"], "stop loss reached": computed.ended_by["stop_loss"]}
    rows = [
        ["mean result", _format_amount(computed.mean_cents, currency)],
        ["standard deviation", _format_amount(computed.standard_deviation_cents, currency)],
        *quantiles,
        ["ruin", _format_chance(computed.ruin_chance)],
        ["profit", _format_chance(computed.profit_chance)],
        ["bankroll doubled", _format_chance(computed.doubling_chance)],
        *([label, _format_chance(chance)] for label, chance in stops.items() if chance),
        ["mean rolls", f"{float(computed.expected_rolls):,.4f}"],
        ["mean action", _format_amount(computed.expected_action_cents, currency)],
        ["situations before and after betting", f"{before:,} and {after:,}"],
    ]
    bankroll = format_money(computed.bankroll_cents, currency)
    title = f"{computed.strategy.name}: {bankroll} for {computed.limits.length_text} at {computed.house.name}"
    print_table(title, ["", ""], rows)
    if draw and find_spec("plotext") is not None:
        _draw(computed)


def _draw(computed: Session) -> None:
    from trueodds.sessions.session_plot import session_chart  # noqa: PLC0415  plotext is slow to import

    typer.echo(session_chart(computed, min(100, shutil.get_terminal_size().columns)), color=sys.stdout.isatty())


def _format_amount(cents: float | Fraction, currency: str) -> str:
    return format_money(round(cents), currency)


def _format_chance(chance: float | Fraction) -> str:
    return f"{float(chance) * 100:.6f} %"
