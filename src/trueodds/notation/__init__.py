"""Text for rolls, actions, positions and whole histories; parse and write are inverses."""

from trueodds.notation.actions import parse_action, write_action
from trueodds.notation.history import (
    History,
    HistoryError,
    Step,
    events_digest,
    parse_history,
    replay,
    write_history,
)
from trueodds.notation.positions import parse_position, write_position
from trueodds.notation.words import NotationError, parse_amount, write_amount, write_name

__all__ = [
    "History",
    "HistoryError",
    "NotationError",
    "Step",
    "events_digest",
    "parse_action",
    "parse_amount",
    "parse_history",
    "parse_position",
    "replay",
    "write_action",
    "write_amount",
    "write_history",
    "write_name",
    "write_position",
]
