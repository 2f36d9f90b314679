"""Exact answers from the engine: chains of situations, solved in fractions."""

from trueodds.chain.odds import FAIR, Chances, DiceWeightsError, WagerOdds, biased, house_odds, wager_odds

__all__ = ["FAIR", "Chances", "DiceWeightsError", "WagerOdds", "biased", "house_odds", "wager_odds"]
