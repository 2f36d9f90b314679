"""Refusals: why an action is not allowed, with a stable code, the clause or house option, and a sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from trueodds.errors import TrueoddsError
from trueodds.rulebook import Citation, format_citation


class RefusalCode(StrEnum):
    """Why an action was refused. The meaning of a code never changes."""

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


CODES_WITHOUT_CLAUSE: Final = frozenset(
    {
        RefusalCode.NO_SUCH_PLAYER,
        RefusalCode.TAG_IN_USE,
        RefusalCode.NO_SUCH_THROW,
        RefusalCode.WAGERS_UP,
        RefusalCode.SEAT_TAKEN,
    }
)
"""Codes of refusals that do not come from a rule of craps, so they cite no clause."""


class Refusal(NamedTuple):
    """The reason why an action is not allowed. Unless no rule is involved, it has a clause or a house option."""

    code: RefusalCode
    reason: str
    cite: Citation = ()
    option: str | None = None

    @property
    def sentence(self) -> str:
        """The reason as a sentence, with the clause and the house option."""
        sources = [format_citation(self.cite)] if self.cite else []
        if self.option:
            sources.append(f"house option {self.option}")
        return f"{self.reason}: {'; '.join(sources)}" if sources else self.reason


class Refused(TrueoddsError):  # noqa: N818  a refusal is an answer of the table, not a programming error
    """Raised when the rules do not allow an action. The position is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        return self.refusal.sentence

    @property
    def code(self) -> RefusalCode:
        """The code of the refusal."""
        return self.refusal.code
