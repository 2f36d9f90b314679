"""Exact odds of single wagers and of a shooter's hand, as fractions."""

from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, biased_dice
from trueodds.wager_odds.exact_odds import WagerOdds, house_odds, wager_odds
from trueodds.wager_odds.find_odds import iter_odds, odds
from trueodds.wager_odds.odds_bets import odds_by_point
from trueodds.wager_odds.shooter_hand import HandSummary, ShooterHand

__all__ = [
    "FAIR_DICE",
    "DiceChances",
    "HandSummary",
    "ShooterHand",
    "WagerOdds",
    "biased_dice",
    "house_odds",
    "iter_odds",
    "odds",
    "odds_by_point",
    "wager_odds",
]
