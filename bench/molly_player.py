"""The player of the benchmark of the engine: pass with 3-4-5x odds and two come bets with odds."""

from __future__ import annotations

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import Bet, Entry

FLAT = Cents(1000)
TIMES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
PASS, COME = Spot("pass"), Spot("come")
ODDS = {"pass": Spot("pass_odds"), "come": Spot("come_odds")}
NEW_PASS, NEW_COME = Bet("A", PASS, FLAT), Bet("A", COME, FLAT)


def next_bet(entries: tuple[Entry, ...], puck: int) -> Bet | None:
    """Say what the player puts up next, or nothing when content."""
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
            return Bet("A", ODDS[spot.kind], Cents(FLAT * TIMES[number]), on=entry.tag)
    if not puck:
        return None if has_pass else NEW_PASS
    return NEW_COME if comes < 2 and not in_box else None
