"""The notation of positions: one line.

    puck 6 under_way | Ann: pass 10 as 1 with pass_odds 30 as 2, place:8 12 off as 3 | Bob standing: | made 3

Bars separate the parts: the puck and the stage of the hand, each seat clockwise, and then, where there are any, the
fire and bonus markers, the number of wagers made so far, the custody of the dice, and the don't bets that a player may
not replace before the next roll ("barred Ann dont_pass").
"""

from __future__ import annotations

from typing import Final, get_args

from trueodds.money import ZERO, Cents
from trueodds.notation.line_parser import LineParser, NotationError, write_amount, write_name
from trueodds.rulebook import Spot, SpotError
from trueodds.table import Custody, HandStage, Markers, Position, Seat, TaggedWager
from trueodds.table.position import BarredBet
from trueodds.wagers import OddsBet, Wager, WorkingCall

_STAGES: Final[dict[str, HandStage]] = {stage: stage for stage in get_args(HandStage)}
_CALLS: Final = ("on", "off")


def write_position(position: Position) -> str:
    """Return the notation of a position.

    >>> write_position(Position(seats=(Seat("Ann"),)))
    'puck off new | Ann:'
    """
    parts = [f"puck {position.point or 'off'} {position.hand_stage}"]
    parts += [_write_seat(seat) for seat in position.seats]
    parts += [
        f"{name} {_write_numbers(marks)}"
        for name, marks in (("fire", position.markers.fire), ("bonus", position.markers.bonus))
        if marks
    ]
    if position.wagers_made:
        parts.append(f"made {position.wagers_made}")
    if position.custody is not None:
        parts.append(_write_custody(position.custody))
    parts += [f"barred {write_name(player)} {kind}" for player, kind in position.barred]
    return " | ".join(parts)


def _write_numbers(numbers: tuple[int, ...]) -> str:
    return "+".join(map(str, numbers))


def _write_seat(seat: Seat) -> str:
    head = f"{write_name(seat.player)}{'' if seat.seated else ' standing'}:"
    return " ".join([head, *([", ".join(map(_write_wager, seat.wagers))] if seat.wagers else [])])


def _write_wager(tagged: TaggedWager) -> str:
    wager = tagged.wager
    text = f"{wager.spot} {write_amount(wager.stake)}"
    text += f" {wager.call}" if wager.call else ""
    text += " reduced" if wager.reduced else ""
    text += f" marks {_write_numbers(wager.marks)}" if wager.marks else ""
    text += f" vig {write_amount(wager.vig)}" if wager.vig else ""
    text += f" as {write_name(tagged.tag)}"
    for tag, bet in zip(tagged.odds_tags, wager.odds_bets, strict=True):
        called = f" {bet.call}" if bet.call else ""
        text += f" with {bet.kind} {write_amount(bet.stake)}{called} as {write_name(tag)}"
    return text


def _write_custody(custody: Custody) -> str:
    text = "dice"
    for key, value in (
        ("shooter", custody.shooter),
        ("offer", custody.offered_to),
        ("previous", custody.previous_shooter),
    ):
        text += f" {key} {write_name(value)}" if value is not None else ""
    for player in custody.declined_by:
        text += f" declined {write_name(player)}"
    text += " come_settlement" if custody.mode == "come_settlement" else ""
    text += " for_come_settlement" if custody.for_come_settlement else ""
    text += " fire_pending" if custody.fire_pending else ""
    return text + (" bonus_pending" if custody.bonus_pending else "")


def parse_position(text: str) -> Position:
    """Parse a position. This is the inverse of `write_position`."""
    line = LineParser(text)
    try:
        return _parse(line)
    except SpotError as error:
        raise NotationError(f"{error} in {text!r}") from None


