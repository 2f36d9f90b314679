"""The layout as one player sees it: every spot with its payouts, limits and bets. A UI can draw it without rules."""

from __future__ import annotations

from typing import Final, NamedTuple

from trueodds.money import MAX_STAKE_CENTS, Cents
from trueodds.rulebook import Citation, Silence, Spot
from trueodds.table.action import Bet
from trueodds.table.dealer import Dealer
from trueodds.table.legal_actions import StakeRange, legal_odds_bets, stake_range
from trueodds.table.position import HandStage, Markers, Position, Seat
from trueodds.table.refusal import Refusal
from trueodds.table.settlement import is_working
from trueodds.wagers import OddsRule, TableRules, WagerRule, WorkingCall

_CITED_TOPICS: Final = (
    "def", "win", "lose", "first_win", "then_win", "push", "pays", "working", "change", "vig", "unit", "box",
)  # fmt: skip


class LayoutBet(NamedTuple):
    """A wager on a spot, or odds behind the wager tagged `base_tag`."""

    player: str
    tag: str
    stake_cents: Cents
    call: WorkingCall
    working: bool
    base_tag: str | None = None
    marks: tuple[int, ...] = ()


class LayoutSpot(NamedTuple):
    """One spot of the layout. `refusal` says why the player cannot bet there now, and is None if they can.

    `pays` are pairs of a number (or an empty text) and the odds. `max_cents` is the largest stake if the player has
    nothing up; their bets reduce that of `stake_range`. It is None if there is no maximum, and for odds. `silences`
    are the points on which the book is silent.
    """

    spot: Spot
    area: str
    title: str
    name: str
    pays: tuple[tuple[str, str], ...]
    stake_range: StakeRange | None
    max_cents: Cents | None
    refusal: Refusal | None
    working: bool
    cite: Citation
    silences: tuple[Silence, ...]
    bets: tuple[LayoutBet, ...]


class Layout(NamedTuple):
    """The table as one player sees it."""

    book: str
    house: str
    currency: str
    point: int | None
    hand_stage: HandStage
    markers: Markers
    spots: tuple[LayoutSpot, ...]


def build_layout(dealer: Dealer, position: Position, player: str) -> Layout:
    """Return every spot the house offers, in the order of the book, with all bets on it."""
    rules = dealer.rules
    spots: list[LayoutSpot] = []
    for kind in rules.book.wagers:
        odds = rules.odds_rules.get(kind)
        if odds is not None:
            if odds.availability.offered:
                spots.append(_odds_spot(dealer, position, player, odds))
            continue
        for spot, rule in rules.wager_rules.items():
            if spot.kind == kind and rule.availability.offered:
                spots.append(_wager_spot(dealer, position, player, spot, rule))
    house = rules.house
    return Layout(
        rules.book.title,
        house.name,
        house.currency,
        position.point,
        position.hand_stage,
        position.markers,
        tuple(spots),
    )


def _wager_spot(dealer: Dealer, position: Position, player: str, spot: Spot, rule: WagerRule) -> LayoutSpot:
    rules, definition = dealer.rules, rule.definition
    stakes = stake_range(rules, spot, position.find_seat(player))
    cites = [definition.cite(topic, spot.selection) for topic in _CITED_TOPICS]
    return LayoutSpot(
        spot,
        definition.area,
        definition.spot_title(spot.selection),
        definition.spot_name(spot.selection),
        rule.payout_texts,
        stakes,
        stake_range(rules, spot, None).max_cents,
        dealer.verify(position, Bet(player, spot, min(stakes.min_cents, MAX_STAKE_CENTS))),
        is_working(rules, spot.kind, "", position.phase),
        definition.cite("def", spot.selection),
        rules.book.silences_of(tuple(dict.fromkeys(clause for cite in cites for clause in cite))),
        tuple(_wagers_on(rules, position, spot)),
    )


def _wagers_on(rules: TableRules, position: Position, spot: Spot) -> list[LayoutBet]:
    return [
        LayoutBet(
            seat.player,
            tag,
            wager.stake,
            wager.call,
            is_working(rules, spot.kind, wager.call, position.phase),
            None,
            wager.marks,
        )
        for seat in position.seats
        for tag, wager, _ in seat.wagers
        if wager.spot == spot
    ]


def _odds_spot(dealer: Dealer, position: Position, player: str, odds: OddsRule) -> LayoutSpot:
    rules, definition = dealer.rules, odds.definition
    seat = position.find_seat(player)
    legal_bets = [
        action
        for tagged in (seat.wagers if seat else ())
        for action in legal_odds_bets(dealer, position, player, tagged)
        if action.spot and action.spot.kind == odds.kind
    ]
    refusal = None if legal_bets else dealer.verify(position, _smallest_odds_bet(rules, position, player, odds, seat))
    cite = tuple(dict.fromkeys((*definition.cite("def"), *definition.cite("returned"), *definition.cite("cap"))))
    return LayoutSpot(
        Spot(odds.kind),
        definition.area,
        definition.title,
        definition.short_name,
        tuple((str(number), str(payout.odds)) for number, payout in odds.payouts.items()),
        legal_bets[0].stake_range if legal_bets else None,
        None,
        refusal,
        is_working(rules, odds.kind, "", position.phase),
        definition.cite("def"),
        rules.book.silences_of(cite),
        tuple(_odds_bets_of_kind(rules, position, odds.kind)),
    )


def _odds_bets_of_kind(rules: TableRules, position: Position, kind: str) -> list[LayoutBet]:
    return [
        LayoutBet(seat.player, tag, bet.stake, bet.call, is_working(rules, kind, bet.call, position.phase), tagged.tag)
        for seat in position.seats
        for tagged in seat.wagers
        for tag, bet in zip(tagged.odds_tags, tagged.wager.odds_bets, strict=True)
        if bet.kind == kind
    ]


def _smallest_odds_bet(rules: TableRules, position: Position, player: str, odds: OddsRule, seat: Seat | None) -> Bet:
    """Return the smallest odds bet that could be made, to find out why it is refused."""
    bases = [tagged for tagged in (seat.wagers if seat else ()) if tagged.wager.spot.kind == odds.base_kind]
    step = rules.chip_unit
    if bases:
        number = rules.wager_rules[bases[-1].wager.spot].number_of(bases[-1].wager, position.phase)
        step = odds.stake_step(number) if number else step
    return Bet(player, Spot(odds.kind), Cents(min(step, MAX_STAKE_CENTS)), base_tag=bases[-1].tag if bases else None)
