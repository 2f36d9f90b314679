"""The dealer: knows the rules of one house, refuses or performs actions, keeps no state of the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any, Final

from trueodds.dice import BY_PAIR, BY_TOTAL, Roll
from trueodds.money import ZERO, Cents
from trueodds.rulebook import Cite, Spot
from trueodds.table.action import (
    AcceptDice,
    Action,
    ActionError,
    Bet,
    CallWager,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    TakeDown,
    Throw,
)
from trueodds.table.changes import (
    Held,
    find,
    held_name,
    verify_call,
    verify_change,
    verify_coming_and_going,
    verify_stand,
)
from trueodds.table.custody import (
    after_change,
    after_line_bet,
    after_throw,
    judge_shooter,
    move_dice,
    take_up,
    verify_custody,
)
from trueodds.table.event import (
    Called,
    Changed,
    Event,
    Joined,
    Left,
    Made,
    NoRoll,
    Rolled,
    Seated,
    Settled,
    SurveillanceTold,
)
from trueodds.table.fold import fold
from trueodds.table.legality import no_player, tags_of, verify_bet
from trueodds.table.position import NO_MARKERS, Entry, Hand, Markers, Position, Situation
from trueodds.table.refusal import Refusal, Refused
from trueodds.table.settlement import Rulings, call_cite, settle
from trueodds.table.throw import judge, verify_throw
from trueodds.wagers import COME_OUT, FROZEN, BonusRule, FireRule, LineRule, OddsBet, Phase, Rule, Rules, Wager

Marked = tuple[tuple[int, ...] | None, tuple[int, ...] | None, Markers]
"""Fire and bonus markers to show for a throw (None: no such bet was up), and what stays on the layout."""

NOTHING_MARKED: Final[Marked] = (None, None, NO_MARKERS)
MEMO_LIMIT: Final = 100_000
"""How many answers of a kind a dealer remembers before starting over, so that memory stays bounded."""


def _bound(memo: dict[Any, Any]) -> None:
    if len(memo) >= MEMO_LIMIT:
        memo.clear()


class Dealer:
    """Applies one set of rules to positions. Every method is a pure function of its arguments.

    Rulings are remembered by wager, puck and throw, because few of them differ: this is what makes a dealer
    quick enough to compile a strategy.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._currency = rules.house.currency
        self._rulings: dict[tuple[Wager, Phase, Roll | int], Rulings] = {}
        self._answers: dict[tuple[Any, ...], Refusal | None] = {}
        self._wagers: dict[Wager, Wager] = {}
        self._new: dict[tuple[Spot, Cents], tuple[Wager, Cents, Cite]] = {}
        spots = rules.spots.items()
        self._fire = frozenset(spot.kind for spot, rule in spots if isinstance(rule, FireRule))
        self._bonus = frozenset(spot.kind for spot, rule in spots if isinstance(rule, BonusRule))
        self._hand = self._fire | self._bonus

    def __reduce__(self) -> tuple[Any, ...]:
        return (Dealer, (self.rules,))

    # ---------------------------------------------------------------------------------- what it knows

    def settle(self, wager: Wager, phase: Phase, roll: Roll) -> Rulings:
        """Rule on a wager and its odds."""
        known = self._rulings
        return (
            known.get((wager, phase, roll.total)) or known.get((wager, phase, roll)) or self._settle(wager, phase, roll)
        )

    def _settle(self, wager: Wager, phase: Phase, roll: Roll) -> Rulings:
        """Rule afresh and remember it: by total where the faces do not matter, once where the puck does not.

        Equal wagers become one object, so that what a throw left alone is the same object afterwards.
        """
        rule = self.rules.spots[wager.spot]
        outcome = roll if rule.by_pair else roll.total
        _bound(self._rulings)
        if phase != COME_OUT and not self.reads_puck(wager):
            rulings = self._rulings[wager, phase, outcome] = self.settle(wager, COME_OUT, roll)
            return rulings
        wager = self._same(wager)
        flat, *odds = settle(self.rules, wager, phase, roll)
        if flat.after is not None and (same := self._same(flat.after)) is not flat.after:
            flat = flat._replace(after=same)
        rulings = self._rulings[wager, phase, outcome] = (flat, *odds)
        return rulings

    def reads_puck(self, wager: Wager) -> bool:
        """Tell whether where the puck is can matter to a wager: to its family, or to whether it works."""
        rules = self.rules
        return rules.spots[wager.spot].by_phase or bool(wager.call) or wager.spot.kind in rules.comeout_off

    def _same(self, wager: Wager) -> Wager:
        _bound(self._wagers)
        return self._wagers.setdefault(wager, wager)

    def verify(self, position: Position, action: Action) -> Refusal | None:
        """Say whether an action may be done, and if not, why."""
        match action:
            case Bet():
                return self._verify_bet(position, action)
            case Throw():
                return verify_throw(self.rules, position, action)
            case OpenTable() | AcceptDice() | DeclineDice() | PassDice() | OrderPass() | DeclineLine():
                return verify_custody(self.rules, position, action)
            case Join() | Leave():
                return verify_coming_and_going(self.rules, position, action)
            case TakeDown() | Reduce() | Press():
                return verify_change(self.rules, position, action)
            case CallWager():
                return verify_call(self.rules, position, action)
            case Stand():
                return verify_stand(self.rules, position, action)
            case Sit():
                seat = position.seat_of(action.player)
                return None if seat else no_player(action.player)
            case _:
                msg = f"{action!r} is no action"  # type: ignore[unreachable]  # from callers without types
                raise ActionError(msg)

    def _verify_bet(self, position: Position, bet: Bet) -> Refusal | None:
        """Answer at once where the same bet was asked for in the same circumstances before."""
        seat = position.seat_of(bet.player)
        unusual = bet.tag is not None or not bet.is_plain or position.custody is not None
        if unusual or seat is None or not seat.seated:
            return verify_bet(self.rules, position, bet)
        base = None
        if bet.on is not None:
            base = next((entry.wager for entry in seat.entries if entry.tag == bet.on), None)
        key = (bet.spot, bet.stake, position.phase, position.hand, bet.on is None, base)
        try:
            return self._answers[key]
        except KeyError:
            _bound(self._answers)
            answer = self._answers[key] = verify_bet(self.rules, position, bet)
            return answer

    # ----------------------------------------------------------------------------------- what it does

    def act(self, position: Position, action: Action) -> tuple[Position, tuple[Event, ...]]:
        """Do an action: the position after it and what happened. Raises `Refused` and changes nothing."""
        refusal = self.verify(position, action)
        if refusal is not None:
            raise Refused(refusal)
        events = self._perform(position, action)
        for event in events:
            position = fold(position, event)
        return position, events

    def roll(self, position: Position, roll: Roll) -> tuple[Position, tuple[Event, ...]]:
        """Throw for whoever has the dice; the same as acting out a plain `Throw`."""
        if position.custody is not None:
            return self.act(position, Throw(roll))
        event = self._rolled(position, roll, roll)
        if event.markers is NO_MARKERS:
            return fold(position, event), (event,)
        return fold(position, event), self._with_notice(position, event)

    def _perform(self, position: Position, action: Action) -> tuple[Event, ...]:
        match action:
            case Bet():
                return self._bet(position, action)
            case Throw():
                return self._throw(position, action)
            case OpenTable() | AcceptDice() | DeclineDice() | PassDice() | OrderPass() | DeclineLine():
                return (move_dice(self.rules, position, action),)
            case Join():
                last = len(position.seats)
                return (Joined(action.player, last if action.place is None else min(action.place, last)),)
            case Leave():
                return self._leave(position, action)
            case TakeDown():
                return self._take_down(position, action)
            case Reduce() | Press():
                return self._resize(position, action)
            case CallWager():
                return self._call(position, action)
            case Sit() | Stand():
                return (Seated(action.player, isinstance(action, Sit)),)

    # ------------------------------------------------------------------------------------------- bets

    def _bet(self, position: Position, bet: Bet) -> tuple[Event, ...]:
        tag = bet.tag or self._free_tag(position, bet.spot)
        odds = self.rules.odds.get(bet.spot.kind)
        if odds is not None:
            made = OddsBet(bet.spot.kind, bet.stake)
            return (
                Made(
                    bet.player, tag, odds.text.short, None, made, bet.on, ZERO, odds.cite("def"), None, self._currency,
                    bet.tender, bet.confirmed_by,
                ),
            )  # fmt: skip
        rule = self.rules.spots[bet.spot]
        if not rule.breakdown:
            made_one = self._made(bet, tag, rule, bet.stake, None)
            if position.custody is None or not isinstance(rule, LineRule) or rule.travels:
                return (made_one,)
            moved = after_line_bet(self.rules, fold(position, made_one), bet.player)
            return (made_one, moved) if moved else (made_one,)
        parts = zip(tags_of(self.rules, bet.spot, tag), rule.broken_down(bet.stake), strict=True)
        return tuple(
            self._made(bet, one, self.rules.spots[spot], Cents(int(share)), tag) for one, (spot, share) in parts
        )

    def _made(self, bet: Bet, tag: str, rule: Rule, stake: Cents, part_of: str | None) -> Made:
        key = (rule.spot, stake)
        known = self._new.get(key)
        if known is None:
            vig = rule.upfront_vig(stake)
            cite = tuple(dict.fromkeys(rule.cite("def") + (rule.vig.cite if rule.vig and not rule.vig.at_win else ())))
            _bound(self._new)
            known = self._new[key] = (self._same(Wager(rule.spot, stake, vig=vig)), vig, cite)
        wager, vig, cite = known
        return Made(
            bet.player, tag, rule.name, wager, None, None, vig, cite, part_of, self._currency,
            bet.tender, bet.confirmed_by,
        )  # fmt: skip

    def _free_tag(self, position: Position, spot: Spot) -> str:
        number = position.serial + 1
        while True:
            for tag in tags_of(self.rules, spot, str(number)):
                if position.owner_of(tag) is not None:
                    break
            else:
                return str(number)
            number += 1

    # ---------------------------------------------------------------------------------------- changes

    def _held(self, position: Position, player: str, tag: str) -> Held:
        held = find(position, player, tag)
        if held is None:  # verified before
            raise LookupError(tag)
        return held

    def _take_down(self, position: Position, change: TakeDown) -> tuple[Event, ...]:
        events = self._taken_down(position, change)
        if position.custody is None:
            return events
        for event in events:
            position = fold(position, event)
        over = after_change(self.rules, position)
        return (*events, over) if over else events

    def _taken_down(self, position: Position, change: TakeDown) -> tuple[Event, ...]:
        held = self._held(position, change.player, change.tag)
        if held.odds:
            return (self._changed(change.player, change.tag, held, None, ZERO),)
        entry = held.entry
        fallen = [
            self._changed(change.player, tag, Held(entry, index), None, ZERO)
            for index, tag in enumerate(entry.odds_tags)
        ]
        rule = self.rules.spots[entry.wager.spot]
        refund = Cents(-entry.wager.vig) if rule.vig and rule.vig.refund else ZERO
        down = self._changed(change.player, change.tag, held, None, refund)
        if entry.wager.spot.kind in self._hand:
            down = down._replace(markers=self._markers_without(position, change.tag))
        return (*fallen, down)

    def _markers_without(self, position: Position, tag: str) -> Markers:
        """Clear the fire or bonus area when the last such bet comes down."""
        up = {entry.wager.spot.kind for seat in position.seats for entry in seat.entries if entry.tag != tag}
        fire, bonus = position.markers
        return Markers(fire if up & self._fire else (), bonus if up & self._bonus else ())

    def _resize(self, position: Position, change: Reduce | Press) -> tuple[Event, ...]:
        held = self._held(position, change.player, change.tag)
        if held.odds:
            return (self._changed(change.player, change.tag, held, held.odds._replace(stake=change.to), ZERO),)
        wager = held.entry.wager
        rule = self.rules.spots[wager.spot]
        vig = self._vig_difference(rule, wager, change.to)
        trimmed, events = self._trim(position, change, held.entry) if isinstance(change, Reduce) else (wager.odds, [])
        after = wager._replace(
            stake=change.to,
            vig=Cents(wager.vig + vig),
            odds=trimmed,
            cut=wager.cut or (isinstance(change, Reduce) and not rule.increase_after_cut),
        )
        return (*events, self._changed(change.player, change.tag, held, after, vig))

    def _vig_difference(self, rule: Rule, wager: Wager, to: Cents) -> Cents:
        """Charge what the new stake owes beyond what was paid, or refund it where the house refunds."""
        if rule.vig is None or rule.vig.at_win:
            return ZERO
        difference = Cents(rule.vig.charge(to, rule.vig_odds) - wager.vig)
        return difference if difference > 0 or rule.vig.refund else ZERO

    def _trim(self, position: Position, change: Reduce, entry: Entry) -> tuple[tuple[OddsBet, ...], list[Changed]]:
        """Bring the odds behind a reduced wager under its new limit, the last made first."""
        wager, events = entry.wager, list[Changed]()
        odds = list(wager.odds)
        number = self.rules.spots[wager.spot].number_of(wager, position.phase)
        for index in range(len(odds) - 1, -1, -1):
            rule = self.rules.odds[odds[index].kind]
            excess = sum(bet.stake for bet in odds) - rule.cap(change.to, number or 0)
            if excess <= 0:
                break
            others = sum(bet.stake for bet in odds) - odds[index].stake
            payable = self.rules.unpayable == "refuse"
            left = max(0, rule.trimmed(change.to, number or 0, payable=payable) - others)
            left -= left % (rule.step(number or 0) if payable else self.rules.chip_unit)
            after = odds[index]._replace(stake=Cents(left)) if left else None
            events.append(self._changed(change.player, entry.odds_tags[index], Held(entry, index), after, ZERO))
            odds[index : index + 1] = [after] if after else []
        return tuple(odds), events

    def _changed(self, player: str, tag: str, held: Held, after: Wager | OddsBet | None, vig: Cents) -> Changed:
        entry, odds = held.entry, held.odds
        if odds:
            spot, on, cite = Spot(odds.kind), entry.tag, self.rules.odds[odds.kind].cite("change")
        else:
            grows = after is not None and after.stake > held.stake
            spot, on = entry.wager.spot, None
            cite = self.rules.spots[spot].cite("increase" if grows else "change")
        name, currency = held_name(self.rules, held), self._currency
        return Changed(player, tag, name, spot, on, held.stake, after, vig, cite, currency)

    def _call(self, position: Position, call: CallWager) -> tuple[Event, ...]:
        held = self._held(position, call.player, call.tag)
        kind = held.odds.kind if held.odds else held.entry.wager.spot.kind
        cite = call_cite(self.rules, kind, call.call)
        return (Called(call.player, call.tag, held_name(self.rules, held), call.call, cite),)

    # ----------------------------------------------------------------------------------------- throws

    def _throw(self, position: Position, throw: Throw) -> tuple[Event, ...]:
        taken = take_up(self.rules, position, throw)
        if taken is not None:
            return (taken, *self._throw(fold(position, taken), throw))
        roll = judge_shooter(self.rules, position, throw) or judge(self.rules, throw)
        if isinstance(roll, NoRoll):
            return (roll,)
        rolled = self._rolled(position, roll, throw.dice)
        if throw.player is not None or throw.irregular is not None:
            cite = self.rules.book.throws[throw.irregular].cite if throw.irregular else ()
            rolled = rolled._replace(player=throw.player, irregular=throw.irregular, cite=cite)
        return self._with_notice(position, rolled)

    def _rolled(self, position: Position, roll: Roll, dice: Roll) -> Rolled:
        """Settle a valid throw: every wager against the puck as it was, then move the puck."""
        phase, total, known, hand_kinds = position.phase, roll.total, self._rulings.get, self._hand
        settled: list[Settled] = []
        collecting = False
        for player, _, entries in position.seats:
            for tag, wager, odds_tags in entries:
                rulings = known((wager, phase, total)) or self.settle(wager, phase, roll)
                settled.append(Settled(player, tag, rulings[0]))
                if odds_tags:
                    settled.extend(map(Settled, repeat(player), odds_tags, rulings[1:]))
                if wager.spot.kind in hand_kinds:
                    collecting = True
        puck = self.rules.puck_after(phase, total)
        seven_out = self.rules.seven_out(phase, total)
        fire, bonus, markers = self._mark(position, settled, total) if collecting else NOTHING_MARKED
        hand = self._hand_after(position.hand, phase, total)
        event = Rolled(dice, roll, phase, puck, hand, seven_out, tuple(settled), fire, bonus, markers)
        if position.custody is None:
            return event
        seats = fold(position, event).seats
        return event._replace(custody=after_throw(self.rules, position, seats, event))

    def _with_notice(self, position: Position, event: Rolled) -> tuple[Event, ...]:
        """Tell surveillance when enough different fire points are made for the first time."""
        rule = self.rules.book.custody.get("surveillance_at_points")
        before, now = position.markers.fire, event.fire_points or ()
        if rule is None or not len(before) < rule.value <= len(now):
            return (event,)
        return (event, SurveillanceTold(now, rule.cite))

    def _leave(self, position: Position, leave: Leave) -> tuple[Event, ...]:
        """Give the dice on before going."""
        custody, events = position.custody, list[Event]()
        if custody is not None and leave.player in (custody.shooter, custody.offer_to):
            gives = PassDice if custody.shooter == leave.player else DeclineDice
            moved = move_dice(self.rules, position, gives(leave.player))
            if moved.custody.offer_to == leave.player:
                moved = replace(moved, custody=moved.custody._replace(offer_to=None))
            events.append(moved)
        return (*events, Left(leave.player))

    def advance(self, seen: Situation, roll: Roll) -> tuple[Situation, Cents]:
        """Settle a throw for one player without telling anybody: the situation after it and the cash paid.

        What a table does, less the names and the events; a strategy is compiled with it.
        """
        phase, total, known = seen.puck, roll.total, self._rulings.get
        cash, left = 0, []
        for wager in seen.wagers:
            rulings = known((wager, phase, total)) or self.settle(wager, phase, roll)
            for ruling in rulings:
                cash += ruling.cash
            after = rulings[0].after
            if after is not None:
                left.append(after)
        left.sort()
        hand = self._hand_after(seen.hand, phase, total)
        return Situation(self.rules.puck_after(phase, total), hand, tuple(left)), Cents(cash)

    def outcomes(self, seen: Situation) -> tuple[tuple[Roll, int], ...]:
        """Give the rolls a situation can tell apart, with how many of the 36 each stands for."""
        spots = self.rules.spots
        return BY_PAIR if any(spots[wager.spot].by_pair for wager in seen.wagers) else BY_TOTAL

    def _hand_after(self, hand: Hand, phase: Phase, total: int) -> Hand:
        if self.rules.seven_out(phase, total) or (phase > 0 and hand == "new"):
            return "new"
        return "seven" if total == self.rules.seven else "under_way"

    def _mark(self, position: Position, settled: list[Settled], total: int) -> Marked:
        """Place and clear the fire and bonus markers: what to show for this throw, and what stays."""
        fire_up = [one.ruling.after for one in settled if one.ruling.spot.kind in self._fire]
        bonus_up = [one.ruling.after for one in settled if one.ruling.spot.kind in self._bonus]
        fire, bonus = set(position.markers.fire), set(position.markers.bonus)
        counting = any(FROZEN not in wager.marks for wager in fire_up if wager)
        if position.phase > 0 and total == position.phase and counting:
            fire.add(total)
        bonus = set() if total == self.rules.seven else bonus | {total}
        shown_fire = tuple(sorted(fire)) if fire_up else None
        shown_bonus = tuple(sorted(bonus)) if bonus_up else None
        kept = Markers(
            shown_fire or () if any(fire_up) else (),
            shown_bonus or () if any(bonus_up) else (),
        )
        return shown_fire, shown_bonus, kept
