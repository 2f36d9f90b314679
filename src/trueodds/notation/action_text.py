"""One line for an action, the way one would say it at the table.

Ann bets 10 on pass as p          Ann calls p off            roll 3-4
Ann bets 30 on pass_odds behind p Ann sits                   Ann rolls 3-4 no_end_wall called by boxperson
Ann presses p to 20               Ann joins at 2             boxperson orders the dice passed for delay
Ann reduces p to 5                Ann accepts the dice       open the table
Ann takes down p                  Ann declines the line      Ann leaves
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from trueodds.dice import DiceError, Roll
from trueodds.money import MoneyError
from trueodds.notation.words import Line, NotationError, write_amount, write_name
from trueodds.rulebook import Spot, SpotError
from trueodds.table import (
    AcceptDice,
    Action,
    ActionError,
    Bet,
    CallWager,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    TakeDown,
    Throw,
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
    """Write an action as a line.

    >>> write_action(Bet("Ann", Spot("place", (6,)), 1200))
    'Ann bets 12 on place:6'
    """
    match action:
        case Bet():
            return _write_bet(action)
        case Throw():
            return _write_throw(action)
        case OpenTable():
            return "open the table"
        case OrderPass():
            return f"{write_name(action.by)} orders the dice passed for {write_name(action.cause)}"
        case TakeDown():
            done = f"takes down {write_name(action.tag)}"
        case Reduce():
            done = f"reduces {write_name(action.tag)} to {write_amount(action.to)}"
        case Press():
            done = f"presses {write_name(action.tag)} to {write_amount(action.to)}"
        case CallWager():
            done = f"calls {write_name(action.tag)} {action.call}"
        case Join():
            done = "joins" if action.place is None else f"joins at {action.place}"
        case _:
            done = _VERBS[type(action)]
    when = _write_timing(getattr(action, "timing", "open"), getattr(action, "confirmed_by", ()))
    return f"{write_name(action.player)} {done}{when}"


def _write_bet(bet: Bet) -> str:
    said = f"{write_name(bet.player)} bets {write_amount(bet.stake)} on {bet.spot}"
    if bet.on is not None:
        said += f" behind {write_name(bet.on)}"
    if bet.tag is not None:
        said += f" as {write_name(bet.tag)}"
    if bet.tender != "chips":
        said += f" with {bet.tender}"
    if bet.confirmed:
        said += " confirmed aloud"
    return said + _write_timing(bet.timing, bet.confirmed_by)


def _write_timing(timing: str, confirmed_by: tuple[str, ...]) -> str:
    said = "" if timing == "open" else f" {timing}"
    if confirmed_by:
        said += " confirmed by " + " and ".join(write_name(person) for person in confirmed_by)
    return said


def _write_throw(throw: Throw) -> str:
    said = f"roll {throw.dice}" if throw.player is None else f"{write_name(throw.player)} rolls {throw.dice}"
    if throw.irregular is not None:
        said += f" irregular {write_name(throw.irregular)}"
    if throw.called_by is not None:
        said += f" called by {write_name(throw.called_by)}"
    if throw.ruling is not None:
        said += f" ruled {throw.ruling}"
    if throw.cocked is not None:
        said += f" cocked {throw.cocked[0]} on {throw.cocked[1]}"
    return said


def parse_action(text: str) -> Action:
    """Read a line; the inverse of `write_action`."""
    line = Line(text)
    try:
        action = _parse(line)
    except (DiceError, MoneyError, ActionError, SpotError) as error:
        raise NotationError(f"{error} in {text!r}") from None
    line.end()
    return action


def _parse(line: Line) -> Action:
    if line.skip("open", "the", "table"):
        return OpenTable()
    if line.skip("roll"):
        return _parse_throw(line, None)
    player = line.name("a player")
    if line.skip("orders", "the", "dice", "passed", "for"):
        return OrderPass(player, line.name("a cause"))
    for kind, words in _VERBS.items():
        if line.skip(*words.split()):
            simple: Action = kind(player)
            return simple
    verb = line.word("what the player does")
    parse = _PARSERS.get(verb)
    if parse is None:
        msg = f"{verb!r} is nothing a player does, in {line.text!r}"
        raise NotationError(msg)
    return parse(line, player)


def _parse_bet(line: Line, player: str) -> Action:
    stake = line.amount()
    line.expect("on")
    spot = Spot.parse(line.word("a spot"))
    on = line.name("a tag") if line.skip("behind") else None
    tag = line.name("a tag") if line.skip("as") else None
    tender = line.word("a tender") if line.skip("with") else "chips"
    confirmed = line.skip("confirmed", "aloud")
    return Bet(player, spot, stake, on, tag, tender, confirmed, *_parse_timing(line))


def _parse_moment(line: Line) -> str:
    return next((word for word in ("in_air", "after_rest") if line.skip(word)), "open")


def _parse_timing(line: Line) -> tuple[str, tuple[str, ...]]:
    timing = _parse_moment(line)
    people: list[str] = []
    if line.skip("confirmed", "by"):
        people.append(line.name("who confirmed"))
        while line.skip("and"):
            people.append(line.name("who confirmed"))
    return timing, tuple(people)


def _parse_throw(line: Line, player: str | None) -> Action:
    dice = Roll.parse(line.word("the dice"))
    irregular = line.name("what was irregular") if line.skip("irregular") else None
    called_by = line.name("who called it") if line.skip("called", "by") else None
    ruling = line.word("void or face") if line.skip("ruled") else None
    cocked = None
    if line.skip("cocked"):
        die = line.number("0 or 1")
        line.expect("on")
        cocked = (die, line.number("a face"))
    return Throw(dice, player, irregular, called_by, ruling, cocked)


def _parse_take_down(line: Line, player: str) -> Action:
    line.expect("down")
    return TakeDown(player, line.name("a tag"), _parse_moment(line))


def _parse_reduce(line: Line, player: str) -> Action:
    tag = line.name("a tag")
    line.expect("to")
    return Reduce(player, tag, line.amount(), _parse_moment(line))


def _parse_press(line: Line, player: str) -> Action:
    tag = line.name("a tag")
    line.expect("to")
    return Press(player, tag, line.amount(), *_parse_timing(line))


def _parse_call(line: Line, player: str) -> Action:
    tag = line.name("a tag")
    call: Any = line.word("on or off")
    return CallWager(player, tag, call)


def _parse_join(line: Line, player: str) -> Action:
    return Join(player, line.number("a place") if line.skip("at") else None)


_PARSERS: Final[dict[str, Callable[[Line, str], Action]]] = {
    "bets": _parse_bet,
    "rolls": _parse_throw,
    "takes": _parse_take_down,
    "reduces": _parse_reduce,
    "presses": _parse_press,
    "calls": _parse_call,
    "joins": _parse_join,
}
