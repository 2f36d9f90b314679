"""`trueodds replay`: a history settled again, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.show import AsJson, clear_errors, print_json
from trueodds.money import money
from trueodds.notation import HistoryError, Step, parse_history, replay, write_action, write_position
from trueodds.table import Rolled, movements


@clear_errors
def replay_file(
    file: Annotated[Path, typer.Argument(help="A history, as `trueodds table --save` writes them.")],
    as_json: AsJson = False,
) -> None:
    """Replay a history and say what happened and why. Exits 2 and names the line where it cannot go on."""
    try:
        history = parse_history(file.read_text("utf-8"))
    except OSError as error:
        raise HistoryError(0, f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HistoryError(0, f"{file} is not text") from None
    racks: dict[str, int] = {}
    steps = []
    for step in replay(history):
        for event in step.events:
            for moved in movements(event):
                racks[moved.player] = racks.get(moved.player, 0) + moved.rack
        steps.append(step)
        if not as_json:
            _tell(step)
    if as_json:
        print_json({"book": history.house.book.id, "steps": [_data(step) for step in steps], "net_cents": racks})
        return
    currency = history.house.currency
    seats = steps[-1].position.seats if steps else history.start.seats
    up = {seat.player: sum(entry.wager.up for entry in seat.entries) for seat in seats}
    told = []
    for player, cents in sorted(racks.items()):
        left = f" with {money(up[player], currency)} still on the layout" if up.get(player) else ""
        told.append(f"{player} {'+' if cents >= 0 else ''}{money(cents, currency)}{left}")
    typer.echo(f"{len(steps)} steps replayed. Racks since the start: {', '.join(told) or 'no change'}.")


def _sentences(step: Step) -> list[str]:
    told = []
    for event in step.events:
        told.append(event.sentence)
        if isinstance(event, Rolled):
            told += [f"  {one.player}: {one.sentence}" for one in event.settled]
    return told


def _tell(step: Step) -> None:
    typer.echo(f"{step.line:>5}  {write_action(step.action)}")
    for sentence in _sentences(step):
        typer.echo(f"       {sentence}")


def _data(step: Step) -> dict[str, object]:
    return {
        "line": step.line, "action": write_action(step.action), "told": _sentences(step),
        "position": write_position(step.position),
    }  # fmt: skip
