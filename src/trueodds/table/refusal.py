"""No is an answer: a stable code, the clause or option behind it, and a sentence a player understands."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple

from trueodds.rulebook import Cite, say


class Code(StrEnum):
    """Why an action was refused. Codes never change their meaning."""

    NOT_OFFERED = "not_offered"
    BAD_SELECTION = "bad_selection"
    CALL_BET = "call_bet"
    UNCONFIRMED = "unconfirmed"
    TENDER = "tender"
    LATE = "late"
    NOT_SEATED = "not_seated"
    MUST_REMAIN_SEATED = "must_remain_seated"
    UNIT = "unit"
    WINDOW = "window"
    NO_BASE = "no_base"
    BELOW_MIN = "below_min"
    ABOVE_MAX = "above_max"
    ODDS_LIMIT = "odds_limit"
    UNPAYABLE = "unpayable"
    CONTRACT = "contract"
    NO_SUCH_BET = "no_such_bet"
    BAD_AMOUNT = "bad_amount"
    NOT_CALLABLE = "not_callable"
    NOT_OFFERED_DICE = "not_offered_dice"
    NOT_SHOOTER = "not_shooter"
    NO_AUTHORITY = "no_authority"
    NO_CAUSE = "no_cause"
    TABLE_FULL = "table_full"
    WAGERS_UP = "wagers_up"
    SEAT_TAKEN = "seat_taken"
    NO_SUCH_PLAYER = "no_such_player"
    TAG_IN_USE = "tag_in_use"
    NO_SUCH_THROW = "no_such_throw"


HOUSEKEEPING: Final = frozenset(
    {
        Code.NO_SUCH_PLAYER,
        Code.TAG_IN_USE,
        Code.NO_SUCH_THROW,
        Code.WAGERS_UP,
        Code.SEAT_TAKEN,
    }
)
"""Refusals that no rule of craps is behind, so that they name none."""


class Refusal(NamedTuple):
    """An action that was not done. Nothing changed. Unless it is housekeeping, it names a clause or an option."""

    code: Code
    what: str
    cite: Cite = ()
    option: str | None = None

    @property
    def sentence(self) -> str:
        """Say what was refused and why, with the clause or the house option behind it."""
        reasons = [say(self.cite)] if self.cite else []
        if self.option:
            reasons.append(f"house option {self.option}")
        return f"{self.what}: {'; '.join(reasons)}" if reasons else self.what


class Refused(Exception):  # noqa: N818  it is the answer of a table, not an error of a program
    """Raised by `Table.do` when an action is refused; the position is as it was."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal

    def __reduce__(self) -> tuple[Any, ...]:
        return (Refused, (self.refusal,))

    @property
    def code(self) -> Code:
        """The stable reason."""
        return self.refusal.code
