"""`trueodds simulate`: many sessions, played in machine code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trueodds.chain import FAIR
from trueodds.cli.odds import parse_faces
from trueodds.cli.progress import PatientBar
from trueodds.cli.session import find_strategy
from trueodds.cli.show import AsJson, clear_errors, needs, open_house, print_json, print_table
from trueodds.money import money
from trueodds.notation import NotationError

if TYPE_CHECKING:
    from trueodds.chain.simulate import Simulation


@clear_errors
@needs("numpy", "sim")
def simulate(  # noqa: PLR0913, PLR0917  an option each
    strategies: Annotated[list[str], typer.Argument(help="Strategies of the library, or strategy files (.toml).")],
    bankroll: Annotated[str, typer.Option("--bankroll", help="What the player comes with, like 500 or 500.50.")],
    sessions: Annotated[str, typer.Option("--sessions", help="How many, like 100000 or 1e7.")] = "1e5",
    seed: Annotated[int, typer.Option("--seed", help="Decides every roll.")] = 1,
    book: Annotated[
        str | None, typer.Option("--book", help="A book's id or code, or a book file; the fullest otherwise.")
    ] = None,
    house: Annotated[Path | None, typer.Option("--house", help="A house file; it names its book.")] = None,
    rolls: Annotated[int | None, typer.Option("--rolls", help="Most throws; 200 if shooters are not limited.")] = None,
    shooters: Annotated[int | None, typer.Option("--shooters", help="Most shooters.")] = None,
    stop_win: Annotated[str | None, typer.Option("--stop-win", help="Leave when this much is won.")] = None,
    stop_loss: Annotated[str | None, typer.Option("--stop-loss", help="Leave when this much is lost.")] = None,
    faces: Annotated[
        str | None, typer.Option("--faces", help="Weights of the six faces; after a / those of the second die.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="How many at a time; no part of the result.")] = 1,
    as_json: AsJson = False,
    memory: Annotated[int, typer.Option("--memory", help="Most megabytes to take.", min=1)] = 1024,
) -> None:
    """Play sessions and print what they came to, with the interval in which the true mean lies.

    Every strategy gets the same dice. The same seed gives the same result for any number of threads. What ends a
    session and what becomes of its bets is as in `trueodds session`. Interrupted, it prints what was played until then.
    """
    from trueodds.chain.simulate import simulate as run  # noqa: PLC0415  NumPy and Numba are slow to load

    place, count, found = open_house(book, house), _whole(sessions), list["Simulation"]()
    with PatientBar("playing") as bar:
        for name in strategies:
            found.append(
                run(
                    find_strategy(name),
                    place,
                    bankroll=bankroll,
                    sessions=count,
                    seed=seed,
                    rolls=rolls,
                    shooters=shooters,
                    stop_win=stop_win,
                    stop_loss=stop_loss,
                    threads=threads,
                    budget=memory << 20,
                    dice=FAIR if faces is None else parse_faces(faces),
                    progress=lambda so_far: bar.tell(so_far.sessions, count, _estimate(so_far)),
                )
            )
            if found[-1].sessions < count:
                break
    if as_json:
        print_json([one.summary() for one in found])
        return
    _print(found)


def _whole(text: str) -> int:
    """Read 100000 or 1e7."""
    try:
        count = float(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 1e15 or count != int(count):
        raise NotationError(f"a number of sessions is written like 100000 or 1e7, not {text!r}")
    return int(count)


def _estimate(found: Simulation) -> str:
    low, high = (money(round(bound), found.house.currency) for bound in found.interval)
    return f"{found.strategy.name}: mean from {low} to {high}"


def _print(found: list[Simulation]) -> None:
    rows = [
        ["sessions", *(f"{one.sessions:,}" for one in found)],
        ["result on average", *(_amount(one, one.mean) for one in found)],
        ["true mean, with 95 %", *(" to ".join(_amount(one, bound) for bound in one.interval) for one in found)],
        ["standard deviation", *(_amount(one, one.deviation) for one in found)],
        *(
            [f"{share:.0%} of sessions end at or below", *(_amount(one, one.quantile(share)) for one in found)]
            for share in (0.05, 0.25, 0.5, 0.75, 0.95)
        ),
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
    title = f"{money(first.bankroll, first.house.currency)} at {first.house.name}, seed {first.terms['seed']}"
    print_table(title, ["", *(one.strategy.name for one in found)], rows)


def _amount(found: Simulation, value: Any) -> str:
    return money(round(value), found.house.currency)
