"""`trueodds watch`: one session of a strategy, roll by roll."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from trueodds.cli import options
from trueodds.cli.output import (
    JsonOption,
    UsageError,
    find_house,
    find_strategy,
    print_json,
    print_wrapped,
    report_errors,
)
from trueodds.dice import Roll
from trueodds.money import format_money, parse_dollars
from trueodds.notation import write_action, write_position
from trueodds.roll_sources import recorded_rolls, scripted_rolls, seeded_rolls, system_rolls
from trueodds.sessions.reference import SessionStep
from trueodds.sessions.watch_session import watch as watch_session
from trueodds.strategy.decision import PLAYER
from trueodds.table import Bet, Position
from trueodds.wagers import Result

INDENT: Final = 6
END_TEXTS: Final = {
    "rolls": "it had its number of rolls",
    "shooters": "it had its number of shooters",
    "stop_loss": "the stop loss was reached",
    "stop_win": "the stop win was reached",
    "ruin": "the rack does not cover the next bets",
}


@report_errors
def watch(  # noqa: PLR0913, PLR0917  an option each
    strategy: Annotated[str, typer.Argument(help="Name of a built-in strategy, or a strategy file (.toml).")],
    bankroll: options.BankrollOption,
    book: options.BookOption = None,
    house: options.HouseOption = None,
    rolls: options.RollsOption = None,
    shooters: options.ShootersOption = None,
    stop_win: options.StopWinOption = None,
    stop_loss: options.StopLossOption = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Random seed of the dice (default: system entropy).")
    ] = None,
    dice: Annotated[str | None, typer.Option("--dice", help="Use exactly these rolls, e.g. 3-4,6-1")] = None,
    dice_file: Annotated[
        Path | None, typer.Option("--dice-file", help="Read the rolls from a file, one per line.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play one session of a strategy and print it roll by roll.

    Each roll shows what the player bets, the dice, the bets that are decided with their clauses, and the rack. The
    session ends as in `trueodds session`: bets that may be taken down come down, and the others are rolled until they
    are decided.
    """
    chosen = find_house(book, house)
    steps = watch_session(
        find_strategy(strategy), chosen, _rolls(seed, dice, dice_file), bankroll=bankroll, rolls=rolls,
        shooters=shooters, stop_win=stop_win, stop_loss=stop_loss,
    )  # fmt: skip
    if as_json:
        print_json([_step_data(step) for step in steps])
        return
    rack_cents, count, closing = int(parse_dollars(bankroll)), 0, 0
    start_cents, ended_by = rack_cents, ""
    for number, step in enumerate(steps, 1):
        _print_step(number, step, rack_cents, chosen.currency)
        rack_cents, ended_by = step.rack_cents, step.ended_by or ""
        count += not ended_by
        closing += bool(ended_by) and step.roll is not None
    result = rack_cents - start_cents
    more = f" and {closing} to decide the open bets" if closing else ""
    print_wrapped(
        f"The session ended after {count} {'roll' if count == 1 else 'rolls'}{more}: {END_TEXTS[ended_by]}. Final rack "
        f"{format_money(rack_cents, chosen.currency)} ({'+' if result >= 0 else ''}"
        f"{format_money(result, chosen.currency)})."
    )


def _rolls(seed: int | None, dice: str | None, dice_file: Path | None) -> Iterator[Roll]:
    if sum(option is not None for option in (seed, dice, dice_file)) > 1:
        raise UsageError("--seed, --dice and --dice-file exclude each other")
    if seed is not None:
        return seeded_rolls(seed)
    if dice is not None:
        return scripted_rolls(dice.split(","))
    return system_rolls() if dice_file is None else recorded_rolls(dice_file)


def _action_texts(step: SessionStep) -> list[str]:
    """Return the notation of the actions without the player. A change of a bet also names the bet."""
    spots = {tag: spot for position in (step.start, step.position) for tag, spot in _spots_by_tag(position)}
    texts = []
    for action in step.actions:
        text = write_action(action).removeprefix(f"{PLAYER} ")
        texts.append(text if isinstance(action, Bet) else f"{text} ({spots[getattr(action, 'tag')]})")  # noqa: B009
    return texts


def _spots_by_tag(position: Position) -> Iterator[tuple[str, str]]:
    for tag, wager, odds_tags in position.seats[0].wagers:
        yield tag, str(wager.spot)
        yield from zip(odds_tags, (bet.kind for bet in wager.odds_bets), strict=True)


def _print_step(number: int, step: SessionStep, rack_cents: int, currency: str) -> None:
    """Print the actions, the roll, the bets that it decides and the rack."""
    if step.roll is None and not step.actions:
        return
    puck = f"point {step.start.point}" if step.start.point else "come-out"
    closing = ", closing out" if step.ended_by else ""
    typer.echo(f"{number:>4}  {puck}, rack {format_money(rack_cents, currency)}{closing}")
    lines = _action_texts(step) + [event.sentence for event in step.events]
    undecided = (Result.NO_ACTION, Result.OFF)
    lines += [f"  {each.sentence}" for each in step.settled if each.settlement.result not in undecided]
    for line in lines:
        print_wrapped(f"{' ' * INDENT}{line}", indent=INDENT + 4)


def _step_data(step: SessionStep) -> dict[str, object]:
    return {
        "start": write_position(step.start),
        "actions": _action_texts(step),
        "position": write_position(step.position),
        "roll": None if step.roll is None else str(step.roll),
        "settled": [
            {
                "spot": str(each.settlement.spot), "name": each.settlement.name, "result": str(each.settlement.result),
                "stake_cents": each.settlement.stake_cents, "net_cents": each.settlement.net_cents,
                "paid_cents": each.settlement.paid_cents, "sentence": each.sentence,
            }
            for each in step.settled
        ],
        "position_after": write_position(step.position_after),
        "rack_cents": step.rack_cents,
        "ended_by": step.ended_by,
    }  # fmt: skip
