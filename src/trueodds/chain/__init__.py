"""Exact answers from the engine: chains of situations, solved in fractions."""

from trueodds.chain.absorbing import ChainTooLargeError, EndlessError
from trueodds.chain.hand import HandChain, HandOdds
from trueodds.chain.odds import FAIR, Chances, DiceWeightsError, WagerOdds, biased, house_odds, wager_odds

__all__ = [
    "FAIR",
    "ChainTooLargeError",
    "Chances",
    "DiceWeightsError",
    "EndlessError",
    "HandChain",
    "HandOdds",
    "WagerOdds",
    "biased",
    "house_odds",
    "wager_odds",
]
