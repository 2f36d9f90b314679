"""The table: positions, actions, events, refusals and the one verifier."""

from trueodds.table.action import Action, ActionError, Bet, CallWager, Press, Reduce, Sit, Stand, TakeDown, Throw
from trueodds.table.dealer import Dealer
from trueodds.table.event import (
    Called,
    Changed,
    Event,
    Made,
    Movement,
    NoRoll,
    Rolled,
    Ruling,
    Seated,
    Settled,
    movements,
)
from trueodds.table.fold import fold
from trueodds.table.layout import Choice, Chip, Layout, LayoutSpot, Stakes
from trueodds.table.position import (
    Entry,
    Hand,
    Markers,
    Position,
    Seat,
    Situation,
    new_position,
    situation,
)
from trueodds.table.refusal import Code, Refusal, Refused
from trueodds.table.table import Table

__all__ = [
    "Action",
    "ActionError",
    "Bet",
    "CallWager",
    "Called",
    "Changed",
    "Chip",
    "Choice",
    "Code",
    "Dealer",
    "Entry",
    "Event",
    "Hand",
    "Layout",
    "LayoutSpot",
    "Made",
    "Markers",
    "Movement",
    "NoRoll",
    "Position",
    "Press",
    "Reduce",
    "Refusal",
    "Refused",
    "Rolled",
    "Ruling",
    "Seat",
    "Seated",
    "Settled",
    "Sit",
    "Situation",
    "Stakes",
    "Stand",
    "Table",
    "TakeDown",
    "Throw",
    "fold",
    "movements",
    "new_position",
    "situation",
]
