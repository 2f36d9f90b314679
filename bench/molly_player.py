"""The player of the engine benchmark: a pass bet and two come bets, all with 3-4-5x odds."""

from __future__ import annotations

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import Bet, TaggedWager

FLAT = Cents(1000)
TIMES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
PASS, COME = Spot("pass"), Spot("come")
ODDS = {"pass": Spot("pass_odds"), "come": Spot("come_odds")}
NEW_PASS, NEW_COME = Bet("A", PASS, FLAT), Bet("A", COME, FLAT)


def next_bet(entries: tuple[TaggedWager, ...], puck: int) -> Bet | None:
    """Return the next bet of the player, or None if no bet is missing."""
    comes, has_pass, in_box = 0, False, False
    for entry in entries:
        spot = entry.wager.spot
        if spot.kind == "pass":
            has_pass = True
            number = puck
        else:
            comes += 1
            number = spot.pick[0] if spot.pick else 0
            in_box = in_box or not number
        if number and not entry.odds_tags:
            return Bet("A", ODDS[spot.kind], Cents(FLAT * TIMES[number]), base_tag=entry.tag)
    if not puck:
        return None if has_pass else NEW_PASS
    return NEW_COME if comes < 2 and not in_box else None
