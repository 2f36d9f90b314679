"""The players of the benchmarks, as crapssim and as trueodds know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from crapssim import Table
from crapssim.bet import Come
from crapssim.strategy import odds, single_bet, tools

from trueodds.strategy import Field as FieldBet
from trueodds.strategy import Hard, Pass, Strategy, across, bet, keep, named_strategy, puck_on

TIMES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
POINT_ON = single_bet.StrategyMode.BET_IF_POINT_ON
PLACES = {4: 10, 5: 10, 6: 12, 8: 12, 9: 10, 10: 10}


class Peer(NamedTuple):
    """A player: what trueodds plays, what crapssim plays, with what, and the ratio to reach."""

    ours: Strategy
    theirs: Callable[[], Any]
    bankroll: int
    wanted: int


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
    return (keep(Pass(10)) + many.when(puck_on)).named("Twelve bets")


def twenty_bets() -> Strategy:
    """Twenty wagers up before every throw while a point is on, and nine before a come-out."""
    spots = ("any7", "any_craps", "craps2", "craps3", "craps12", "yo", "hop:1-3", "hop:4-6")
    one_roll = Strategy(tuple(keep(bet(spot, 5)) for spot in spots))
    return (our_twelve_bets() + one_roll).named("Twenty bets")


def players() -> dict[str, Peer]:
    """Name every player that is measured."""
    return {
        "pass": Peer(named_strategy("pass"), lambda: single_bet.BetPassLine(10), 500, 6_000),
        "pass with 3-4-5x": Peer(named_strategy("pass_345"), pass_with_odds, 500, 10_000),
        "molly": Peer(named_strategy("molly"), molly, 500, 20_000),
        "place 6 and 8": Peer(named_strategy("place_6_8"), lambda: single_bet.BetPlace({6: 12, 8: 12}), 500, 10_000),
        "iron cross": Peer(named_strategy("iron_cross"), iron_cross, 500, 30_000),
        "twelve bets": Peer(our_twelve_bets(), twelve_bets, 2_000, 50_000),
    }


def play_theirs(peer: Peer, sessions: int, rolls: int, seed: int) -> tuple[int, float]:
    """Have crapssim play sessions; give the throws, and the mean result."""
    thrown, won = 0, 0.0
    for session in range(sessions):
        table = Table(seed=seed + session)
        table.add_player(bankroll=peer.bankroll, strategy=peer.theirs())
        table.run(max_rolls=rolls, verbose=False, runout=False)
        thrown += table.dice.n_rolls
        won += table.players[0].total_player_cash - peer.bankroll
    return thrown, won / sessions
