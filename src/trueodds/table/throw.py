"""Whether a throw counts, and as what: the book's grounds for No Roll and its reading of cocked dice."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.rulebook import ThrowRuling
from trueodds.table.action import Throw
from trueodds.table.event import NoRoll
from trueodds.table.refusal import Code, Refusal
from trueodds.wagers import Rules


def verify_throw(rules: Rules, throw: Throw) -> Refusal | None:
    """Refuse an irregularity the book has no row for."""
    if throw.irregular is not None and throw.irregular not in rules.book.throws:
        known = ", ".join(rules.book.throws)
        return Refusal(
            Code.NO_SUCH_THROW,
            f"{throw.irregular!r} is no irregular throw; there are {known}",
            rules.refusal_cite("late"),
        )
    return None


def judge(rules: Rules, throw: Throw) -> Roll | NoRoll:
    """Read the dice, or call No Roll."""
    if throw.irregular is None:
        return throw.dice
    row = rules.book.throws[throw.irregular]
    if _is_void(rules, row, throw):
        return NoRoll(throw.dice, row.code, row.cite)
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
