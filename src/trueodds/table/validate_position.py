"""Validation of positions that come from outside, such as text: can this position stand at a table?"""

from __future__ import annotations

from typing import NoReturn

from trueodds.money import MAX_STAKE_CENTS
from trueodds.table.position import Position, PositionError, TaggedWager
from trueodds.wagers import FROZEN, BonusRule, FireRule, TableRules, WagerRule


def validate_position(rules: TableRules, position: Position) -> None:
    """Raise `PositionError` if a position cannot occur under these rules."""
    if position.puck and position.puck not in rules.points:
        _fail(f"the puck must be on a point, got {position.puck}")
    players = [seat.player for seat in position.seats]
    if len(set(players)) != len(players):
        _fail(f"players must have different names, got {', '.join(players)}")
    wagers = [tagged for seat in position.seats for tagged in seat.wagers]
    tags = [tag for tagged in wagers for tag in (tagged.tag, *tagged.odds_tags)]
    if len(set(tags)) != len(tags):
        _fail(f"wagers must have different tags, got {', '.join(tags)}")
    for tagged in wagers:
        _validate_wager(rules, position, tagged)
    for barred_player, kind in position.barred:
        if barred_player not in players or kind not in rules.book.wagers:
            _fail(f"a barred bet must be a wager of a player at the table, got {kind} of {barred_player!r}")
    custody = position.custody
    if custody is not None:
        for player in (custody.shooter, custody.offered_to):
            if player is not None and player not in players:
                _fail(f"the dice must be held by or offered to a player at the table, got {player!r}")


def _validate_wager(rules: TableRules, position: Position, tagged: TaggedWager) -> None:
    wager = tagged.wager
    rule = rules.wager_rules.get(wager.spot)
    if rule is None:
        _fail(f"{rules.book.title} has no spot called {wager.spot}")
    for stake in (wager.stake, *(bet.stake for bet in wager.odds_bets)):
        if not 0 < stake <= MAX_STAKE_CENTS:
            _fail(f"the stake on {wager.spot} must be from 1 to {MAX_STAKE_CENTS} cents, got {stake}")
    if wager.vig < 0:
        _fail(f"the vigorish on {wager.spot} must not be negative, got {wager.vig}")
    allowed = _allowed_marks(rules, rule)
    if not set(wager.marks) <= allowed:
        _fail(f"the marks on {wager.spot} must be among {sorted(allowed)}, got {list(wager.marks)}")
    for bet in wager.odds_bets:
        odds_rule = rules.odds_rules.get(bet.kind)
        has_number = rule.number_of(wager, position.phase) is not None
        if odds_rule is None or odds_rule.base_kind != wager.spot.kind or not has_number:
            _fail(f"{bet.kind} cannot stand behind {wager.spot}")


def _allowed_marks(rules: TableRules, rule: WagerRule) -> frozenset[int]:
    if isinstance(rule, FireRule):
        return rules.points | {FROZEN}
    return rule.totals if isinstance(rule, BonusRule) else frozenset()


def _fail(message: str) -> NoReturn:
    raise PositionError(message)
