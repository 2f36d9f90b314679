"""Whether a throw counts, and as what: the book's grounds for No Roll and its reading of cocked dice."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.rulebook import ThrowRuling
from trueodds.table.action import Throw
from trueodds.table.event import NoRoll
from trueodds.table.legality import no_player
from trueodds.table.position import Position
from trueodds.table.refusal import Code, Refusal
from trueodds.wagers import Rules


def verify_throw(rules: Rules, position: Position, throw: Throw) -> Refusal | None:
    """Refuse an irregularity the book has no row for, and a throw by somebody who is not there."""
    if throw.irregular is not None and throw.irregular not in rules.book.throws:
        known = ", ".join(rules.book.throws)
        return Refusal(Code.NO_SUCH_THROW, f"{throw.irregular!r} is no irregular throw; there are {known}")
    if throw.player is not None and position.custody is None and position.seat_of(throw.player) is None:
        return no_player(throw.player)
    return None


def judge(rules: Rules, throw: Throw) -> Roll | NoRoll:
    """Read the dice, or call No Roll."""
    if throw.irregular is None:
        return throw.dice
    row = rules.book.throws[throw.irregular]
    if _is_void(rules, row, throw):
        return NoRoll(throw.dice, row.code, row.cite, throw.player, throw.called_by)
    return _read(throw) if row.ruling == "opposite" else throw.dice


def _is_void(rules: Rules, row: ThrowRuling, throw: Throw) -> bool:
    authorised = row.by.get(rules.game.name, ())
    match row.ruling:
        case "void":
            return True
        case "called":
            return throw.called_by in authorised
        case "decided":
            return throw.ruling == "void" and (throw.called_by or "".join(authorised[:1])) in authorised
        case _:
            return False


def _read(throw: Throw) -> Roll:
    """Read a cocked die as the face opposite the one it rests on."""
    if throw.cocked is None:
        return throw.dice
    die, resting = throw.cocked
    faces = [throw.dice.first, throw.dice.second]
    faces[die] = 7 - resting
    return Roll(*faces)
