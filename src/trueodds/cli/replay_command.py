"""`trueodds replay`: replay a history, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.output import JsonOption, print_json, report_errors
from trueodds.money import format_money
from trueodds.notation import HistoryError, ReplayStep, parse_history, replay, write_action, write_position
from trueodds.table import Rolled, money_movements


@report_errors
def replay_file(
    file: Annotated[Path, typer.Argument(help="A history file, as written by `trueodds table --save`.")],
    as_json: JsonOption = False,
) -> None:
    """Replay a history and print what happened and why.

    If an action is refused or the end differs, name the line and exit with code 2.
    """
    try:
        history = parse_history(file.read_text("utf-8"))
    except OSError as error:
        raise HistoryError(0, f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HistoryError(0, f"{file} is not a text file") from None
    net_cents: dict[str, int] = {}
    steps = []
    for step in replay(history):
        for event in step.events:
            for movement in money_movements(event):
                net_cents[movement.player] = net_cents.get(movement.player, 0) + movement.rack_cents
        steps.append(step)
        if not as_json:
            _print_step(step)
    if as_json:
        book_id = history.house.book.id
        print_json({"book": book_id, "steps": [_step_json(step) for step in steps], "net_cents": net_cents})
        return
    currency = history.house.currency
    seats = steps[-1].position.seats if steps else history.start.seats
    on_layout = {seat.player: sum(tagged.wager.total_stake for tagged in seat.wagers) for seat in seats}
    results = []
    for player, cents in sorted(net_cents.items()):
        bets = f" with {format_money(on_layout[player], currency)} still on the layout" if on_layout.get(player) else ""
        results.append(f"{player} {'+' if cents >= 0 else ''}{format_money(cents, currency)}{bets}")
    typer.echo(f"{len(steps)} steps replayed. Racks since the start: {', '.join(results) or 'no change'}.")


def _sentences(step: ReplayStep) -> list[str]:
    sentences = []
    for event in step.events:
        sentences.append(event.sentence)
        if isinstance(event, Rolled):
            sentences += [f"  {settled.player}: {settled.sentence}" for settled in event.settled]
    return sentences


def _print_step(step: ReplayStep) -> None:
    typer.echo(f"{step.line:>5}  {write_action(step.action)}")
    for sentence in _sentences(step):
        typer.echo(f"       {sentence}")


def _step_json(step: ReplayStep) -> dict[str, object]:
    return {
        "line": step.line,
        "action": write_action(step.action),
        "sentences": _sentences(step),
        "position": write_position(step.position),
    }
