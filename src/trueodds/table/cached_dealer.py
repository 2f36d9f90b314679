"""A dealer that remembers its answers, for code that asks the same questions many times."""

from __future__ import annotations

from typing import Final

from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Citation, Spot
from trueodds.table.action import Bet
from trueodds.table.dealer import Dealer
from trueodds.table.event import SettledWager
from trueodds.table.position import HandStage, Position, Seat
from trueodds.table.refusal import Refusal
from trueodds.table.settlement import Settlements, settle
from trueodds.table.spot_limits import counted_stakes, point_number
from trueodds.table.verify_bet import verify_bet
from trueodds.wagers import COME_OUT, Phase, TableRules, Wager, WagerRule

CACHE_LIMIT: Final = 100_000
"""The number of entries at which a cache is cleared, so that memory stays bounded."""

_BetKey = tuple[Spot, Cents, Phase, HandStage, bool, Wager | None, int, tuple[int, ...], int]


class CachedDealer(Dealer):
    """A `Dealer` with caches. It gives exactly the answers of a plain dealer.

    The rules of a dealer never change, so a cached answer may depend on the rules and on its key, and on nothing
    else. The keys are:

    - a settlement: the wager with its odds, calls and marks; the phase, unless `depends_on_puck` rules it out; and
      the roll, or only its total if the wager does not read the faces;
    - the answer to an ordinary bet (in chips, before the roll, without a tag of its own, by a seated player, without
      custody of the dice or a barred don't bet): its spot and stake, the phase, the stage of the hand, the wager that
      odds stand behind, what the player already has up that counts toward a maximum, and the player's place at the
      table;
    - a new wager: its spot and stake;
    - the puck and the stage of the hand after a roll: those before it, and the total.

    Everything else is computed each time. A rule that reads anything more must be added to the key here.
    """

    def __init__(self, rules: TableRules) -> None:
        super().__init__(rules)
        self._settlements: dict[tuple[Wager, Phase, Roll | int], Settlements] = {}
        self._bet_answers: dict[_BetKey, Refusal | None] = {}
        self._new_wagers: dict[tuple[Spot, Cents], tuple[Wager, Citation]] = {}
        self._wagers: dict[Wager, Wager] = {}
        self._unlimited_odds = frozenset(kind for kind, rule in rules.odds_rules.items() if rule.max_stake is None)
        self._spots_counted_alone = frozenset(spot for spot, rule in rules.wager_rules.items() if not rule.breakdown)
        self._pucks_and_stages: dict[tuple[Phase, HandStage, int], tuple[Phase, HandStage, bool]] = {}

    def settle(self, wager: Wager, phase: Phase, roll: Roll) -> Settlements:
        """Return the settlement of a wager, followed by one for each of its odds bets."""
        cache = self._settlements
        return (
            cache.get((wager, phase, roll.total))
            or cache.get((wager, phase, roll))
            or self._settle_uncached(wager, phase, roll)
        )

    def _settle_uncached(self, wager: Wager, phase: Phase, roll: Roll) -> Settlements:
        """Settle a wager and cache the settlement.

        Equal wagers become one object, so that a wager which a roll leaves alone stays the same object and the
        position can keep its entry.
        """
        outcome = roll if self.rules.wager_rules[wager.spot].reads_faces else roll.total
        if len(self._settlements) >= CACHE_LIMIT:
            self._settlements.clear()
        if phase != COME_OUT and not self.depends_on_puck(wager):
            settlements = self._settlements[wager, phase, outcome] = self.settle(wager, COME_OUT, roll)
            return settlements
        wager = self._intern(wager)
        flat, *odds = settle(self.rules, wager, phase, roll)
        if flat.wager_after is not None and (same := self._intern(flat.wager_after)) is not flat.wager_after:
            flat = flat._replace(wager_after=same)
        settlements = self._settlements[wager, phase, outcome] = (flat, *odds)
        return settlements

    def _settle_wagers(self, seats: tuple[Seat, ...], phase: Phase, roll: Roll) -> tuple[list[SettledWager], bool]:
        # The same as in Dealer, but this is the hot loop of a table: the most frequent cache lookup is inlined, and
        # named tuples are made by `tuple.__new__`, which takes half the time of their own constructor.
        cached, new, total, hand_bet_kinds = self._settlements.get, tuple.__new__, roll.total, self._hand_bet_kinds
        settled: list[SettledWager] = []
        has_hand_bet = False
        for player, _, wagers in seats:
            for tag, wager, odds_tags in wagers:
                settlements = cached((wager, phase, total)) or self.settle(wager, phase, roll)
                settled.append(new(SettledWager, (player, tag, settlements[0])))
                if odds_tags:
                    for odds_tag, settlement in zip(odds_tags, settlements[1:], strict=True):
                        settled.append(new(SettledWager, (player, odds_tag, settlement)))
                if wager.spot.kind in hand_bet_kinds:
                    has_hand_bet = True
        return settled, has_hand_bet

    def _puck_and_stage_after(self, phase: Phase, stage: HandStage, total: int) -> tuple[Phase, HandStage, bool]:
        key = (phase, stage, total)
        answer = self._pucks_and_stages.get(key)
        if answer is None:
            answer = self._pucks_and_stages[key] = super()._puck_and_stage_after(phase, stage, total)
        return answer

    def _verify_bet(self, position: Position, bet: Bet) -> Refusal | None:
        seat, spot, base_tag = position.find_seat(bet.player), bet.spot, bet.base_tag
        unusual = bet.tag is not None or not bet.is_ordinary or position.custody is not None or position.barred
        if unusual or seat is None or not seat.seated:
            return verify_bet(self.rules, position, bet)
        base, counted = None, 0
        if base_tag is None and spot in self._spots_counted_alone:
            # The same as `counted_stakes`, inlined for most bets: this is the hot path of a table.
            for _, wager, _ in seat.wagers:
                if wager.spot == spot:
                    counted += wager.stake
            others: tuple[int, ...] = ()
        else:
            base, others = self._base_and_counted_stakes(position, seat, bet)
        place = position.seats.index(seat) if len(position.seats) > 1 else 0
        key = (
            spot,
            bet.stake_cents,
            position.phase,
            position.hand_stage,
            base_tag is None,
            base,
            counted,
            others,
            place,
        )
        try:
            return self._bet_answers[key]
        except KeyError:
            if len(self._bet_answers) >= CACHE_LIMIT:
                self._bet_answers.clear()
            answer = self._bet_answers[key] = verify_bet(self.rules, position, bet)
            return answer

    def _base_and_counted_stakes(
        self, position: Position, seat: Seat, bet: Bet
    ) -> tuple[Wager | None, tuple[int, ...]]:
        """Return the wager that odds stand behind, and the stakes that count toward a maximum of a bet."""
        is_unlimited = bet.spot.kind in self._unlimited_odds
        for tagged in seat.wagers:
            if tagged.tag == bet.base_tag:
                if is_unlimited:
                    return tagged.wager, ()
                number = point_number(self.rules, tagged, position)
                return tagged.wager, counted_stakes(self.rules, position, seat, bet.spot, number)
        return None, counted_stakes(self.rules, position, seat, bet.spot, None)

    def _new_wager(self, rule: WagerRule, stake: Cents) -> tuple[Wager, Citation]:
        key = (rule.spot, stake)
        answer = self._new_wagers.get(key)
        if answer is None:
            if len(self._new_wagers) >= CACHE_LIMIT:
                self._new_wagers.clear()
            wager, cite = super()._new_wager(rule, stake)
            answer = self._new_wagers[key] = (self._intern(wager), cite)
        return answer

    def _intern(self, wager: Wager) -> Wager:
        if len(self._wagers) >= CACHE_LIMIT:
            self._wagers.clear()
        return self._wagers.setdefault(wager, wager)
