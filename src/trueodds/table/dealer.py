"""The dealer: applies the rules of one house to positions, and keeps no state of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Final, Self

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents
from trueodds.rulebook import Citation, Spot
from trueodds.table.action import (
    AcceptDice,
    Action,
    ActionError,
    Bet,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    RollDice,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
)
from trueodds.table.apply_event import apply_event
from trueodds.table.custody import (
    after_line_bet,
    after_take_down,
    change_custody,
    check_shooter,
    custody_after_roll,
    take_dice_by_rolling,
    verify_custody,
)
from trueodds.table.event import (
    BetMade,
    BetResized,
    BetToggled,
    Event,
    NoRoll,
    PlayerJoined,
    PlayerLeft,
    Rolled,
    SeatingChanged,
    SettledWager,
    SurveillanceNotified,
)
from trueodds.table.invalid_throws import read_dice, verify_roll
from trueodds.table.position import NO_MARKERS, HandStage, Markers, Position, Seat, TaggedWager
from trueodds.table.refusal import Refusal, Refused
from trueodds.table.settlement import Settlements, call_cite, settle
from trueodds.table.staff_procedures import procedures_by_trigger, with_procedures
from trueodds.table.verify_bet import no_such_player, split_tags, verify_bet
from trueodds.table.verify_change import (
    FoundBet,
    bet_name,
    find_bet,
    verify_change,
    verify_join_or_leave,
    verify_stand,
    verify_toggle,
)
from trueodds.wagers import (
    FROZEN,
    BonusRule,
    FireRule,
    LineRule,
    OddsBet,
    Phase,
    TableRules,
    Wager,
    WagerRule,
)

MarkerChange = tuple[tuple[int, ...] | None, tuple[int, ...] | None, Markers]
"""The fire and bonus markers to show for a roll (None if no such bet was up), and the markers that remain."""

NO_MARKER_CHANGE: Final[MarkerChange] = (None, None, NO_MARKERS)


class Dealer:
    """Applies the rules of one house to positions.

    Every method is a pure function of its arguments. `CachedDealer` gives the same answers faster.
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self._currency = rules.house.currency
        spots = rules.wager_rules.items()
        self._fire_kinds = frozenset(spot.kind for spot, rule in spots if isinstance(rule, FireRule))
        self._bonus_kinds = frozenset(spot.kind for spot, rule in spots if isinstance(rule, BonusRule))
        self._hand_bet_kinds = self._fire_kinds | self._bonus_kinds
        self._procedures = procedures_by_trigger(rules)
        self.records_procedures = bool(self._procedures)

    def __reduce__(self) -> tuple[type[Self], tuple[TableRules]]:
        return (type(self), (self.rules,))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rules.house.name!r})"

    # -------------------------------------------------------------------------------------- questions

    def settle(self, wager: Wager, phase: Phase, roll: Roll) -> Settlements:
        """Return the settlement of a wager, followed by one for each of its odds bets."""
        return settle(self.rules, wager, phase, roll)

    def depends_on_puck(self, wager: Wager) -> bool:
        """Return whether the settlement of a wager can depend on where the puck is."""
        rules = self.rules
        return rules.wager_rules[wager.spot].reads_puck or bool(wager.call) or wager.spot.kind in rules.comeout_off

    def hand_stage_after(self, stage: HandStage, phase: Phase, total: int) -> HandStage:
        """Return the stage of the hand after a roll."""
        if self.rules.is_seven_out(phase, total) or (phase > 0 and stage == "new"):
            return "new"
        return "seven" if total == self.rules.seven else "under_way"

    def verify(self, position: Position, action: Action) -> Refusal | None:
        """Return why an action is refused in a position, or None if it is allowed."""
        match action:
            case Bet():
                return self._verify_bet(position, action)
            case RollDice():
                return verify_roll(self.rules, position, action)
            case OpenTable() | AcceptDice() | DeclineDice() | PassDice() | OrderPass() | DeclineLine():
                return verify_custody(self.rules, position, action)
            case Join() | Leave():
                return verify_join_or_leave(self.rules, position, action)
            case TakeDown() | Reduce() | Press():
                return verify_change(self.rules, position, action)
            case ToggleBet():
                return verify_toggle(self.rules, position, action)
            case Stand():
                return verify_stand(self.rules, position, action)
            case Sit():
                seat = position.find_seat(action.player)
                return None if seat else no_such_player(action.player)
            case _:
                msg = f"expected an action, got {action!r}"  # type: ignore[unreachable]  # from untyped callers
                raise ActionError(msg)

    def _verify_bet(self, position: Position, bet: Bet) -> Refusal | None:
        return verify_bet(self.rules, position, bet)

    # ---------------------------------------------------------------------------------------- actions

    def act(self, position: Position, action: Action) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after an action and the events it caused. Raise `Refused` if it is not allowed."""
        refusal = self.verify(position, action)
        if refusal is not None:
            raise Refused(refusal)
        events = self._perform(position, action)
        for event in events:
            position = apply_event(position, event)
        return position, events

    def act_and_record(self, position: Position, action: Action) -> tuple[Position, tuple[Event, ...]]:
        """Do the same as `act`, and add what the staff do to the events if the house records it."""
        after, events = self.act(position, action)
        return after, with_procedures(self.rules, self._procedures, position, events) if self._procedures else events

    def roll(self, position: Position, roll: Roll) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after a roll by the shooter and its events. The same as `act` with a plain `RollDice`."""
        if position.custody is not None:
            return self.act(position, RollDice(roll))
        event = self._settle_roll(position, roll, roll)
        if event.markers is NO_MARKERS:
            return apply_event(position, event), (event,)
        return apply_event(position, event), self._with_surveillance_notice(position, event)

    def _perform(self, position: Position, action: Action) -> tuple[Event, ...]:
        match action:
            case Bet():
                return self._bet(position, action)
            case RollDice():
                return self._roll_dice(position, action)
            case OpenTable() | AcceptDice() | DeclineDice() | PassDice() | OrderPass() | DeclineLine():
                return (change_custody(self.rules, position, action),)
            case Join():
                last = len(position.seats)
                return (
                    PlayerJoined(action.player, last if action.seat_index is None else min(action.seat_index, last)),
                )
            case Leave():
                return self._leave(position, action)
            case TakeDown():
                return self._take_down(position, action)
            case Reduce() | Press():
                return self._resize(position, action)
            case ToggleBet():
                return self._toggle(position, action)
            case Sit() | Stand():
                return (SeatingChanged(action.player, isinstance(action, Sit)),)

    # ------------------------------------------------------------------------------------------- bets

    def _bet(self, position: Position, bet: Bet) -> tuple[Event, ...]:
        tag = bet.tag or self._next_tag(position, bet.spot)
        odds_rule = self.rules.odds_rules.get(bet.spot.kind)
        if odds_rule is not None:
            name, cite = odds_rule.definition.short_name, odds_rule.cite("def")
            odds_bet = OddsBet(bet.spot.kind, bet.stake_cents)
            return (
                BetMade(
                    bet.player, tag, name, None, odds_bet, bet.base_tag, ZERO, cite, None, self._currency,
                    bet.tender, bet.confirmed_by,
                ),
            )  # fmt: skip
        rule = self.rules.wager_rules[bet.spot]
        if not rule.breakdown:
            event = self._make_bet_event(bet, tag, rule, bet.stake_cents, None)
            if position.custody is None or not isinstance(rule, LineRule) or rule.travels:
                return (event,)
            custody_change = after_line_bet(self.rules, apply_event(position, event), bet.player)
            return (event, custody_change) if custody_change else (event,)
        shares = zip(split_tags(self.rules, bet.spot, tag), rule.break_down(bet.stake_cents), strict=True)
        return tuple(
            self._make_bet_event(bet, share_tag, self.rules.wager_rules[spot], Cents(int(stake)), tag)
            for share_tag, (spot, stake) in shares
        )

    def _make_bet_event(self, bet: Bet, tag: str, rule: WagerRule, stake: Cents, split_from: str | None) -> BetMade:
        wager, cite = self._new_wager(rule, stake)
        return BetMade(
            bet.player, tag, rule.name, wager, None, None, wager.vig, cite, split_from, self._currency,
            bet.tender, bet.confirmed_by,
        )  # fmt: skip

    def _new_wager(self, rule: WagerRule, stake: Cents) -> tuple[Wager, Citation]:
        """Return a new wager with the vigorish that is paid up front, and the clauses it is made under."""
        vig_cite = rule.vig.cite if rule.vig and not rule.vig.charged_on_win else ()
        cite = tuple(dict.fromkeys(rule.cite("def") + vig_cite))
        return Wager(rule.spot, stake, vig=rule.upfront_vig(stake)), cite

    def _next_tag(self, position: Position, spot: Spot) -> str:
        """Return the next free number as the tag of a new bet."""
        number = position.wagers_made + 1
        while self._is_tag_taken(position, spot, tag := str(number)):
            number += 1
        return tag

    def _is_tag_taken(self, position: Position, spot: Spot, tag: str) -> bool:
        rule = self.rules.wager_rules.get(spot)
        if rule is None or not rule.breakdown:
            return position.find_owner(tag) is not None
        return any(position.find_owner(share_tag) is not None for share_tag in split_tags(self.rules, spot, tag))

    # ---------------------------------------------------------------------------------------- changes

    def _find_bet(self, position: Position, player: str, tag: str) -> FoundBet:
        found = find_bet(position, player, tag)
        if found is None:
            raise LookupError(tag)  # `verify` has refused this before
        return found

    def _take_down(self, position: Position, action: TakeDown) -> tuple[Event, ...]:
        events = self._take_down_events(position, action)
        if position.custody is None:
            return events
        for event in events:
            position = apply_event(position, event)
        custody_change = after_take_down(self.rules, position)
        return (*events, custody_change) if custody_change else events

    def _take_down_events(self, position: Position, action: TakeDown) -> tuple[Event, ...]:
        found = self._find_bet(position, action.player, action.tag)
        if found.odds:
            return (self._make_resize_event(action.player, action.tag, found, None, ZERO),)
        tagged = found.tagged_wager
        odds_down = [
            self._make_resize_event(action.player, tag, FoundBet(tagged, index), None, ZERO)
            for index, tag in enumerate(tagged.odds_tags)
        ]
        rule = self.rules.wager_rules[tagged.wager.spot]
        refund = Cents(-tagged.wager.vig) if rule.vig and rule.vig.refundable else ZERO
        wager_down = self._make_resize_event(action.player, action.tag, found, None, refund)
        if tagged.wager.spot.kind in self._hand_bet_kinds:
            wager_down = replace(wager_down, markers=self._markers_without(position, action.tag))
        return (*odds_down, wager_down)

    def _markers_without(self, position: Position, tag: str) -> Markers:
        """Return the markers that remain when a fire or bonus bet is taken down. The last such bet clears its area."""
        kinds = {tagged.wager.spot.kind for seat in position.seats for tagged in seat.wagers if tagged.tag != tag}
        fire, bonus = position.markers
        return Markers(fire if kinds & self._fire_kinds else (), bonus if kinds & self._bonus_kinds else ())

    def _resize(self, position: Position, action: Reduce | Press) -> tuple[Event, ...]:
        found = self._find_bet(position, action.player, action.tag)
        stake = action.new_stake_cents
        if found.odds:
            odds_after = found.odds._replace(stake=stake)
            return (self._make_resize_event(action.player, action.tag, found, odds_after, ZERO),)
        wager = found.tagged_wager.wager
        rule = self.rules.wager_rules[wager.spot]
        vig = self._vig_difference(rule, wager, stake)
        odds_bets, events, reduced = wager.odds_bets, list[BetResized](), wager.reduced
        if isinstance(action, Reduce):
            odds_bets, events = self._trim_odds(position, action, found.tagged_wager)
            reduced = reduced or not rule.increase_after_reduction
        after = wager._replace(stake=stake, vig=Cents(wager.vig + vig), odds_bets=odds_bets, reduced=reduced)
        return (*events, self._make_resize_event(action.player, action.tag, found, after, vig))

    def _vig_difference(self, rule: WagerRule, wager: Wager, stake: Cents) -> Cents:
        """Return the vigorish to charge for a new stake, or (negative) to refund where the house refunds."""
        if rule.vig is None or rule.vig.charged_on_win:
            return ZERO
        difference = Cents(rule.vig.charge(stake, rule.vig_odds) - wager.vig)
        return difference if difference > 0 or rule.vig.refundable else ZERO

    def _trim_odds(
        self, position: Position, action: Reduce, tagged: TaggedWager
    ) -> tuple[tuple[OddsBet, ...], list[BetResized]]:
        """Bring the odds behind a reduced wager under its new limit. The odds made last are cut first."""
        wager, events = tagged.wager, list[BetResized]()
        odds = list(wager.odds_bets)
        number = self.rules.wager_rules[wager.spot].number_of(wager, position.phase)
        for index in range(len(odds) - 1, -1, -1):
            rule = self.rules.odds_rules[odds[index].kind]
            excess = sum(bet.stake for bet in odds) - rule.cap(action.new_stake_cents, number or 0)
            if excess <= 0:
                break
            others = sum(bet.stake for bet in odds) - odds[index].stake
            payable = self.rules.unpayable == "refuse"
            stake = max(0, rule.trimmed_odds(action.new_stake_cents, number or 0, payable=payable) - others)
            stake -= stake % (rule.stake_step(number or 0) if payable else self.rules.chip_unit)
            after = odds[index]._replace(stake=Cents(stake)) if stake else None
            events.append(
                self._make_resize_event(action.player, tagged.odds_tags[index], FoundBet(tagged, index), after, ZERO)
            )
            odds[index : index + 1] = [after] if after else []
        return tuple(odds), events

    def _make_resize_event(
        self, player: str, tag: str, found: FoundBet, after: Wager | OddsBet | None, vig: Cents
    ) -> BetResized:
        tagged, odds = found.tagged_wager, found.odds
        bars_replacement = False
        if odds:
            spot, base_tag, cite = Spot(odds.kind), tagged.tag, self.rules.odds_rules[odds.kind].cite("change")
        else:
            grows = after is not None and after.stake > found.stake_cents
            spot, base_tag = tagged.wager.spot, None
            rule = self.rules.wager_rules[spot]
            cite = rule.cite("increase" if grows else "change")
            bars_replacement = not grows and not rule.replace_after_removal
        return BetResized(
            player, tag, bet_name(self.rules, found), spot, base_tag, found.stake_cents, after, vig, cite,
            self._currency, bars_replacement=bars_replacement,
        )  # fmt: skip

    def _toggle(self, position: Position, action: ToggleBet) -> tuple[Event, ...]:
        found = self._find_bet(position, action.player, action.tag)
        kind = found.odds.kind if found.odds else found.tagged_wager.wager.spot.kind
        cite = call_cite(self.rules, kind, action.call)
        return (BetToggled(action.player, action.tag, bet_name(self.rules, found), action.call, cite),)

    # ------------------------------------------------------------------------------------------ rolls

    def _roll_dice(self, position: Position, action: RollDice) -> tuple[Event, ...]:
        custody_change = take_dice_by_rolling(self.rules, position, action)
        if custody_change is not None:
            return (custody_change, *self._roll_dice(apply_event(position, custody_change), action))
        roll = check_shooter(self.rules, position, action) or read_dice(self.rules, action)
        if isinstance(roll, NoRoll):
            return (roll,)
        event = self._settle_roll(position, roll, action.dice)
        if action.player is not None or action.irregularity is not None:
            cite = self.rules.book.irregular_throws[action.irregularity].cite if action.irregularity else ()
            event = replace(event, player=action.player, irregularity=action.irregularity, cite=cite)
        return self._with_surveillance_notice(position, event)

    def _settle_roll(self, position: Position, roll: Roll, dice: Roll) -> Rolled:
        """Settle a valid roll: every wager with the puck where it was, then move the puck."""
        phase, total = position.phase, roll.total
        settled, has_hand_bet = self._settle_wagers(position.seats, phase, roll)
        puck, stage, seven_out = self._puck_and_stage_after(phase, position.hand_stage, total)
        fire, bonus, markers = self._update_markers(position, settled, total) if has_hand_bet else NO_MARKER_CHANGE
        event = Rolled(dice, roll, phase, puck, stage, seven_out, tuple(settled), fire, bonus, markers)
        if position.custody is None:
            return event
        seats = apply_event(position, event).seats
        return replace(event, custody=custody_after_roll(self.rules, position, seats, event))

    def _puck_and_stage_after(self, phase: Phase, stage: HandStage, total: int) -> tuple[Phase, HandStage, bool]:
        """Return the puck and the stage of the hand after a roll, and whether the shooter sevened out."""
        rules = self.rules
        stage_after = self.hand_stage_after(stage, phase, total)
        return rules.puck_after(phase, total), stage_after, rules.is_seven_out(phase, total)

    def _settle_wagers(self, seats: tuple[Seat, ...], phase: Phase, roll: Roll) -> tuple[list[SettledWager], bool]:
        """Settle every wager and its odds, in order. Also return whether one of them is a fire or bonus bet."""
        settled: list[SettledWager] = []
        has_hand_bet = False
        for player, _, wagers in seats:
            for tag, wager, odds_tags in wagers:
                settlements = self.settle(wager, phase, roll)
                settled.append(SettledWager(player, tag, settlements[0]))
                settled.extend(map(SettledWager, repeat(player), odds_tags, settlements[1:]))
                has_hand_bet = has_hand_bet or wager.spot.kind in self._hand_bet_kinds
        return settled, has_hand_bet

    def _with_surveillance_notice(self, position: Position, event: Rolled) -> tuple[Event, ...]:
        """Add a notice to surveillance if this roll made the number of fire points at which the book demands one."""
        rule = self.rules.book.custody.surveillance_at_points
        before, after = position.markers.fire, event.fire_points or ()
        if rule is None or not len(before) < rule.value <= len(after):
            return (event,)
        return (event, SurveillanceNotified(after, rule.cite))

    def _leave(self, position: Position, action: Leave) -> tuple[Event, ...]:
        """Remove a player, who first gives up the dice or declines them."""
        custody, events = position.custody, list[Event]()
        if custody is not None and action.player in (custody.shooter, custody.offered_to):
            give_up = PassDice if custody.shooter == action.player else DeclineDice
            change = change_custody(self.rules, position, give_up(action.player))
            if change.custody.offered_to == action.player:
                change = replace(change, custody=change.custody._replace(offered_to=None))
            events.append(change)
        return (*events, PlayerLeft(action.player))

    def _update_markers(self, position: Position, settled: list[SettledWager], total: int) -> MarkerChange:
        """Return the fire and bonus markers to show for this roll, and the markers that remain after it."""
        settlements = [settled_wager.settlement for settled_wager in settled]
        fire_bets = [one.wager_after for one in settlements if one.spot.kind in self._fire_kinds]
        bonus_bets = [one.wager_after for one in settlements if one.spot.kind in self._bonus_kinds]
        fire, bonus = set(position.markers.fire), set(position.markers.bonus)
        counting = any(FROZEN not in wager.marks for wager in fire_bets if wager)
        if position.phase > 0 and total == position.phase and counting:
            fire.add(total)
        bonus = set() if total == self.rules.seven else bonus | {total}
        shown_fire = tuple(sorted(fire)) if fire_bets else None
        shown_bonus = tuple(sorted(bonus)) if bonus_bets else None
        remaining = Markers(
            shown_fire or () if any(fire_bets) else (),
            shown_bonus or () if any(bonus_bets) else (),
        )
        return shown_fire, shown_bonus, remaining
