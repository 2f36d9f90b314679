"""Text for actions, positions and histories. `parse_x` and `write_x` are inverses."""

from trueodds.notation.action_text import parse_action, write_action
from trueodds.notation.history import (
    History,
    HistoryError,
    ReplayStep,
    events_digest,
    parse_history,
    replay,
    write_history,
)
from trueodds.notation.line_parser import NotationError, parse_amount, write_amount, write_name
from trueodds.notation.position_text import parse_position, write_position

__all__ = [
    "History",
    "HistoryError",
    "NotationError",
    "ReplayStep",
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