def _parse(line: LineParser) -> Position:
    line.expect("puck")
    puck = 0 if line.accept("off") else line.number("a point or off")
    word = line.word("the stage of the hand")
    stage = _STAGES.get(word)
    if stage is None:
        raise NotationError(f"the stage of the hand must be one of {', '.join(_STAGES)}, got {word!r} in {line.text!r}")
    seats: list[Seat] = []
    fire: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    wagers_made, custody = 0, None
    barred: list[BarredBet] = []
    while line.accept("|"):
        if line.accept("fire"):
            fire = _parse_numbers(line)
        elif line.accept("bonus"):
            bonus = _parse_numbers(line)
        elif line.accept("made"):
            wagers_made = line.number("the number of wagers made")
        elif line.accept("dice"):
            custody = _parse_custody(line)
        elif line.accept("barred"):
            barred.append(BarredBet(line.name("a player"), line.word("a kind of wager")))
        else:
            seats.append(_parse_seat(line))
    line.expect_end()
    return Position(puck, stage, tuple(seats), Markers(fire, bonus), wagers_made, custody, tuple(sorted(set(barred))))


def _parse_numbers(line: LineParser) -> tuple[int, ...]:
    word = line.word("numbers like 4+5")
    parts = word.split("+")
    if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
        raise NotationError(f"numbers must be written like 4+5, got {word!r} in {line.text!r}")
    return tuple(map(int, parts))


def _parse_seat(line: LineParser) -> Seat:
    player, colon = _name_before_colon(line)
    seated = True
    if not colon:
        line.expect("standing:")
        seated = False
    wagers = []
    while not line.at_end and line.peek() != "|":
        wagers.append(_parse_wager(line))
        if not line.accept(","):
            break
    return Seat(player, seated, tuple(wagers))


def _name_before_colon(line: LineParser) -> tuple[str, bool]:
    """Parse a player, and return whether a colon follows at once. If not, "standing:" comes next."""
    if line.peek().startswith('"'):
        return line.name("a player"), line.accept(":")
    word = line.word("a player")
    return (word[:-1], True) if word.endswith(":") else (word, False)


def _parse_wager(line: LineParser) -> TaggedWager:
    spot = Spot.parse(line.word("a spot"))
    stake = line.amount("a stake")
    call = _parse_call(line)
    reduced = line.accept("reduced")
    marks = _parse_numbers(line) if line.accept("marks") else ()
    vig = line.amount() if line.accept("vig") else ZERO
    line.expect("as")
    tag = line.name("a tag")
    odds, tags = [], []
    while line.accept("with"):
        kind, odds_stake = line.word("a kind of odds"), line.amount("a stake")
        odds.append(OddsBet(kind, odds_stake, _parse_call(line)))
        line.expect("as")
        tags.append(line.name("a tag"))
    return TaggedWager(tag, Wager(spot, Cents(stake), call, reduced, marks, vig, tuple(odds)), tuple(tags))


def _parse_call(line: LineParser) -> WorkingCall:
    for call in _CALLS:
        if line.accept(call):
            return "on" if call == "on" else "off"
    return ""


def _parse_custody(line: LineParser) -> Custody:
    custody = Custody()
    while not line.at_end and line.peek() != "|":
        if line.accept("shooter"):
            custody = custody._replace(shooter=line.name("a player"))
        elif line.accept("offer"):
            custody = custody._replace(offered_to=line.name("a player"))
        elif line.accept("previous"):
            custody = custody._replace(previous_shooter=line.name("a player"))
        elif line.accept("declined"):
            custody = custody._replace(declined_by=(*custody.declined_by, line.name("a player")))
        elif line.accept("come_settlement"):
            custody = custody._replace(mode="come_settlement")
        elif line.accept("for_come_settlement"):
            custody = custody._replace(for_come_settlement=True)
        elif line.accept("fire_pending"):
            custody = custody._replace(fire_pending=True)
        elif line.accept("bonus_pending"):
            custody = custody._replace(bonus_pending=True)
        else:
            line.fail("who has the dice")
    return custody
