"""The notation of actions: one line, close to what people say at a table.

Ann bets 10 on pass as p          Ann calls p off            roll 3-4
Ann bets 30 on pass_odds behind p Ann sits                   Ann rolls 3-4 irregular no_end_wall
Ann presses p to 20               Ann joins at 2             boxperson orders the dice passed for delay
Ann reduces p to 5                Ann accepts the dice       open the table
Ann takes down p                  Ann declines the line      Ann leaves
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trueodds.dice import DiceError, Roll
from trueodds.money import MoneyError
from trueodds.notation.line_parser import LineParser, NotationError, write_amount, write_name
from trueodds.rulebook import Spot, SpotError
from trueodds.table import (
    AcceptDice,
    Action,
    ActionError,
    Bet,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    RollDice,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
)

_VERBS: Final[dict[type, str]] = {
    Sit: "sits",
    Stand: "stands",
    Leave: "leaves",
    AcceptDice: "accepts the dice",
    DeclineDice: "declines the dice",
    PassDice: "passes the dice",
    DeclineLine: "declines the line",
}


def write_action(action: Action) -> str:
    """Return the notation of an action.

    >>> write_action(Bet("Ann", Spot("place", (6,)), 1200))
    'Ann bets 12 on place:6'
    """
    match action:
        case Bet():
            return _write_bet(action)
        case RollDice():
            return _write_roll(action)
        case OpenTable():
            return "open the table"
        case OrderPass():
            return f"{write_name(action.ordered_by)} orders the dice passed for {write_name(action.cause)}"
        case TakeDown():
            predicate = f"takes down {write_name(action.tag)}"
        case Reduce():
            predicate = f"reduces {write_name(action.tag)} to {write_amount(action.new_stake_cents)}"
        case Press():
            predicate = f"presses {write_name(action.tag)} to {write_amount(action.new_stake_cents)}"
        case ToggleBet():
            predicate = f"calls {write_name(action.tag)} {action.call}"
        case Join():
            predicate = "joins" if action.seat_index is None else f"joins at {action.seat_index}"
        case _:
            predicate = _VERBS[type(action)]
    when = _write_timing_and_confirmation(getattr(action, "timing", "open"), getattr(action, "confirmed_by", ()))
    return f"{write_name(action.player)} {predicate}{when}"


def _write_bet(bet: Bet) -> str:
    text = f"{write_name(bet.player)} bets {write_amount(bet.stake_cents)} on {bet.spot}"
    if bet.base_tag is not None:
        text += f" behind {write_name(bet.base_tag)}"
    if bet.tag is not None:
        text += f" as {write_name(bet.tag)}"
    if bet.tender != "chips":
        text += f" with {bet.tender}"
    if bet.confirmed_aloud:
        text += " confirmed aloud"
    return text + _write_timing_and_confirmation(bet.timing, bet.confirmed_by)


def _write_timing_and_confirmation(timing: str, confirmed_by: tuple[str, ...]) -> str:
    text = "" if timing == "open" else f" {timing}"
    if confirmed_by:
        text += " confirmed by " + " and ".join(write_name(person) for person in confirmed_by)
    return text


def _write_roll(action: RollDice) -> str:
    text = f"roll {action.dice}" if action.player is None else f"{write_name(action.player)} rolls {action.dice}"
    if action.irregularity is not None:
        text += f" irregular {write_name(action.irregularity)}"
    if action.called_by is not None:
        text += f" called by {write_name(action.called_by)}"
    if action.ruling is not None:
        text += f" ruled {action.ruling}"
    if action.cocked is not None:
        text += f" cocked {action.cocked[0]} on {action.cocked[1]}"
    return text


def parse_action(text: str) -> Action:
    """Parse an action. This is the inverse of `write_action`."""
    line = LineParser(text)
    try:
        action = _parse(line)
    except (DiceError, MoneyError, ActionError, SpotError) as error:
        raise NotationError(f"{error} in {text!r}") from None
    line.expect_end()
    return action


def _parse(line: LineParser) -> Action:
    if line.accept("open", "the", "table"):
        return OpenTable()
    if line.accept("roll"):
        return _parse_roll(line, None)
    player = line.name("a player")
    if line.accept("orders", "the", "dice", "passed", "for"):
        return OrderPass(player, line.name("a cause"))
    for kind, words in _VERBS.items():
        if line.accept(*words.split()):
            simple: Action = kind(player)
            return simple
    verb = line.word("what the player does")
    parse = _PARSERS.get(verb)
    if parse is None:
        raise NotationError(f"expected what the player does, found {verb!r} in {line.text!r}")
    return parse(line, player)


def _parse_bet(line: LineParser, player: str) -> Action:
    stake = line.amount()
    line.expect("on")
    spot = Spot.parse(line.word("a spot"))
    on = line.name("a tag") if line.accept("behind") else None
    tag = line.name("a tag") if line.accept("as") else None
    tender = line.word("a tender") if line.accept("with") else "chips"
    confirmed = line.accept("confirmed", "aloud")
    return Bet(player, spot, stake, on, tag, tender, confirmed, *_parse_timing_and_confirmation(line))


def _parse_timing(line: LineParser) -> str:
    return next((word for word in ("in_air", "after_rest") if line.accept(word)), "open")


def _parse_timing_and_confirmation(line: LineParser) -> tuple[str, tuple[str, ...]]:
    timing = _parse_timing(line)
    people: list[str] = []
    if line.accept("confirmed", "by"):
        people.append(line.name("who confirmed"))
        while line.accept("and"):
            people.append(line.name("who confirmed"))
    return timing, tuple(people)


def _parse_roll(line: LineParser, player: str | None) -> Action:
    dice = Roll.parse(line.word("the dice"))
    irregular = line.name("an irregularity") if line.accept("irregular") else None
    called_by = line.name("who called the roll") if line.accept("called", "by") else None
    ruling = line.word("void or face") if line.accept("ruled") else None
    cocked = None
    if line.accept("cocked"):
        die = line.number("0 or 1")
        line.expect("on")
        cocked = (die, line.number("a face"))
    return RollDice(dice, player, irregular, called_by, ruling, cocked)


def _parse_take_down(line: LineParser, player: str) -> Action:
    line.expect("down")
    return TakeDown(player, line.name("a tag"), _parse_timing(line))


def _parse_reduce(line: LineParser, player: str) -> Action:
    tag = line.name("a tag")
    line.expect("to")
    return Reduce(player, tag, line.amount(), _parse_timing(line))


def _parse_press(line: LineParser, player: str) -> Action:
    tag = line.name("a tag")
    line.expect("to")
    return Press(player, tag, line.amount(), *_parse_timing_and_confirmation(line))


def _parse_toggle(line: LineParser, player: str) -> Action:
    tag = line.name("a tag")
    if line.accept("on"):
        return ToggleBet(player, tag, "on")
    line.expect("off")
    return ToggleBet(player, tag, "off")


def _parse_join(line: LineParser, player: str) -> Action:
    return Join(player, line.number("a seat number") if line.accept("at") else None)


_PARSERS: Final[dict[str, Callable[[LineParser, str], Action]]] = {
    "bets": _parse_bet,
    "rolls": _parse_roll,
    "takes": _parse_take_down,
    "reduces": _parse_reduce,
    "presses": _parse_press,
    "calls": _parse_toggle,
    "joins": _parse_join,
}
