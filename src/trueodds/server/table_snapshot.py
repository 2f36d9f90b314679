"""A complete snapshot of a table as one viewer sees it. A client needs no rules of craps to draw it."""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import Any, Final

from trueodds.journal import TableHeader, encode_position
from trueodds.rulebook import Book, House, plain_value
from trueodds.server.dice_icons import dice_icons
from trueodds.server.player_names import PlayerNames
from trueodds.service.live_table import LiveTable
from trueodds.table import CachedDealer, Dealer, Position, Refusal
from trueodds.table.layout import LayoutBet, LayoutSpot, build_layout
from trueodds.table.legal_actions import LegalAction, StakeRange, list_legal_actions
from trueodds.wagers import TableRules

NO_PLAYER: Final = "nobody"
"""The player of a viewer who is not logged in. No real player has this id."""

View = dict[str, Any]
_MAX_CACHED: Final = 64


class DealerCache:
    """One dealer per house for drawing layouts. The table manager has its own dealers."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._dealers: OrderedDict[str, Dealer] = OrderedDict()

    def get(self, header: TableHeader) -> Dealer:
        """Return the dealer of a table's house."""
        with self._lock:
            dealer = self._dealers.pop(header.house_digest, None) or CachedDealer(TableRules(header.load_house()))
            self._dealers[header.house_digest] = dealer
            if len(self._dealers) > _MAX_CACHED:
                self._dealers.popitem(last=False)
            return dealer


def snapshot_view(live_table: LiveTable, dealer: Dealer, viewer: str | None, names: PlayerNames) -> View:
    """Return the snapshot of a table. `viewer` is None for a viewer who is not logged in."""
    position, player = live_table.state.position, viewer or NO_PLAYER
    players = [seat.player for seat in position.seats]
    lock = live_table.fair_roll.lock
    return {
        **header_view(live_table.state.header, dealer.rules.house),
        "sequence": live_table.state.sequence,
        "position": json.loads(encode_position(position)),
        "racks": {seated: live_table.rack_cents(seated) for seated in players},
        "names": names.look_up(players),
        "bots": [bot.player for bot in live_table.bots],
        "departing": sorted(live_table.departing),
        "you": viewer,
        "is_seated": viewer in players,
        "roll": {
            "number": live_table.fair_roll.number,
            "committed": list(live_table.fair_roll.seats),
            "missing": list(live_table.fair_roll.missing) if lock else [],
            "lock": None if lock is None else lock.to_data(),
        },
        "layout": layout_view(dealer, live_table, player),
        "legal_actions": [legal_action_view(action) for action in list_legal_actions(dealer, position, player)],
    }


def header_view(header: TableHeader, house: House) -> View:
    """Return the fixed facts of a table: book, house, limits."""
    return {
        "id": header.table_id,
        "book": book_view(house.book),
        "house": {"name": house.name, "digest": house.digest, "options": options_view(house)},
        "currency": house.currency,
        "min_bet": house.get("min_bet"),
        "max_bet": house.get("max_bet"),
        "created_ms": header.created_ms,
    }


def book_view(book: Book) -> dict[str, str]:
    """Return id, code and title of a book."""
    return {"id": book.id, "code": book.code, "title": book.title}


def bet_limit(value: int | str | None) -> int | None:
    """Return a bet limit in cents, or None if there is none."""
    return value if isinstance(value, int) else None


def options_view(house: House) -> View:
    """Return every house option as a house file writes it."""
    return {name: plain_value(value) for name, value in house.options.items()}


def layout_view(dealer: Dealer, live_table: LiveTable, player: str) -> View:
    """Return the layout as a player sees it."""
    layout = build_layout(dealer, live_table.state.position, player)
    return {
        "point": layout.point,
        "hand_stage": layout.hand_stage,
        "markers": layout.markers._asdict(),
        "spots": [spot_view(dealer, spot) for spot in layout.spots],
    }


def spots_view(dealer: Dealer, position: Position, player: str) -> list[View]:
    """Return every spot as a player sees it."""
    return [spot_view(dealer, spot) for spot in build_layout(dealer, position, player).spots]


def legal_action_view(action: LegalAction) -> View:
    """Return the view of a legal action."""
    return {
        "verb": action.verb,
        "name": action.name,
        "spot": None if action.spot is None else str(action.spot),
        "tag": action.tag,
        "base_tag": action.base_tag,
        "stake_range": _stake_range_view(action.stake_range),
    }


def spot_view(dealer: Dealer, spot: LayoutSpot) -> View:
    """Return the view of one spot of the layout."""
    refusal, icons, rule = spot.refusal, dice_icons(dealer, spot.spot), dealer.rules.wager_rules.get(spot.spot)
    return {
        "spot": str(spot.spot),
        "area": spot.area,
        "title": spot.title,
        "name": spot.name,
        "pays": [list(pay) for pay in spot.pays],
        "stake_range": _stake_range_view(spot.stake_range),
        "max_cents": spot.max_cents,
        "refusal": None if refusal is None else _refusal_view(refusal),
        "working": spot.working,
        "cite": list(spot.cite),
        "silences": [silence.id for silence in spot.silences],
        "winning_dice": [list(roll) for roll in icons.wins],
        "barred_dice": [list(roll) for roll in icons.barred],
        "is_split": rule is not None and bool(rule.breakdown),
        "bet_spot": _bet_spot(dealer, spot),
        "collects": [] if rule is None else list(rule.collected_numbers),
        "bets": [bet_view(dealer, spot, bet) for bet in spot.bets],
    }


def bet_view(dealer: Dealer, spot: LayoutSpot, bet: LayoutBet) -> View:
    """Return the view of a bet on a spot. `bet_spot` is the spot where it was made."""
    return bet._asdict() | {"marks": list(bet.marks), "bet_spot": _bet_spot(dealer, spot)}


def _refusal_view(refusal: Refusal) -> View:
    return {"code": refusal.code, "message": refusal.sentence, "cite": list(refusal.cite)}


def _bet_spot(dealer: Dealer, spot: LayoutSpot) -> str:
    rule = dealer.rules.wager_rules.get(spot.spot)
    return str(spot.spot if rule is None else rule.betting_spot(spot.spot))


def _stake_range_view(stake_range: StakeRange | None) -> View | None:
    return None if stake_range is None else stake_range._asdict()
