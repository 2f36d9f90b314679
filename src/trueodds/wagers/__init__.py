"""How each family of wagers lives and dies."""

from trueodds.wagers.hand import BonusRule, FireRule
from trueodds.wagers.hardway import HardwayRule
from trueodds.wagers.line import LineRule
from trueodds.wagers.number import NumberRule
from trueodds.wagers.odds import OddsRule
from trueodds.wagers.one_roll import OneRollRule
from trueodds.wagers.parts import PartsRule
from trueodds.wagers.rules import Rules
from trueodds.wagers.terms import WINDOWS, Part, Pay, Rule, SinglePayRule, Verdict, Vig
from trueodds.wagers.wager import COME_OUT, COME_SETTLEMENT, FROZEN, Call, OddsBet, Phase, Result, Wager

__all__ = [
    "COME_OUT",
    "COME_SETTLEMENT",
    "FROZEN",
    "WINDOWS",
    "BonusRule",
    "Call",
    "FireRule",
    "HardwayRule",
    "LineRule",
    "NumberRule",
    "OddsBet",
    "OddsRule",
    "OneRollRule",
    "Part",
    "PartsRule",
    "Pay",
    "Phase",
    "Result",
    "Rule",
    "Rules",
    "SinglePayRule",
    "Verdict",
    "Vig",
    "Wager",
]
