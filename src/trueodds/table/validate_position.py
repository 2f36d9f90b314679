"""Whether a position can stand at a table: everything on it exists under the rules and has one name."""

from __future__ import annotations

from typing import NoReturn

from trueodds.money import STAKE_LIMIT
from trueodds.table.position import Entry, Position, PositionError
from trueodds.wagers import FROZEN, BonusRule, FireRule, Rules


def check_position(rules: Rules, position: Position) -> None:
    """Raise `PositionError` for a position that no play under these rules could have made sense of."""
    if position.puck and position.puck not in rules.points:
        _fail(f"{position.puck} is no point")
    names = [seat.player for seat in position.seats]
    if len(set(names)) != len(names):
        _fail("two seats have one name")
    entries = [entry for seat in position.seats for entry in seat.entries]
    tags = [tag for entry in entries for tag in (entry.tag, *entry.odds_tags)]
    if len(set(tags)) != len(tags):
        _fail("two wagers have one tag")
    for entry in entries:
        _check_entry(rules, position, entry)
    custody = position.custody
    if custody is not None:
        for player in (custody.shooter, custody.offer_to):
            if player is not None and player not in names:
                _fail(f"{player!r} has the dice and no seat")


def _check_entry(rules: Rules, position: Position, entry: Entry) -> None:
    wager = entry.wager
    rule = rules.spots.get(wager.spot)
    if rule is None:
        _fail(f"{wager.spot} is no spot of {rules.book.title}")
    for stake in (wager.stake, *(bet.stake for bet in wager.odds)):
        if not 0 < stake <= STAKE_LIMIT:
            _fail(f"{stake} cents on {wager.spot} is no stake")
    if wager.vig < 0:
        _fail(f"vigorish of {wager.vig} on {wager.spot}")
    wanted = rules.points | {FROZEN} if isinstance(rule, FireRule) else getattr(rule, "wanted", frozenset())
    if not set(wager.marks) <= wanted or (wager.marks and not isinstance(rule, FireRule | BonusRule)):
        _fail(f"marks {wager.marks} on {wager.spot}")
    for bet in wager.odds:
        odds = rules.odds.get(bet.kind)
        if odds is None or odds.base != wager.spot.kind or rule.number_of(wager, position.phase) is None:
            _fail(f"{bet.kind} cannot stand behind {wager.spot}")


def _fail(what: str) -> NoReturn:
    raise PositionError(what)
