"""What a UI draws from without knowing craps: the layout with its chips, and what a player may do now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd, lcm
from typing import Final, NamedTuple

from trueodds.dice import ROLLS
from trueodds.money import STAKE_LIMIT, Cents
from trueodds.rulebook import Cite, Silence, Spot
from trueodds.table.action import (
    CALLS,
    AcceptDice,
    Action,
    ActionError,
    Bet,
    CallWager,
    DeclineDice,
    DeclineLine,
    Leave,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    TakeDown,
    Throw,
)
from trueodds.table.custody import judge_shooter
from trueodds.table.dealer import Dealer
from trueodds.table.position import Entry, Hand, Markers, Position, Seat
from trueodds.table.refusal import Refusal
from trueodds.table.settlement import working
from trueodds.wagers import Call, OddsRule, Rule, Rules, Wager


class Stakes(NamedTuple):
    """The stakes a spot takes: multiples of `step` from `least` to `most` (None: no limit).

    `even` is the step of stakes that are paid without breakage.
    """

    least: Cents
    most: Cents | None
    step: int
    even: int


class Choice(NamedTuple):
    """Something a player may do now.

    `do` is bet, take_down, reduce, press, call_on or call_off, each with a spot; or what is done without chips:
    roll, accept_dice, decline_dice, pass_dice, decline_line, leave, sit, and stand where the game is played seated.
    """

    do: str
    name: str
    spot: Spot | None = None
    tag: str | None = None
    on: str | None = None
    stakes: Stakes | None = None

    def action(self, player: str, stake: int | None = None) -> Action:
        """Make the action of this choice; the least it takes when no stake is given."""
        tag, spot = self.tag or "", self.spot or Spot("")
        least = self.stakes.least if self.stakes else 0
        to = Cents(least if stake is None else stake)
        simple = _SIMPLE.get(self.do)
        if simple is not None:
            return simple(player)
        match self.do:
            case "bet":
                return Bet(player, spot, to, on=self.on)
            case "take_down":
                return TakeDown(player, tag)
            case "reduce":
                return Reduce(player, tag, to)
            case "press":
                return Press(player, tag, to)
            case "call_on" | "call_off":
                return CallWager(player, tag, "on" if self.do == "call_on" else "off")
            case _:
                msg = "a roll is made with dice: Throw(Roll(3, 4))"
                raise ActionError(msg)


_SIMPLE: Final[Mapping[str, Callable[[str], Action]]] = {
    "accept_dice": AcceptDice,
    "decline_dice": DeclineDice,
    "pass_dice": PassDice,
    "decline_line": DeclineLine,
    "sit": Sit,
    "stand": Stand,
    "leave": Leave,
}


class Chip(NamedTuple):
    """A wager standing on a spot, or odds behind one (`on` is the base's tag)."""

    player: str
    tag: str
    stake: Cents
    call: Call
    working: bool
    on: str | None = None
    marks: tuple[int, ...] = ()


class LayoutSpot(NamedTuple):
    """One place on the layout as a player sees it."""

    spot: Spot
    area: str
    title: str
    name: str
    pays: tuple[tuple[str, str], ...]
    stakes: Stakes | None
    refusal: Refusal | None
    working: bool
    cite: Cite
    silences: tuple[Silence, ...]
    chips: tuple[Chip, ...]


class Layout(NamedTuple):
    """The whole table as a player sees it."""

    book: str
    house: str
    currency: str
    point: int | None
    hand: Hand
    markers: Markers
    spots: tuple[LayoutSpot, ...]


def draw_layout(dealer: Dealer, position: Position, player: str) -> Layout:
    """Draw every spot the house offers, in the book's order, with all chips on it."""
    rules = dealer.rules
    spots: list[LayoutSpot] = []
    for text in rules.book.wagers.values():
        odds = rules.odds.get(text.kind)
        if odds is not None:
            if odds.offer.given:
                spots.append(_odds_spot(dealer, position, player, odds))
            continue
        for spot, rule in rules.spots.items():
            if spot.kind == text.kind and rule.offer.given:
                spots.append(_flat_spot(dealer, position, player, spot, rule))
    house = rules.house
    return Layout(
        rules.book.title,
        house.name,
        house.currency,
        position.point,
        position.hand,
        position.markers,
        tuple(spots),
    )


def _flat_spot(dealer: Dealer, position: Position, player: str, spot: Spot, rule: Rule) -> LayoutSpot:
    rules, text = dealer.rules, rule.text
    stakes = stakes_of(rules, rule)
    facets = (
        "def",
        "win",
        "lose",
        "first_win",
        "then_win",
        "push",
        "pays",
        "working",
        "change",
        "vig",
        "unit",
        "box",
    )
    cite = tuple(dict.fromkeys(part for facet in facets for part in text.cite(facet, spot.selection)))
    return LayoutSpot(
        spot,
        str(text.terms["area"]),
        text.title_of(spot.selection),
        text.short_of(spot.selection),
        rule.pay_words,
        stakes,
        dealer.verify(position, Bet(player, spot, min(stakes.least, STAKE_LIMIT))),
        working(rules, spot.kind, "", position.phase),
        text.cite("def", spot.selection),
        rules.book.silences_of(cite),
        tuple(_chips(rules, position, spot)),
    )


def _chips(rules: Rules, position: Position, spot: Spot) -> list[Chip]:
    return [
        Chip(
            seat.player,
            entry.tag,
            entry.wager.stake,
            entry.wager.call,
            working(rules, spot.kind, entry.wager.call, position.phase),
            None,
            entry.wager.marks,
        )
        for seat in position.seats
        for entry in seat.entries
        if entry.wager.spot == spot
    ]


def _odds_spot(dealer: Dealer, position: Position, player: str, odds: OddsRule) -> LayoutSpot:
    rules, text = dealer.rules, odds.text
    seat = position.seat_of(player)
    choices = [
        choice
        for entry in (seat.entries if seat else ())
        for choice in _odds_choices(dealer, position, player, entry)
        if choice.spot and choice.spot.kind == odds.kind
    ]
    refusal = None if choices else dealer.verify(position, _least_odds(rules, position, player, odds, seat))
    chips = tuple(
        Chip(
            seat.player,
            tag,
            bet.stake,
            bet.call,
            working(rules, odds.kind, bet.call, position.phase),
            entry.tag,
        )
        for seat in position.seats
        for entry in seat.entries
        for tag, bet in zip(entry.odds_tags, entry.wager.odds, strict=True)
        if bet.kind == odds.kind
    )
    cite = tuple(dict.fromkeys((*text.cite("def"), *text.cite("returned"), *text.cite("cap"))))
    return LayoutSpot(
        Spot(odds.kind),
        str(text.terms["area"]),
        text.title,
        text.short,
        tuple((str(number), str(pay.odds)) for number, pay in odds.pays.items()),
        choices[0].stakes if choices else None,
        refusal,
        working(rules, odds.kind, "", position.phase),
        text.cite("def"),
        rules.book.silences_of(cite),
        chips,
    )


def _least_odds(rules: Rules, position: Position, player: str, odds: OddsRule, seat: Seat | None) -> Bet:
    """Ask for the smallest odds behind the bet that could carry them, to learn why there are none."""
    bases = [entry for entry in (seat.entries if seat else ()) if entry.wager.spot.kind == odds.base]
    step = rules.chip_unit
    if bases:
        number = rules.spots[bases[-1].wager.spot].number_of(bases[-1].wager, position.phase)
        step = odds.step(number) if number else step
    return Bet(player, Spot(odds.kind), Cents(min(step, STAKE_LIMIT)), on=bases[-1].tag if bases else None)


def stakes_of(rules: Rules, rule: Rule) -> Stakes:
    """Give the stakes a spot takes under this house, whenever it may be bet at all."""
    refuse = rules.unpayable == "refuse"
    step = lcm(rules.chip_unit, rule.unit)
    even = lcm(step, rule.step)
    if rule.breakdown:
        whole = sum(units for _, units in rule.breakdown)
        for spot, units in rule.breakdown:
            part = rules.spots[spot]
            step = lcm(step, _part_step(lcm(rules.chip_unit, part.unit), units, whole))
            even = lcm(step, even, _part_step(part.step, units, whole))
    step = even if refuse else step
    least = max(step, -(-rule.least // step) * step)
    most = None if rule.most is None else rule.most // step * step
    return Stakes(Cents(least), None if most is None else Cents(most), step, even)


def _part_step(step: int, units: int, whole: int) -> int:
    """Give the whole stakes whose share of `units` in `whole` is a multiple of `step`."""
    return whole * step // gcd(whole * step, units)


def list_choices(dealer: Dealer, position: Position, player: str) -> tuple[Choice, ...]:
    """List what a player may do: bets, then changes of each wager that is up, then dice and seat."""
    rules = dealer.rules
    seat = position.seat_of(player)
    if seat is None:
        return ()
    choices: list[Choice] = []
    for kind in rules.book.wagers:
        for spot in rules.spots_of(kind) if kind not in rules.odds else ():
            stakes = stakes_of(rules, rules.spots[spot])
            if stakes.least <= STAKE_LIMIT and dealer.verify(position, Bet(player, spot, stakes.least)) is None:
                choices.append(Choice("bet", rules.spots[spot].name, spot, stakes=stakes))
    for entry in seat.entries:
        choices += _odds_choices(dealer, position, player, entry)
        choices += _changes(dealer, position, player, entry)
    return (*choices, *_without_chips(dealer, position, seat))


def _without_chips(dealer: Dealer, position: Position, seat: Seat) -> list[Choice]:
    """List what a player may do with the dice and the seat."""
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
    choices = [Choice(do, player) for do, action in actions.items() if dealer.verify(position, action) is None]
    if judge_shooter(dealer.rules, position, Throw(ROLLS[0], player)) is None:
        choices.insert(0, Choice("roll", player))
    return choices


def _odds_choices(dealer: Dealer, position: Position, player: str, entry: Entry) -> list[Choice]:
    rules = dealer.rules
    choices = []
    number = rules.spots[entry.wager.spot].number_of(entry.wager, position.phase)
    for odds in rules.odds.values() if number is not None else ():
        if odds.base != entry.wager.spot.kind:
            continue
        stakes = _odds_stakes(rules, odds, entry.wager, number or 0, entry.wager.total_odds)
        spot = Spot(odds.kind)
        if (
            stakes.least <= STAKE_LIMIT
            and dealer.verify(position, Bet(player, spot, stakes.least, on=entry.tag)) is None
        ):
            choices.append(Choice("bet", odds.text.short_of(str(number)), spot, on=entry.tag, stakes=stakes))
    return choices


def _odds_stakes(rules: Rules, odds: OddsRule, wager: Wager, number: int, others: int) -> Stakes:
    even = odds.step(number)
    step = even if rules.unpayable == "refuse" else rules.chip_unit
    most = (odds.limit(wager.stake, number) - others) // step * step
    return Stakes(Cents(step), Cents(max(0, most)), step, even)


def _changes(dealer: Dealer, position: Position, player: str, entry: Entry) -> list[Choice]:
    rules, wager = dealer.rules, entry.wager
    rule = rules.spots[wager.spot]
    name = rule.text.short_of(wager.spot.selection)
    choices = _sizes(dealer, position, player, entry.tag, name, wager.spot, wager.stake, stakes_of(rules, rule))
    choices += _calls(dealer, position, player, entry.tag, name, wager.spot)
    number = rule.number_of(wager, position.phase)
    for tag, bet in zip(entry.odds_tags, wager.odds, strict=True):
        odds = rules.odds[bet.kind]
        stakes = _odds_stakes(rules, odds, wager, number or 0, wager.total_odds - bet.stake)
        name = odds.text.short_of(str(number))
        choices += _sizes(dealer, position, player, tag, name, Spot(bet.kind), bet.stake, stakes)
        choices += _calls(dealer, position, player, tag, name, Spot(bet.kind))
    return choices


def _sizes(
    dealer: Dealer,
    position: Position,
    player: str,
    tag: str,
    name: str,
    spot: Spot,
    stake: Cents,
    stakes: Stakes,
) -> list[Choice]:
    choices = []
    if dealer.verify(position, TakeDown(player, tag)) is None:
        choices.append(Choice("take_down", name, spot, tag))
    below = (stake - 1) // stakes.step * stakes.step
    if below >= stakes.least and dealer.verify(position, Reduce(player, tag, stakes.least)) is None:
        choices.append(Choice("reduce", name, spot, tag, stakes=stakes._replace(most=Cents(below))))
    above = (stake // stakes.step + 1) * stakes.step
    if above <= STAKE_LIMIT and dealer.verify(position, Press(player, tag, Cents(above))) is None:
        choices.append(Choice("press", name, spot, tag, stakes=stakes._replace(least=Cents(above))))
    return choices


def _calls(dealer: Dealer, position: Position, player: str, tag: str, name: str, spot: Spot) -> list[Choice]:
    return [
        Choice(f"call_{call}", name, spot, tag)
        for call in CALLS
        if dealer.verify(position, CallWager(player, tag, call)) is None
    ]
