"""Wagers, and the rules of each family of wagers."""

from trueodds.wagers.combination_rule import CombinationRule
from trueodds.wagers.hardway_rule import HardwayRule
from trueodds.wagers.line_rule import LineRule
from trueodds.wagers.number_rule import NumberRule
from trueodds.wagers.odds_rule import OddsRule
from trueodds.wagers.one_roll_rule import OneRollRule
from trueodds.wagers.side_bet_rules import BonusRule, FireRule
from trueodds.wagers.table_rules import TableRules
from trueodds.wagers.wager import COME_OUT, COME_SETTLEMENT, FROZEN, OddsBet, Phase, Result, Wager, WorkingCall
from trueodds.wagers.wager_rule import (
    WINDOW_DESCRIPTIONS,
    Payout,
    RollEffect,
    ShareResult,
    SinglePayoutRule,
    Vig,
    WagerRule,
)

__all__ = [
    "COME_OUT",
    "COME_SETTLEMENT",
    "FROZEN",
    "WINDOW_DESCRIPTIONS",
    "BonusRule",
    "CombinationRule",
    "FireRule",
    "HardwayRule",
    "LineRule",
    "NumberRule",
    "OddsBet",
    "OddsRule",
    "OneRollRule",
    "Payout",
    "Phase",
    "Result",
    "RollEffect",
    "ShareResult",
    "SinglePayoutRule",
    "TableRules",
    "Vig",
    "Wager",
    "WagerRule",
    "WorkingCall",
]
