"""One line for a position.

    puck 6 under_way | Ann: pass 10 as 1 with pass_odds 30 as 2, place:8 12 off as 3 | Bob standing: | made 3

Parts are set apart by bars: the puck and the hand, each seat clockwise, then what is not usual: fire and
bonus markers, how many wagers were made, and who has the dice.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from trueodds.money import ZERO, Cents
from trueodds.notation.words import Line, NotationError, write_amount, write_name
from trueodds.rulebook import Spot, SpotError
from trueodds.table import Custody, Entry, Hand, Markers, Position, Seat
from trueodds.wagers import Call, OddsBet, Wager

_HANDS: Final = get_args(Hand)
_FLAGS: Final = ("puck_off", "fire_pending", "bonus_pending")
_CALLS: Final = ("on", "off")


def write_position(position: Position) -> str:
    """Write a position as a line.

    >>> write_position(Position(seats=(Seat("Ann"),)))
    'puck off new | Ann:'
    """
    parts = [f"puck {position.point or 'off'} {position.hand}"]
    parts += [_write_seat(seat) for seat in position.seats]
    parts += [
        f"{name} {_numbers(marks)}"
        for name, marks in (("fire", position.markers.fire), ("bonus", position.markers.bonus))
        if marks
    ]
    if position.serial:
        parts.append(f"made {position.serial}")
    if position.custody is not None:
        parts.append(_write_custody(position.custody))
    return " | ".join(parts)


def _numbers(numbers: tuple[int, ...]) -> str:
    return "+".join(map(str, numbers))


def _write_seat(seat: Seat) -> str:
    head = f"{write_name(seat.player)}{'' if seat.seated else ' standing'}:"
    return " ".join([head, *([", ".join(map(_write_entry, seat.entries))] if seat.entries else [])])


def _write_entry(entry: Entry) -> str:
    wager = entry.wager
    said = f"{wager.spot} {write_amount(wager.stake)}"
    said += f" {wager.call}" if wager.call else ""
    said += " cut" if wager.cut else ""
    said += f" marks {_numbers(wager.marks)}" if wager.marks else ""
    said += f" vig {write_amount(wager.vig)}" if wager.vig else ""
    said += f" as {write_name(entry.tag)}"
    for tag, bet in zip(entry.odds_tags, wager.odds, strict=True):
        called = f" {bet.call}" if bet.call else ""
        said += f" with {bet.kind} {write_amount(bet.stake)}{called} as {write_name(tag)}"
    return said


def _write_custody(custody: Custody) -> str:
    said = "dice"
    for key, value in (("shooter", custody.shooter), ("offer", custody.offer_to), ("previous", custody.previous)):
        said += f" {key} {write_name(value)}" if value is not None else ""
    for player in custody.declined:
        said += f" declined {write_name(player)}"
    said += " come_settlement" if custody.mode == "come_settlement" else ""
    return said + "".join(f" {flag}" for flag in _FLAGS if getattr(custody, flag))


def parse_position(text: str) -> Position:
    """Read a line; the inverse of `write_position`."""
    line = Line(text)
    try:
        return _parse(line)
    except SpotError as error:
        raise NotationError(f"{error} in {text!r}") from None


def _parse(line: Line) -> Position:
    line.expect("puck")
    puck = 0 if line.skip("off") else line.number("a point or off")
    hand: Any = line.word("how far the hand is")
    if hand not in _HANDS:
        msg = f"a hand is {', '.join(_HANDS)}, not {hand!r} in {line.text!r}"
        raise NotationError(msg)
    seats: list[Seat] = []
    fire: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    serial, custody = 0, None
    while line.skip("|"):
        if line.skip("fire"):
            fire = _parse_numbers(line)
        elif line.skip("bonus"):
            bonus = _parse_numbers(line)
        elif line.skip("made"):
            serial = line.number("how many wagers were made")
        elif line.skip("dice"):
            custody = _parse_custody(line)
        else:
            seats.append(_parse_seat(line))
    line.end()
    return Position(puck, hand, tuple(seats), Markers(fire, bonus), serial, custody)


def _parse_numbers(line: Line) -> tuple[int, ...]:
    word = line.word("numbers like 4+5")
    parts = word.split("+")
    if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
        msg = f"numbers are written like 4+5, not {word!r} in {line.text!r}"
        raise NotationError(msg)
    return tuple(map(int, parts))


def _parse_seat(line: Line) -> Seat:
    player, colon = _name_before_colon(line)
    seated = True
    if not colon:
        line.expect("standing:")
        seated = False
    entries = []
    while not line.done and line.peek() != "|":
        entries.append(_parse_entry(line))
        if not line.skip(","):
            break
    return Seat(player, seated, tuple(entries))


def _name_before_colon(line: Line) -> tuple[str, bool]:
    """Read a player; a colon follows at once, or after "standing"."""
    if line.peek().startswith('"'):
        return line.name("a player"), line.skip(":")
    word = line.word("a player")
    return (word[:-1], True) if word.endswith(":") else (word, False)


def _parse_entry(line: Line) -> Entry:
    spot = Spot.parse(line.word("a spot"))
    stake = line.amount("a stake")
    call = _parse_call(line)
    cut = line.skip("cut")
    marks = _parse_numbers(line) if line.skip("marks") else ()
    vig = line.amount() if line.skip("vig") else ZERO
    line.expect("as")
    tag = line.name("a tag")
    odds, tags = [], []
    while line.skip("with"):
        kind, behind = line.word("a kind of odds"), line.amount("a stake")
        odds.append(OddsBet(kind, behind, _parse_call(line)))
        line.expect("as")
        tags.append(line.name("a tag"))
    return Entry(tag, Wager(spot, Cents(stake), call, cut, marks, vig, tuple(odds)), tuple(tags))


def _parse_call(line: Line) -> Call:
    for call in _CALLS:
        if line.skip(call):
            return "on" if call == "on" else "off"
    return ""


def _parse_custody(line: Line) -> Custody:
    found: dict[str, Any] = {}
    declined: list[str] = []
    while not line.done and line.peek() != "|":
        if line.skip("come_settlement"):
            found["mode"] = "come_settlement"
        elif line.skip("declined"):
            declined.append(line.name("a player"))
        elif line.peek() in _FLAGS:
            found[line.word("a flag")] = True
        else:
            key = {"shooter": "shooter", "offer": "offer_to", "previous": "previous"}.get(line.peek())
            if key is None:
                line.fail("who has the dice")
            line.word("a key")
            found[key] = line.name("a player")
    return Custody(**found, declined=tuple(declined))
