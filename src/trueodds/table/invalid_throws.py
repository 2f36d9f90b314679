"""Invalid throws: whether a roll counts under the book's rules on irregular throws, and how cocked dice are read."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.rulebook import IrregularThrow
from trueodds.table.action import RollDice
from trueodds.table.event import NoRoll
from trueodds.table.position import Position
from trueodds.table.refusal import Refusal, RefusalCode
from trueodds.table.verify_bet import no_such_player
from trueodds.wagers import TableRules


def verify_roll(rules: TableRules, position: Position, action: RollDice) -> Refusal | None:
    """Refuse an irregularity that the book does not list, and a roll by a player who is not at the table."""
    if action.irregularity is not None and action.irregularity not in rules.book.irregular_throws:
        known = ", ".join(rules.book.irregular_throws)
        reason = f"{action.irregularity!r} is not an irregular throw; the book lists {known}"
        return Refusal(RefusalCode.NO_SUCH_THROW, reason)
    if action.player is not None and position.custody is None and position.find_seat(action.player) is None:
        return no_such_player(action.player)
    return None


def read_dice(rules: TableRules, action: RollDice) -> Roll | NoRoll:
    """Return the roll as it counts, or `NoRoll` if the book makes the throw invalid."""
    if action.irregularity is None:
        return action.dice
    irregularity = rules.book.irregular_throws[action.irregularity]
    if _is_void(rules, irregularity, action):
        return NoRoll(action.dice, irregularity.code, irregularity.cite, action.player, action.called_by)
    return _read_cocked_dice(action) if irregularity.ruling == "opposite" else action.dice


def _is_void(rules: TableRules, irregularity: IrregularThrow, action: RollDice) -> bool:
    authorized = irregularity.officials.get(rules.game.name, ())
    match irregularity.ruling:
        case "void":
            return True
        case "called":
            return action.called_by in authorized
        case "decided":
            return action.ruling == "void" and (action.called_by or "".join(authorized[:1])) in authorized
        case _:
            return False


def _read_cocked_dice(action: RollDice) -> Roll:
    """Return the roll with the cocked die read as the face opposite the one it rests on."""
    if action.cocked is None:
        return action.dice
    die, resting_face = action.cocked
    faces = [action.dice.first, action.dice.second]
    faces[die] = 7 - resting_face
    return Roll(*faces)
