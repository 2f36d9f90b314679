"""`odds`: the exact odds of the wagers that a caller names."""

from __future__ import annotations

from collections.abc import Iterator

from trueodds.money import Cents, Dollars, parse_dollars
from trueodds.rulebook import Book, BookError, House, Spot, as_house
from trueodds.table import Refused
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances
from trueodds.wager_odds.exact_odds import WagerOdds, offered_spots, resolving_dealer, wager_odds
from trueodds.wager_odds.odds_bets import iter_odds_bets, odds_by_point


def odds(
    house: House | Book | str,
    wager: Spot | str | None = None,
    *,
    stake: Dollars | None = None,
    dice: DiceChances = FAIR_DICE,
    full_odds: bool = False,
) -> tuple[WagerOdds, ...]:
    """Return the exact odds of a spot ("place:6"), of a kind of wager ("place"), or of all wagers of a house.

    `house` may be the name of a book, which stands for its default house. `stake` is in dollars; by default it is one
    that is paid without rounding. With a stake, only wagers that the house takes at that stake are returned. With
    `full_odds`, only wagers that can have odds are returned, each with the maximum odds that the house allows. A kind
    of odds bet ("pass_odds") returns the maximum odds, or those of the stake, for each point.

    Raise UnknownWagerError if the book has no such wager, BookError if the house does not offer it, MoneyError if the
    stake is not a positive number of cents, and Refused if the house refuses the stake for every wager that was asked
    for.

    >>> [str(each.edge) for each in odds("new_jersey", "pass", full_odds=True)]
    ['-7/1870']
    """
    stake_cents = None if stake is None else parse_dollars(stake, "stake")
    house = as_house(house)
    found, refused = [], list[Refused]()
    for result in iter_odds(house, wager, stake_cents, dice, full_odds=full_odds):
        if isinstance(result, Refused):
            refused.append(result)
        else:
            found.append(result)
    if not found and refused:
        raise refused[0]
    return tuple(found)


def iter_odds(
    house: House,
    wager: Spot | str | None,
    stake_cents: Cents | None,
    dice: DiceChances = FAIR_DICE,
    *,
    full_odds: bool = False,
) -> Iterator[WagerOdds | Refused]:
    """Yield what `odds` returns, and the refusal of each wager that the house does not take at the stake."""
    wanted = None if wager is None else _find_spot(house.book, wager)
    rules = resolving_dealer(house).rules
    if wanted is not None and not full_odds and wanted.kind in rules.odds_rules:
        if not rules.odds_rules[wanted.kind].availability.offered:
            raise BookError(house.book.id, f"{house.name} offers no wager called {wanted}")
        numbers = sorted(rules.odds_rules[wanted.kind].payouts)
        if wanted.pick and wanted.pick[0] not in numbers:
            raise BookError(house.book.id, f"{house.name} offers no wager called {wanted}")
        by_point = (
            odds_by_point(house, wanted.kind, dice).items()
            if stake_cents is None
            else zip(numbers, iter_odds_bets(house, wanted.kind, stake_cents, dice), strict=True)
        )
        yield from (result for number, result in by_point if wanted.pick in {(), (number,)})
        return
    for spot in _find_spots(house, wanted, full_odds=full_odds):
        try:
            yield wager_odds(house, spot, stake_cents, dice, full_odds=full_odds)
        except Refused as refused:
            yield refused


def _find_spots(house: House, wanted: Spot | None, *, full_odds: bool) -> list[Spot]:
    """Return the spots of a wager, or of all wagers. Raise BookError if a wager was named and there is none."""
    spots = offered_spots(house, None if wanted is None else wanted.kind)
    if wanted is not None and wanted.pick:
        spots = [spot for spot in spots if spot == wanted]
    if full_odds:
        odds_rules = resolving_dealer(house).rules.odds_rules
        base_kinds = {rule.base_kind for rule in odds_rules.values() if rule.availability.offered}
        spots = [spot for spot in spots if spot.kind in base_kinds]
    if not spots and wanted is not None:
        with_odds = " with odds" if full_odds else ""
        raise BookError(house.book.id, f"{house.name} offers no wager called {wanted}{with_odds}")
    return spots


def _find_spot(book: Book, wager: Spot | str) -> Spot:
    """Return a spot from its text, or the kind of a wager (a spot without a pick) from any of its names."""
    if isinstance(wager, Spot):
        book.find_wager(wager.kind)
        return wager
    kind = book.find_wager(wager).kind
    return Spot.parse(wager) if ":" in wager else Spot(kind)
