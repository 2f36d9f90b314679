"""The dealer: knows the rules of one house, refuses or performs actions, keeps no state of the table."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents
from trueodds.table.action import Action, Bet, CallWager, Press, Reduce, Sit, Stand, TakeDown, Throw
from trueodds.table.changes import Held, find, held_name, verify_call, verify_change, verify_stand
from trueodds.table.event import Called, Changed, Event, Made, NoRoll, Rolled, Ruling, Seated, Settled
from trueodds.table.fold import fold
from trueodds.table.legality import verify_bet
from trueodds.table.position import NO_MARKERS, Entry, Hand, Markers, Position
from trueodds.table.refusal import Code, Refusal, Refused
from trueodds.table.settlement import Rulings, settle
from trueodds.table.throw import judge, verify_throw
from trueodds.wagers import BonusRule, FireRule, OddsBet, Phase, Rule, Rules, Wager

MEMO_LIMIT = 100_000
"""How many rulings a dealer remembers before starting over; memory stays bounded whatever is played."""


class Dealer:
    """Applies one set of rules to positions. Every method is a pure function of its arguments.

    Rulings are remembered by wager, puck and throw, because few of them differ: this is what makes a dealer
    quick enough to compile a strategy.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._memo: dict[tuple[Wager, Phase, Roll], Rulings] = {}
        spots = rules.spots.items()
        self._fire = frozenset(spot.kind for spot, rule in spots if isinstance(rule, FireRule))
        self._bonus = frozenset(spot.kind for spot, rule in spots if isinstance(rule, BonusRule))
        self._hand = self._fire | self._bonus

    def settle(self, wager: Wager, phase: Phase, roll: Roll) -> Rulings:
        """Rule on a wager and its odds."""
        key = (wager, phase, roll)
        rulings = self._memo.get(key)
        if rulings is None:
            if len(self._memo) >= MEMO_LIMIT:
                self._memo.clear()
            rulings = self._memo[key] = settle(self.rules, wager, phase, roll)
        return rulings

    def verify(self, position: Position, action: Action) -> Refusal | None:
        """Say whether an action may be done, and if not, why."""
        match action:
            case Bet():
                return verify_bet(self.rules, position, action)
            case TakeDown() | Reduce() | Press():
                return verify_change(self.rules, position, action)
            case CallWager():
                return verify_call(self.rules, position, action)
            case Throw():
                return verify_throw(self.rules, action)
            case Stand():
                return verify_stand(self.rules, position, action)
            case Sit():
                if position.seat_of(action.player) is None:
                    what = f"{action.player!r} is not at this table"
                    return Refusal(Code.NO_SUCH_PLAYER, what, self.rules.refusal_cite("no_such_bet"))
                return None

    def act(self, position: Position, action: Action) -> tuple[Position, tuple[Event, ...]]:
        """Do an action: the position after it and what happened. Raises `Refused` and changes nothing."""
        refusal = self.verify(position, action)
        if refusal is not None:
            raise Refused(refusal)
        events = self._perform(position, action)
        for event in events:
            position = fold(position, event)
        return position, events

    def _perform(self, position: Position, action: Action) -> tuple[Event, ...]:
        match action:
            case Bet():
                return self._bet(position, action)
            case TakeDown():
                return self._take_down(position, action)
            case Reduce() | Press():
                return self._resize(position, action)
            case CallWager():
                return self._call(position, action)
            case Throw():
                return (self.throw(position, action),)
            case Sit() | Stand():
                return (Seated(action.player, isinstance(action, Sit)),)

    # ------------------------------------------------------------------------------------------- bets

    def _bet(self, position: Position, bet: Bet) -> tuple[Event, ...]:
        currency = self.rules.house.currency
        tag = bet.tag or self._free_tag(position)
        odds = self.rules.odds.get(bet.spot.kind)
        if odds is not None:
            held = find(position, bet.player, bet.on or "")
            name = odds.text.short if held is None else odds.text.short_of(self._number(position, held.entry))
            made = OddsBet(bet.spot.kind, bet.stake)
            return (Made(bet.player, tag, name, None, made, bet.on, ZERO, odds.cite("def"), None, currency),)
        rule = self.rules.spots[bet.spot]
        if not rule.breakdown:
            return (self._made(bet.player, tag, rule, bet.stake, None),)
        whole = sum(units for _, units in rule.breakdown)
        return tuple(
            self._made(
                bet.player, f"{tag}.{letter}", self.rules.spots[spot], Cents(bet.stake * units // whole), tag
            )
            for letter, (spot, units) in zip("abcdefgh", rule.breakdown, strict=False)
        )

    def _made(self, player: str, tag: str, rule: Rule, stake: Cents, part_of: str | None) -> Made:
        vig = rule.vig.charge(stake, rule.vig_odds) if rule.vig and not rule.vig.at_win else ZERO
        wager = Wager(rule.spot, stake, vig=vig)
        cite = rule.cite("def") + (rule.vig.cite if rule.vig and vig else ())
        return Made(player, tag, rule.name, wager, None, None, vig, cite, part_of, self.rules.house.currency)

    def _free_tag(self, position: Position) -> str:
        number = position.serial + 1
        while position.owner_of(str(number)) is not None:
            number += 1
        return str(number)

    def _number(self, position: Position, entry: Entry) -> str:
        number = self.rules.spots[entry.wager.spot].number_of(entry.wager, position.phase)
        return str(number or "")

    # ---------------------------------------------------------------------------------------- changes

    def _held(self, position: Position, player: str, tag: str) -> Held:
        held = find(position, player, tag)
        if held is None:  # verified before
            raise LookupError(tag)
        return held

    def _take_down(self, position: Position, change: TakeDown) -> tuple[Event, ...]:
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
        return (*fallen, self._changed(change.player, change.tag, held, None, refund))

    def _resize(self, position: Position, change: Reduce | Press) -> tuple[Event, ...]:
        held = self._held(position, change.player, change.tag)
        if held.odds:
            return (
                self._changed(change.player, change.tag, held, held.odds._replace(stake=change.to), ZERO),
            )
        wager = held.entry.wager
        rule = self.rules.spots[wager.spot]
        vig = self._vig_difference(rule, wager, change.to)
        trimmed, events = (
            self._trim(position, change, held.entry) if isinstance(change, Reduce) else (wager.odds, [])
        )
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

    def _trim(
        self, position: Position, change: Reduce, entry: Entry
    ) -> tuple[tuple[OddsBet, ...], list[Changed]]:
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
            events.append(
                self._changed(change.player, entry.odds_tags[index], Held(entry, index), after, ZERO)
            )
            odds[index : index + 1] = [after] if after else []
        return tuple(odds), events

    def _changed(
        self, player: str, tag: str, held: Held, after: Wager | OddsBet | None, vig: Cents
    ) -> Changed:
        if held.odds:
            cite = self.rules.odds[held.odds.kind].cite("change")
        else:
            rule = self.rules.spots[held.entry.wager.spot]
            grows = after is not None and after.stake > held.stake
            cite = rule.cite("increase" if grows else "change")
        return Changed(
            player, tag, held_name(self.rules, held), held.stake, after, vig, cite, self.rules.house.currency
        )

    def _call(self, position: Position, call: CallWager) -> tuple[Event, ...]:
        held = self._held(position, call.player, call.tag)
        kind = held.odds.kind if held.odds else held.entry.wager.spot.kind
        text = self.rules.book.wagers[kind]
        cite = text.cite("working", held.entry.wager.spot.selection) or self.rules.refusal_cite(
            "not_callable"
        )
        return (Called(call.player, call.tag, held_name(self.rules, held), call.call, cite),)

    # ----------------------------------------------------------------------------------------- throws

    def throw(self, position: Position, throw: Throw) -> Rolled | NoRoll:
        """Judge a throw and settle everything that is up."""
        roll = judge(self.rules, throw)
        return roll if isinstance(roll, NoRoll) else self.rolled(position, roll, throw.dice)

    def rolled(self, position: Position, roll: Roll, dice: Roll) -> Rolled:
        """Settle a valid throw: every wager against the puck as it was, then move the puck."""
        phase, memo = position.phase, self._memo
        settled: list[Settled] = []
        for seat in position.seats:
            player = seat.player
            for tag, wager, odds_tags in seat.entries:
                rulings = memo.get((wager, phase, roll)) or self.settle(wager, phase, roll)
                settled.append(Settled(player, tag, rulings[0]))
                if odds_tags:
                    settled.extend(map(Settled, (player,) * len(odds_tags), odds_tags, rulings[1:]))
        total = roll.total
        puck = self.rules.puck_after(phase, total)
        seven_out = phase > 0 and total == self.rules.seven
        fire, bonus, markers = (
            self._mark(position, settled, total) if self._hand else (None, None, NO_MARKERS)
        )
        hand = self._hand_after(position, total, seven_out)
        return Rolled(dice, roll, phase, puck, hand, seven_out, tuple(settled), fire, bonus, markers)

    def _hand_after(self, position: Position, total: int, seven_out: bool) -> Hand:
        if seven_out:
            return Hand.NEW
        if position.phase > 0 and position.hand is Hand.NEW:
            return Hand.NEW
        return Hand.SEVEN if total == self.rules.seven else Hand.UNDER_WAY

    def _mark(
        self, position: Position, settled: list[Settled], total: int
    ) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None, Markers]:
        """Place and clear the fire and bonus markers: what to show for this throw, and what stays."""
        rulings: list[Ruling] = [one.ruling for one in settled if one.ruling.spot.kind in self._hand]
        if not rulings:
            return None, None, NO_MARKERS
        fire_up = [ruling.after for ruling in rulings if ruling.spot.kind in self._fire]
        bonus_up = [ruling.after for ruling in rulings if ruling.spot.kind in self._bonus]
        fire, bonus = set(position.markers.fire), set(position.markers.bonus)
        if position.phase > 0 and total == position.phase:
            fire.add(total)
        bonus = set() if total == self.rules.seven else bonus | {total}
        shown_fire = tuple(sorted(fire)) if fire_up else None
        shown_bonus = tuple(sorted(bonus)) if bonus_up else None
        kept = Markers(
            shown_fire or () if any(fire_up) else (),
            shown_bonus or () if any(bonus_up) else (),
        )
        return shown_fire, shown_bonus, kept
