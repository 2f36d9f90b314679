"""A table where every bet, change and roll is checked against the options of its house.

The checks use `house_terms` and `settlement_oracle`, and none of the engine's rules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from support.house_law import odds_of, ratio_of
from support.house_terms import BASES, HouseTerms, point_number
from support.settlement_oracle import (
    BONUS,
    STAY_UP,
    odds_row,
    outcome,
    possible_wins,
    round_net,
    vig_is_due_on_win,
    vig_on,
)
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import MAX_STAKE_CENTS, Cents
from trueodds.rulebook import House, Spot
from trueodds.table import (
    Bet,
    BetMade,
    BetResized,
    Event,
    Position,
    Press,
    Reduce,
    Refused,
    Rolled,
    SettledWager,
    TaggedWager,
    TakeDown,
    ToggleBet,
    money_movements,
)
from trueodds.table.refusal import CODES_WITHOUT_CLAUSE
from trueodds.wagers import OddsBet

PLAYERS: Final = ("A", "B")
DONTS: Final = ("dont_pass", "dont_come")


class AuditedTable:
    """A table under a house, with what its own records say about each bet.

    `collected` are the points or totals since a fire or bonus bet was made, `calls` the calls in force, `cut` the don't
    bets that were reduced, `barred` the kinds of don't bets that a strict house does not take before the next roll.
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = Table(house, PLAYERS)
        self.terms = HouseTerms(house)
        self.refused = self.settled = 0
        self.racks = dict.fromkeys(PLAYERS, 0)
        self.on_layout = dict.fromkeys(PLAYERS, 0)
        self.collected: dict[str, frozenset[int]] = {}
        self.calls: dict[str, str] = {}
        self.cut: set[str] = set()
        self.barred: set[tuple[str, str]] = set()
        self.last_total = 0
        self.is_new_hand = True

    def wagers_of(self, player: str) -> tuple[TaggedWager, ...]:
        """Return the wagers that a player has up."""
        seat = self.table.position.find_seat(player)
        return seat.wagers if seat else ()

    def require(self, condition: bool, words: str) -> None:
        """Raise AssertionError with the house and the history if a condition does not hold."""
        if not condition:
            raise AssertionError(f"{words}\n{self.house.book.id} {dict(self.house.options)}\n{self.table}")

    def act(self, action: Bet | TakeDown | Reduce | Press | ToggleBet) -> None:
        """Make a bet or a change, and check what it did or that its refusal did nothing."""
        before = self.table.position
        try:
            events = self.table.do(action)
        except Refused as refused:
            refusal = refused.refusal
            self.refused += 1
            self.require(bool(refusal.cite) or refusal.code in CODES_WITHOUT_CLAUSE, f"{refusal} names no clause")
            self.require(self.table.position == before, "a refused action changed the position")
            return
        self._count_money(events)
        match action:
            case Bet():
                self._check_bet(before, action, events)
            case ToggleBet():
                self._check_call(before, action)
            case _:
                self._check_change(before, action, events)

    def roll(self, roll: Roll) -> None:
        """Roll the dice and check every settlement."""
        before = self.table.position
        events = self.table.roll(roll)
        (event,) = (event for event in events if isinstance(event, Rolled))
        self._count_money(events)
        for movement in money_movements(event):
            self.require(movement.rack_cents >= 0, f"a roll took {-movement.rack_cents} cents from a rack")
        self._check_settled(before, event)
        self.barred.clear()
        point, total = before.puck, roll.total
        after = 0 if total in (point, 7) else point or (total if total in self.house.book.points else 0)
        self.require(self.table.position.puck == after, f"the puck is on {after}")
        self.last_total, self.is_new_hand = total, point > 0 and total == 7

    # ------------------------------------------------------------------------------------------- bets

    def _is_window_open(self, kind: str, point: int) -> bool:
        if kind in ("pass", "dont_pass"):
            return not point
        if kind in ("come", "dont_come"):
            return point > 0
        window = "new_shooter" if kind == "fire" else self.house["bonus_window"] if kind in BONUS else "any"
        return {
            "any": True,
            "new_shooter": self.is_new_hand,
            "after_any_seven": not point and (self.is_new_hand or self.last_total == 7),
            "any_come_out": not point,
        }[str(window)]

    def _check_stake(self, spot: Spot, stake: int) -> None:
        """Check the stake of a wager that lies on the layout."""
        require = self.require
        require(stake > 0 and stake % self.house.chip_unit_cents == 0, f"{spot} {stake}: chip unit")
        require(stake % self.terms.unit(spot.kind) == 0, f"{spot} {stake}: wager unit")
        for ratio in possible_wins(self.house, spot) if self.house["unpayable"] == "refuse" else ():
            require((stake * ratio / self.house.pay_unit_cents).denominator == 1, f"{spot} {stake} cannot be paid")

    def _check_maximum(self, player: str, spot: Spot) -> None:
        limit = self.terms.maximum(spot.kind)
        up = sum(tagged.wager.stake for tagged in self.wagers_of(player) if tagged.wager.spot == spot)
        self.require(limit is None or up <= limit, f"{player} has {up} on {spot}, the maximum is {limit}")

    def _check_vig(self, spot: Spot, stake: int) -> int:
        """Check the vigorish of a stake and return what is due up front."""
        if spot.kind not in ("buy", "lay"):
            return 0
        vig = vig_on(self.house, spot, stake)
        self.require(vig * 20 <= stake, f"vigorish {vig} on {spot} {stake} is above 5 percent")
        free = vig == 0 and self.house["vig_bp"] != 0 and self.house["free_vig"] == "refuse"
        self.require(not free, f"vigorish on {spot} {stake} rounds to nothing")
        return 0 if vig_is_due_on_win(self.house, spot) else vig

    def _check_bet(self, before: Position, bet: Bet, events: tuple[Event, ...]) -> None:
        require, kind = self.require, bet.spot.kind
        made = [event for event in events if isinstance(event, BetMade)]
        require(all(event.cite for event in made), "a bet names its clause")
        require(sum(event.stake_cents for event in made) == bet.stake_cents, "the parts add up to the bet")
        require(self.terms.is_offered(kind), f"{kind} is not offered")
        if kind in BASES:
            self._check_odds(bet.player, bet.base_tag or "", kind)
            return
        require(self._is_window_open(kind, before.puck), f"{bet.spot} is not open")
        require((bet.player, kind) not in self.barred, f"{kind} may not be replaced before the next roll")
        require(bet.stake_cents >= self.terms.minimum(kind), f"{bet.spot} {bet.stake_cents} is below the minimum")
        require(bet.stake_cents % self.terms.unit(kind) == 0, f"{bet.spot} {bet.stake_cents}: wager unit")
        parts = self.terms.parts(bet.spot)
        require(len(made) == len(parts), f"{bet.spot} lies as {parts}")
        for event, (spot, share) in zip(made, parts, strict=True):
            require(event.wager is not None and event.wager.spot == spot, f"{bet.spot} lies as {parts}")
            require(event.stake_cents == bet.stake_cents * share, f"{bet.spot} is split as {parts}")
            self._check_stake(spot, event.stake_cents)
            self._check_maximum(bet.player, spot)
            require(event.vig_cents == self._check_vig(spot, event.stake_cents), f"vigorish of {spot}")
            self.collected[event.tag] = frozenset()

    def _check_odds(self, player: str, base_tag: str, kind: str) -> None:
        """Check all odds behind a wager, and all of their kind on its number."""
        wagers = {tagged.tag: tagged for tagged in self.wagers_of(player)}
        base, puck = wagers[base_tag], self.table.position.puck
        number = point_number(base, puck)
        self.require(base.wager.spot.kind == BASES[kind] and number is not None, f"{kind} behind {base}")
        assert number is not None
        cap = self.terms.facilitated(self.terms.odds_cap(kind, base.wager.stake, number), kind, number)
        self.require(base.wager.odds_stake <= cap, f"{base.wager.odds_stake} {kind} on {number}, the limit is {cap}")
        posted = self.terms.maximum(kind)
        if posted is not None:
            up = sum(
                bet.stake
                for tagged in wagers.values()
                for bet in tagged.wager.odds_bets
                if bet.kind == kind and point_number(tagged, puck) == number
            )
            limit = self.terms.facilitated(Fraction(posted), kind, number)
            self.require(up <= limit, f"{up} {kind} on {number}, the house posts {limit}")
        for bet in base.wager.odds_bets:
            self._check_odds_stake(bet, number)

    def _check_odds_stake(self, bet: OddsBet, number: int) -> None:
        self.require(bet.stake > 0 and bet.stake % self.house.chip_unit_cents == 0, f"{bet}: chip unit")
        step = self.terms.payable_step({ratio_of(odds_of(self.house, odds_row(bet.kind, number)))})
        self.require(bet.stake % step == 0, f"{bet} on {number} cannot be paid")

    # ---------------------------------------------------------------------------------------- changes

    def _check_call(self, before: Position, action: ToggleBet) -> None:
        _, kind = self._find(before, action.player, action.tag)
        allowed = kind in self.house.wager_list("call_off") or (
            action.call == "on" and kind in self.house.wager_list("call_on")
        )
        self.require(allowed, f"{kind} may not be called {action.call}")
        self.calls[action.tag] = action.call

    def _find(self, position: Position, player: str, tag: str) -> tuple[TaggedWager, str]:
        """Return the wager of a tag, or the one its odds stand behind, with the kind of the bet."""
        seat = position.find_seat(player)
        for tagged in seat.wagers if seat else ():
            if tagged.tag == tag:
                return tagged, tagged.wager.spot.kind
            if tag in tagged.odds_tags:
                return tagged, tagged.wager.odds_bets[tagged.odds_tags.index(tag)].kind
        raise AssertionError(f"{player} has no bet tagged {tag}")

    def _check_change(self, before: Position, action: TakeDown | Reduce | Press, events: tuple[Event, ...]) -> None:
        require, player = self.require, action.player
        tagged, kind = self._find(before, player, action.tag)
        resized = [event for event in events if isinstance(event, BetResized)]
        require(all(event.cite for event in resized), "a change names its clause")
        if kind in BASES:
            if isinstance(action, Press):
                self._check_odds(player, tagged.tag, kind)
            elif isinstance(action, Reduce):
                bet = resized[-1].after
                require(isinstance(bet, OddsBet) and bet.stake == action.new_stake_cents, "the odds have the new stake")
            return
        self._check_lock(before.puck, action, tagged)
        wager, spot, event = tagged.wager, tagged.wager.spot, resized[-1]
        if kind in DONTS and not isinstance(action, Press):
            self.cut.add(action.tag)
            if self.house["dont_replace"] == "strict":
                self.barred.add((player, kind))
        if isinstance(action, TakeDown):
            require(event.vig_cents == (-wager.vig if self.house.get("vig_refund", True) else 0), "refund of vigorish")
            return
        stake = action.new_stake_cents
        after, _ = self._find(self.table.position, player, action.tag)
        require(after.wager.stake == stake, "the bet has the new stake")
        require(stake >= self.terms.minimum(kind), f"{spot} {stake} is below the minimum")
        self._check_stake(spot, stake)
        due = self._check_vig(spot, stake) - wager.vig if spot.kind in ("buy", "lay") else 0
        if spot.kind in ("buy", "lay") and vig_is_due_on_win(self.house, spot):
            due = 0
        require(
            event.vig_cents == (due if due > 0 or self.house.get("vig_refund", True) else 0), "vigorish of a change"
        )
        if isinstance(action, Press):
            self._check_maximum(player, spot)
        elif after.wager.odds_bets:
            number = point_number(after, before.puck) or 0
            cap = self.terms.odds_cap(after.wager.odds_bets[0].kind, stake, number)
            untouched = len(resized) == 1
            require(untouched or after.wager.odds_stake <= cap, "odds are trimmed to the limit of the smaller bet")
            require(not untouched or wager.odds_stake <= cap, "odds above the limit of the smaller bet are trimmed")
            for bet in after.wager.odds_bets:
                self._check_odds_stake(bet, number)

    def _check_lock(self, point: int, action: TakeDown | Reduce | Press, tagged: TaggedWager) -> None:
        """Check that a wager was not locked against its change."""
        kind, has_number = tagged.wager.spot.kind, point_number(tagged, point) is not None
        if isinstance(action, Press):
            locked = kind == "fire" or kind in BONUS or (kind in DONTS and has_number)
            locked |= kind in ("pass", "come") and has_number and not self.house["contract_increase"]
            locked |= kind in DONTS and self.house.book.id != "rws" and action.tag in self.cut
            locked |= (action.player, kind) in self.barred
        else:
            locked = kind == "fire" or (kind == "put" and not self.house["put_removable"])
            locked |= kind in BONUS and (isinstance(action, Reduce) or self.house["bonus_removal"] != "allow")
            locked |= kind in ("pass", "come") and (has_number or self.house["contract_from"] == "placement")
        self.require(not locked, f"{action} changed a locked bet")

    # ------------------------------------------------------------------------------------------ money

    def check_racks(self) -> None:
        """Check that the racks are the sum of all movements."""
        self.require(self.table.racks_cents == self.racks, "the racks are the sum of all movements")

    def check_offers(self, player: str) -> None:
        """Check that what the table offers is accepted from the smallest to the largest stake, and no further."""
        for offer in self.table.legal_actions(player):
            stakes = offer.stake_range
            if stakes is None:
                continue
            most = stakes.max_cents
            for stake in (stakes.min_cents, most or stakes.min_cents):
                refusal = self.table.verify(offer.to_action(player, stake))
                self.require(refusal is None, f"{offer} is offered and refused: {refusal}")
            above = Cents((most or 0) + stakes.step_cents)
            if most is not None and offer.verb != "reduce" and above <= MAX_STAKE_CENTS:
                refusal = self.table.verify(offer.to_action(player, above))
                self.require(refusal is not None, f"{above} is above what {offer} offers")

    def _count_money(self, events: tuple[Event, ...]) -> None:
        """Check that no event makes or loses money, and that the layout holds what was put there."""
        for event in events:
            for movement in money_movements(event):
                total = movement.rack_cents + movement.layout_cents + movement.house_cents + movement.vig_cents
                self.require(total == 0, f"{movement} does not add up to zero")
                self.racks[movement.player] += movement.rack_cents
                self.on_layout[movement.player] += movement.layout_cents
        for seat in self.table.position.seats:
            up = sum(tagged.wager.total_stake for tagged in seat.wagers)
            self.require(up == self.on_layout[seat.player], f"{seat.player} has {up} on the layout")

    # ------------------------------------------------------------------------------------ settlements

    def _check_settled(self, before: Position, event: Rolled) -> None:
        settled = list(event.settled)
        after = {tagged.tag: tagged for seat in self.table.position.seats for tagged in seat.wagers}
        for seat in before.seats:
            for tagged in seat.wagers:
                self._check_wager(before.puck, event.roll, tagged, settled, after)
        self.require(not settled, "every settlement is of a wager that was up")

    def _is_working(self, kind: str, tag: str, point: int) -> bool:
        call = self.calls.get(tag)
        return call == "on" if call else point > 0 or kind not in self.house.wager_list("comeout_off")

    def _check_wager(
        self, point: int, roll: Roll, tagged: TaggedWager, settled: list[SettledWager], after: dict[str, TaggedWager]
    ) -> None:
        """Check the settlement of a wager and of its odds, and what stays on the layout."""
        wager, tag, house = tagged.wager, tagged.tag, self.house
        spot, kind = wager.spot, wager.spot.kind
        got = settled.pop(0).settlement
        working = self._is_working(kind, tag, point)
        expected = outcome(house, spot, point, roll, self.collected.get(tag, frozenset()))
        result = expected.result if working else "off"
        self.settled += 1
        self.require(bool(got.cite), f"{got} names no clause")
        self.require(got.result == result, f"{spot} on {roll} with the point {point}: {result}, not {got.result}")
        net, vig, stays, paid = 0, 0, False, 0
        if result == "win":
            net = max(-wager.stake, round_net(house, expected.net * wager.stake))
            vig = vig_on(house, spot, wager.stake) if kind in ("buy", "lay") else 0
            stays = kind in STAY_UP and house["after_win"] == "up" and net >= vig
            if vig and not stays and not vig_is_due_on_win(house, spot):
                vig = 0
            self.require(vig * 20 <= wager.stake, f"vigorish {vig} on {spot} {wager.stake}")
            paid = net - vig + (0 if stays else wager.stake)
            self.require(expected.odds is None or str(got.odds) == expected.odds, f"{spot} pays {expected.odds}")
        elif result == "lose":
            net = -wager.stake
        elif result == "push":
            paid = wager.stake
        money = (net, vig, paid, stays)
        self.require(
            (got.net_cents, got.vig_cents, got.paid_cents, got.stays_up) == money,
            f"{spot} {wager.stake}: {money}, {got}",
        )
        remains = result in ("no_action", "off", "moved") or stays
        self.require((tag in after) == remains, f"{spot} {'stays' if remains else 'is gone'} after {roll}")
        for odds_tag, bet in zip(tagged.odds_tags, wager.odds_bets, strict=True):
            self._check_odds_settlement(point, roll, tagged, odds_tag, bet, result, settled.pop(0))
        self._update_records(point, roll, tagged, after.get(tag), expected.moves_to if working else None)

    def _check_odds_settlement(
        self, point: int, roll: Roll, base: TaggedWager, tag: str, bet: OddsBet, base_result: str, settled: SettledWager
    ) -> None:
        got, working = settled.settlement, self._is_working(bet.kind, tag, point)
        decided = base_result in ("win", "lose")
        result = base_result if decided and working else "returned" if decided else "no_action" if working else "off"
        number = point_number(base, point) or 0
        net, paid = 0, 0
        if result == "win":
            odds = odds_of(self.house, odds_row(bet.kind, number))
            net = round_net(self.house, ratio_of(odds) * bet.stake)
            paid = bet.stake + net
            self.require(str(got.odds) == odds, f"{bet} on {number} pays {odds}")
        elif result == "lose":
            net = -bet.stake
        elif result == "returned":
            paid = bet.stake
        self.settled += 1
        self.require(settled.tag == tag and bool(got.cite), f"{got} names no clause")
        self.require(
            (str(got.result), got.net_cents, got.paid_cents) == (result, net, paid),
            f"{bet} on {number} at {roll}: {result} {net} {paid}, {got}",
        )

    def _update_records(
        self, point: int, roll: Roll, before: TaggedWager, after: TaggedWager | None, moves_to: int | None
    ) -> None:
        """Check what stays up, and note what the roll changed."""
        tags = (before.tag, *before.odds_tags)
        if after is None:
            for tag in tags:
                self.calls.pop(tag, None)
            self.collected.pop(before.tag, None)
            return
        kind, total = before.wager.spot.kind, roll.total
        spot = Spot(kind, (moves_to,)) if moves_to else before.wager.spot
        self.require(after.wager.spot == spot, f"{before.wager.spot} is on {spot}")
        self.require(after.wager.total_stake == before.wager.total_stake, "what stays up keeps its stake")
        turns = (point > 0) != (self.table.position.puck > 0)
        scope = self.house["call_scope"]
        if scope == "roll" or (scope == "phase" and turns):
            for tag in tags:
                self.calls.pop(tag, None)
        calls = (after.wager.call, *(bet.call for bet in after.wager.odds_bets))
        self.require(calls == tuple(self.calls.get(tag, "") for tag in tags), f"calls of {before} after {roll}")
        if kind == "fire" and point and total == point:
            self.collected[before.tag] |= {total}
        if kind in BONUS:
            self.collected[before.tag] |= {total}
