"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Bankroll = Annotated[str, typer.Option("--bankroll", help="What the player comes with, like 500 or 500.50.")]
BookName = Annotated[
    str | None, typer.Option("--book", help="A book's id or code, or a book file; the fullest otherwise.")
]
HouseFile = Annotated[Path | None, typer.Option("--house", help="A house file; it names its book.")]
Rolls = Annotated[int | None, typer.Option("--rolls", help="Most throws; 200 if shooters are not limited.")]
Shooters = Annotated[int | None, typer.Option("--shooters", help="Most shooters.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when this much is won.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when this much is lost.")]
Faces = Annotated[
    str | None, typer.Option("--faces", help="Weights of the six faces; after a / those of the second die.")
]
Plot = Annotated[Path | None, typer.Option("--plot", help="Draw into this .svg, .png or .pdf file.")]
Memory = Annotated[int, typer.Option("--memory", help="Most megabytes to take.", min=1)]
MEMORY = 1024

StrategyNames = Annotated[list[str], typer.Argument(help="Strategies of the library, or strategy files (.toml).")]
Sessions = Annotated[str | None, typer.Option("--sessions", help="How many, like 100000 or 1e7; 1e5 otherwise.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Decides every roll; 1 otherwise.")]
DiceFile = Annotated[
    Path | None,
    typer.Option("--dice-file", help="Recorded rolls, one a line like 3-4, instead of a seed."),
]
Threads = Annotated[int, typer.Option("--threads", help="How many at a time; no part of the result.", min=1)]
Dask = Annotated[str | None, typer.Option("--dask", help="Play on the Dask cluster at this address.")]


def quantile_label(share: float) -> str:
    """Say what a quantile is.

    >>> quantile_label(0.05)
    '5% of sessions end at or below'
    """
    return f"{share:.0%} of sessions end at or below"
