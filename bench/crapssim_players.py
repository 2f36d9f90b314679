"""The players of the simulation benchmark, written for crapssim and for trueodds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from crapssim import Table
from crapssim.bet import Come
from crapssim.strategy import odds, single_bet, tools

from trueodds.strategy import Field as FieldBet
from trueodds.strategy import Hard, Pass, Strategy, across, bet, builtin_strategy, keep, puck_on

TIMES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
POINT_ON = single_bet.StrategyMode.BET_IF_POINT_ON
PLACES = {4: 10, 5: 10, 6: 12, 8: 12, 9: 10, 10: 10}


class BenchPlayer(NamedTuple):
    """A player: the strategies for trueodds and for crapssim, the bankroll in dollars, and the target ratio."""

    ours: Strategy
    theirs: Callable[[], Any]
    bankroll: int
    target_ratio: int


def pass_with_odds() -> Any:
    return tools.AggregateStrategy(single_bet.BetPassLine(10), odds.PassLineOddsMultiplier(TIMES))


def molly() -> Any:
    come = tools.AggregateStrategy(tools.CountStrategy(Come, 2, Come(10)), odds.ComeOddsMultiplier(TIMES))
    return tools.AggregateStrategy(pass_with_odds(), come)


def iron_cross() -> Any:
    placed = single_bet.BetPlace({5: 10, 6: 12, 8: 12})
    return tools.AggregateStrategy(placed, single_bet.BetField(10, mode=POINT_ON))


def twelve_bets() -> Any:
    hard = [single_bet.BetHardWay(number, 5, mode=POINT_ON) for number in (4, 6, 8, 10)]
    placed = single_bet.BetPlace(dict(PLACES))
    return tools.AggregateStrategy(single_bet.BetPassLine(10), placed, single_bet.BetField(10, mode=POINT_ON), *hard)


def our_twelve_bets() -> Strategy:
    hard = [keep(Hard(number, 5)) for number in (4, 6, 8, 10)]
    many = across(PLACES) + keep(FieldBet(10)) + Strategy(tuple(hard))
    return (keep(Pass(10)) + many.when(puck_on)).with_name("Twelve bets")


def twenty_bets() -> Strategy:
    """Return a strategy with twenty wagers before every roll while a point is on, and nine before a come-out."""
    spots = ("any7", "any_craps", "craps2", "craps3", "craps12", "yo", "hop:1-3", "hop:4-6")
    one_roll = Strategy(tuple(keep(bet(spot, 5)) for spot in spots))
    return (our_twelve_bets() + one_roll).with_name("Twenty bets")


def bench_players() -> dict[str, BenchPlayer]:
    """Return every player that is measured, by name."""
    return {
        "pass": BenchPlayer(builtin_strategy("pass"), lambda: single_bet.BetPassLine(10), 500, 6_000),
        "pass with 3-4-5x": BenchPlayer(builtin_strategy("pass_345"), pass_with_odds, 500, 10_000),
        "molly": BenchPlayer(builtin_strategy("molly"), molly, 500, 20_000),
        "place 6 and 8": BenchPlayer(
            builtin_strategy("place_6_8"), lambda: single_bet.BetPlace({6: 12, 8: 12}), 500, 10_000
        ),
        "iron cross": BenchPlayer(builtin_strategy("iron_cross"), iron_cross, 500, 30_000),
        "twelve bets": BenchPlayer(our_twelve_bets(), twelve_bets, 2_000, 50_000),
    }


def play_theirs(peer: BenchPlayer, sessions: int, rolls: int, seed: int) -> tuple[int, float]:
    """Run sessions with crapssim. Return the number of rolls and the mean result."""
    total_rolls, won = 0, 0.0
    for session in range(sessions):
        table = Table(seed=seed + session)
        table.add_player(bankroll=peer.bankroll, strategy=peer.theirs())
        table.run(max_rolls=rolls, verbose=False, runout=False)
        total_rolls += table.dice.n_rolls
        won += table.players[0].total_player_cash - peer.bankroll
    return total_rolls, won / sessions
