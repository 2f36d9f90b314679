"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_MEMORY_MB = 1024

BankrollOption = Annotated[str, typer.Option("--bankroll", help="Bankroll in dollars, such as 500 or 500.50.")]
BookOption = Annotated[
    str | None,
    typer.Option("--book", help="Id or code of a book, or a book file (default: the book with most wagers)."),
]
HouseOption = Annotated[Path | None, typer.Option("--house", help="House file, which names its book.")]
RollsOption = Annotated[
    int | None, typer.Option("--rolls", help="Maximum number of rolls (default: 200, or no limit with --shooters).")
]
ShootersOption = Annotated[
    int | None, typer.Option("--shooters", help="Maximum number of shooters (default: no limit).")
]
StopWinOption = Annotated[
    str | None, typer.Option("--stop-win", help="Leave after winning this many dollars (default: never).")
]
StopLossOption = Annotated[
    str | None, typer.Option("--stop-loss", help="Leave after losing this many dollars (default: never).")
]
WeightsOption = Annotated[
    str | None,
    typer.Option("--dice-weights", help="Weights of the six faces, such as 1,1,1,1,1,2; add /... for the second die."),
]
PlotOption = Annotated[Path | None, typer.Option("--plot", help="Write a plot to this .svg, .png or .pdf file.")]
MemoryOption = Annotated[int, typer.Option("--memory", help="Memory limit in megabytes.", min=1)]

StrategiesArgument = Annotated[list[str], typer.Argument(help="Built-in strategies or strategy files (.toml).")]
SessionsOption = Annotated[
    str | None, typer.Option("--sessions", help="Number of sessions, such as 100000 or 1e7 (default: 1e5).")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Random seed (default: 1).")]
DiceFileOption = Annotated[
    Path | None,
    typer.Option("--dice-file", help="File of recorded rolls, one per line such as 3-4, instead of a seed."),
]
ThreadsOption = Annotated[int, typer.Option("--threads", help="Worker threads; does not affect results.", min=1)]
DaskOption = Annotated[str | None, typer.Option("--dask", help="Address of a Dask scheduler to run on.")]


def quantile_label(quantile: float) -> str:
    """Return the label of a quantile.

    >>> quantile_label(0.05)
    '5% of sessions end at or below'
    """
    return f"{quantile:.0%} of sessions end at or below"
