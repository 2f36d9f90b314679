"""`watch`: one session of a strategy, roll by roll.

What a session is stands in `reference.py`. This module only takes the arguments of a caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from trueodds.dice import Roll
from trueodds.money import Dollars
from trueodds.rulebook import Book, House, as_house
from trueodds.sessions.reference import ReferencePlayer, SessionStep
from trueodds.sessions.session_limits import parse_limits
from trueodds.strategy import Play, Strategy, as_strategy

MAX_WATCHED_ROLLS: Final = 10**9


def watch(
    strategy: Strategy | Play | str,
    house: House | Book | str,
    roll_source: Iterable[Roll | str],
    *,
    bankroll: Dollars,
    rolls: int | None = None,
    shooters: int | None = None,
    stop_win: Dollars | None = None,
    stop_loss: Dollars | None = None,
) -> Iterator[SessionStep]:
    """Play one session of a strategy and yield it roll by roll.

    `roll_source` gives the rolls, as `Roll` objects or as text like "3-4"; `trueodds.roll_sources` has random and
    seeded ones without end. The limits are those of `Session`.

    A step has what the player did (`actions`), the `position` in which the dice were rolled, the `roll`, the `settled`
    wagers, and the player's `rack_cents` afterwards. `ended_by` is None until the session ends. Then it says why, and
    the remaining steps close out the open bets. The last step has no roll and has the final rack.

    Raise RollsEndedError if the rolls end before the session does.

    >>> for step in watch("pass", "new_jersey", ["4-4", "3-5", "5-6"], bankroll=100, rolls=3):
    ...     print(step.roll, [str(each.settlement.result) for each in step.settled], step.rack_cents, step.ended_by)
    4-4 ['no_action'] 9000 None
    3-5 ['win'] 11000 None
    5-6 ['win'] 12000 None
    None [] 12000 rolls
    """
    limits = parse_limits(bankroll, rolls, shooters, stop_win, stop_loss, MAX_WATCHED_ROLLS)
    player = ReferencePlayer(as_strategy(strategy), as_house(house), limits)
    return player.steps(roll if type(roll) is Roll else Roll.parse(roll) for roll in roll_source)
