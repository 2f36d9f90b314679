"""Legal actions: everything a player may do now, with the stakes that would be accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd, lcm
from typing import Final, NamedTuple

from trueodds.dice import ROLLS
from trueodds.money import MAX_STAKE_CENTS, Cents
from trueodds.rulebook import Spot
from trueodds.table.action import (
    CALLS,
    AcceptDice,
    Action,
    ActionError,
    Bet,
    DeclineDice,
    DeclineLine,
    Leave,
    PassDice,
    Press,
    Reduce,
    RollDice,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
)
from trueodds.table.custody import check_shooter
from trueodds.table.dealer import Dealer
from trueodds.table.position import Position, Seat, TaggedWager
from trueodds.table.spot_limits import free_stake, odds_up
from trueodds.wagers import OddsRule, TableRules


class StakeRange(NamedTuple):
    """The stakes a spot accepts: multiples of `step_cents` from `min_cents` to `max_cents` (None: no limit).

    Multiples of `exact_step_cents` are paid without breakage.
    """

    min_cents: Cents
    max_cents: Cents | None
    step_cents: int
    exact_step_cents: int


class LegalAction(NamedTuple):
    """Something a player may do now.

    With a spot, `verb` is bet, take_down, reduce, press, call_on or call_off. Without one it is roll, accept_dice,
    decline_dice, pass_dice, decline_line, leave, sit, or stand where the game is played seated.
    """

    verb: str
    name: str
    spot: Spot | None = None
    tag: str | None = None
    base_tag: str | None = None
    stake_range: StakeRange | None = None

    def to_action(self, player: str, stake_cents: int | None = None) -> Action:
        """Return the action, with the smallest accepted stake if none is given."""
        tag, spot = self.tag or "", self.spot or Spot("")
        smallest = self.stake_range.min_cents if self.stake_range else 0
        stake = Cents(smallest if stake_cents is None else stake_cents)
        make_action = _SIMPLE_ACTIONS.get(self.verb)
        if make_action is not None:
            return make_action(player)
        match self.verb:
            case "bet":
                return Bet(player, spot, stake, base_tag=self.base_tag)
            case "take_down":
                return TakeDown(player, tag)
            case "reduce":
                return Reduce(player, tag, stake)
            case "press":
                return Press(player, tag, stake)
            case "call_on" | "call_off":
                return ToggleBet(player, tag, "on" if self.verb == "call_on" else "off")
            case _:
                raise ActionError(f"{self.verb!r} needs dice: use RollDice(Roll(3, 4))")


_SIMPLE_ACTIONS: Final[Mapping[str, Callable[[str], Action]]] = {
    "accept_dice": AcceptDice,
    "decline_dice": DeclineDice,
    "pass_dice": PassDice,
    "decline_line": DeclineLine,
    "sit": Sit,
    "stand": Stand,
    "leave": Leave,
}


def list_legal_actions(dealer: Dealer, position: Position, player: str) -> tuple[LegalAction, ...]:
    """Return what a player may do: new bets, then changes of each bet, then actions with the dice and the seat."""
    rules = dealer.rules
    seat = position.find_seat(player)
    if seat is None:
        return ()
    actions: list[LegalAction] = []
    for kind in rules.book.wagers:
        for spot in rules.spots_of(kind) if kind not in rules.odds_rules else ():
            stakes = stake_range(rules, spot, seat)
            if _is_allowed(dealer, position, player, spot, stakes, None):
                actions.append(LegalAction("bet", rules.wager_rules[spot].name, spot, stake_range=stakes))
    for tagged in seat.wagers:
        actions += legal_odds_bets(dealer, position, player, tagged)
        actions += _bet_changes(dealer, position, player, tagged)
    return (*actions, *_dice_and_seat_actions(dealer, position, seat))


def _is_allowed(
    dealer: Dealer, position: Position, player: str, spot: Spot, stakes: StakeRange, base_tag: str | None
) -> bool:
    if stakes.min_cents > MAX_STAKE_CENTS:
        return False
    return dealer.verify(position, Bet(player, spot, stakes.min_cents, base_tag=base_tag)) is None


def stake_range(rules: TableRules, spot: Spot, seat: Seat | None, except_tag: str | None = None) -> StakeRange:
    """Return the stakes a spot accepts from a player, whether or not it can be bet now.

    The largest is what the maximum leaves free besides the player's other bets on the spot; a wager tagged
    `except_tag` does not count.
    """
    rule = rules.wager_rules[spot]
    step = lcm(rules.chip_unit, rule.stake_unit)
    exact_step = lcm(step, rule.payable_step)
    if rule.breakdown:
        all_units = sum(units for _, units in rule.breakdown)
        for part, units in rule.breakdown:
            share = rules.wager_rules[part]
            step = lcm(step, _step_for_share(lcm(rules.chip_unit, share.stake_unit), units, all_units))
            exact_step = lcm(step, exact_step, _step_for_share(share.payable_step, units, all_units))
    step = exact_step if rules.unpayable == "refuse" else step
    smallest = max(step, -(-rule.smallest_stake // step) * step)
    free = free_stake(rules, seat, spot, except_tag)
    largest = None if free is None else min(free, MAX_STAKE_CENTS) // step * step
    return StakeRange(Cents(smallest), None if largest is None else Cents(largest), step, exact_step)


def _step_for_share(step: int, units: int, all_units: int) -> int:
    """Return the step of whole stakes of which a share of `units` in `all_units` is a multiple of `step`."""
    return all_units * step // gcd(all_units * step, units)


def _dice_and_seat_actions(dealer: Dealer, position: Position, seat: Seat) -> list[LegalAction]:
    player = seat.player
    actions: dict[str, Action] = {
        "accept_dice": AcceptDice(player),
        "decline_dice": DeclineDice(player),
        "pass_dice": PassDice(player),
        "decline_line": DeclineLine(player),
        "leave": Leave(player),
    }
    if not seat.seated:
        actions["sit"] = Sit(player)
    elif dealer.rules.game.seated:
        actions["stand"] = Stand(player)
    legal = [LegalAction(verb, player) for verb, action in actions.items() if dealer.verify(position, action) is None]
    if check_shooter(dealer.rules, position, RollDice(ROLLS[0], player)) is None:
        legal.insert(0, LegalAction("roll", player))
    return legal


def legal_odds_bets(dealer: Dealer, position: Position, player: str, tagged: TaggedWager) -> list[LegalAction]:
    """Return the odds bets that a player may make behind a wager."""
    rules = dealer.rules
    actions = []
    number = rules.wager_rules[tagged.wager.spot].number_of(tagged.wager, position.phase)
    for odds in rules.odds_rules.values() if number is not None else ():
        if odds.base_kind != tagged.wager.spot.kind:
            continue
        stakes = _odds_stake_range(dealer, position, player, odds, tagged, number or 0)
        spot = Spot(odds.kind)
        if _is_allowed(dealer, position, player, spot, stakes, tagged.tag):
            name = odds.definition.spot_name(str(number))
            actions.append(LegalAction("bet", name, spot, base_tag=tagged.tag, stake_range=stakes))
    return actions


def _odds_stake_range(
    dealer: Dealer,
    position: Position,
    player: str,
    odds: OddsRule,
    tagged: TaggedWager,
    number: int,
    replaced_tag: str | None = None,
    replaced_cents: int = 0,
) -> StakeRange:
    """Return the stakes of odds behind a wager. The odds tagged `replaced_tag` do not count as already there."""
    rules, wager = dealer.rules, tagged.wager
    exact_step = odds.stake_step(number)
    step = exact_step if rules.unpayable == "refuse" else rules.chip_unit
    free = odds.max_odds(wager.stake, number) - (wager.odds_stake - replaced_cents)
    posted, seat = odds.posted_maximum(number), position.find_seat(player)
    if posted is not None and seat is not None:
        free = min(free, posted - odds_up(rules, position, seat, odds.kind, number, replaced_tag))
    largest = min(free, MAX_STAKE_CENTS) // step * step
    return StakeRange(Cents(step), Cents(max(0, largest)), step, exact_step)


def _bet_changes(dealer: Dealer, position: Position, player: str, tagged: TaggedWager) -> list[LegalAction]:
    rules, wager = dealer.rules, tagged.wager
    rule = rules.wager_rules[wager.spot]
    name = rule.definition.spot_name(wager.spot.selection)
    stakes = stake_range(rules, wager.spot, position.find_seat(player), tagged.tag)
    actions = _size_changes(dealer, position, player, tagged.tag, name, wager.spot, wager.stake, stakes)
    actions += _toggles(dealer, position, player, tagged.tag, name, wager.spot)
    number = rule.number_of(wager, position.phase)
    for tag, bet in zip(tagged.odds_tags, wager.odds_bets, strict=True):
        odds = rules.odds_rules[bet.kind]
        stakes = _odds_stake_range(dealer, position, player, odds, tagged, number or 0, tag, bet.stake)
        name = odds.definition.spot_name(str(number))
        actions += _size_changes(dealer, position, player, tag, name, Spot(bet.kind), bet.stake, stakes)
        actions += _toggles(dealer, position, player, tag, name, Spot(bet.kind))
    return actions


def _size_changes(
    dealer: Dealer,
    position: Position,
    player: str,
    tag: str,
    name: str,
    spot: Spot,
    stake: Cents,
    stakes: StakeRange,
) -> list[LegalAction]:
    actions = []
    if dealer.verify(position, TakeDown(player, tag)) is None:
        actions.append(LegalAction("take_down", name, spot, tag))
    below = Cents((stake - 1) // stakes.step_cents * stakes.step_cents)
    if below >= stakes.min_cents and dealer.verify(position, Reduce(player, tag, stakes.min_cents)) is None:
        actions.append(LegalAction("reduce", name, spot, tag, stake_range=stakes._replace(max_cents=below)))
    above = Cents((stake // stakes.step_cents + 1) * stakes.step_cents)
    if above <= MAX_STAKE_CENTS and dealer.verify(position, Press(player, tag, above)) is None:
        actions.append(LegalAction("press", name, spot, tag, stake_range=stakes._replace(min_cents=above)))
    return actions


def _toggles(dealer: Dealer, position: Position, player: str, tag: str, name: str, spot: Spot) -> list[LegalAction]:
    return [
        LegalAction(f"call_{call}", name, spot, tag)
        for call in CALLS
        if dealer.verify(position, ToggleBet(player, tag, call)) is None
    ]
