"""The part of a table that changes, as one viewer sees it. The layout itself is sent once, in the snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trueodds.rulebook import Citation
from trueodds.server.app_state import AppState
from trueodds.server.pace_view import pace_view
from trueodds.server.player_names import PlayerNames
from trueodds.server.player_results import results_view
from trueodds.server.table_snapshot import NO_PLAYER, View, bet_view, legal_action_view
from trueodds.service.errors import NOT_AT_TABLE
from trueodds.service.live_table import LiveTable
from trueodds.service.roll_permission import give_dice, no_roll_reason
from trueodds.service.table_status import TableStatus
from trueodds.table import Dealer, Position
from trueodds.table.layout import LayoutSpot, build_layout
from trueodds.table.legal_actions import list_legal_actions


def live_view(state: AppState, status: TableStatus, viewer: str | None) -> View:
    """Return the live view of a table: position, pace, and the results of the viewer."""
    live_table = status.table
    header = live_table.state.header
    view = build_view(live_table, state.dealers.get(header), viewer, state.player_names) | pace_view(status)
    if viewer is None:
        return view | {"results": None}
    totals = state.journal.player_totals.at_table(live_table.state, {viewer}, state.settings.clock())
    return view | {"results": results_view(totals[viewer]).model_dump()}


def build_view(live_table: LiveTable, dealer: Dealer, viewer: str | None, names: PlayerNames) -> View:
    """Return what a page redraws after every event. Spots that are closed for the same reason are grouped."""
    position, player = live_table.state.position, viewer or NO_PLAYER
    layout = build_layout(dealer, position, player)
    custody = position.custody
    players = [seat.player for seat in position.seats]
    known_names = names.look_up(players)
    roll_refusal = _roll_refusal(dealer, position, player, known_names)
    return {
        "sequence": live_table.state.sequence,
        "point": layout.point,
        "hand_stage": layout.hand_stage,
        "markers": layout.markers._asdict(),
        "shooter": custody.shooter if custody else None,
        "offered_to": custody.offered_to if custody else None,
        "come_bets_only": custody is not None and custody.mode == "come_settlement",
        "seats": [
            {
                "player": seat.player,
                "name": known_names.get(seat.player, ""),
                "rack_cents": live_table.rack_cents(seat.player),
                "layout_cents": sum(tagged.wager.total_stake for tagged in seat.wagers),
                "is_seated": seat.seated,
                "is_departing": seat.player in live_table.departing,
                "is_bot": live_table.bot_of(seat.player) is not None,
            }
            for seat in position.seats
        ],
        "roll_number": live_table.fair_roll.number,
        "is_locked": live_table.fair_roll.lock is not None,
        "you": viewer,
        "is_seated": viewer in players,
        "can_roll": roll_refusal is None,
        "roll_refusal": roll_refusal,
        "bets": [{"spot": str(spot.spot)} | bet_view(dealer, spot, bet) for spot in layout.spots for bet in spot.bets],
        "off_spots": [str(spot.spot) for spot in layout.spots if not spot.working],
        "closed_spots": _closed_spots(layout.spots),
        "free_stakes": _free_stakes(layout.spots),
        "legal_actions": [
            legal_action_view(action)
            for action in list_legal_actions(dealer, position, player)
            if action.verb != "bet" or action.base_tag is not None
        ],
    }


_SHORT_REASONS: Final = {"no_line_bet": "make a line bet first"}
"""Why a roll would not count, in words short enough for a button."""


def _roll_refusal(dealer: Dealer, position: Position, player: str, names: Mapping[str, str]) -> View | None:
    """Return why a player may not roll now, or None. Rolling also accepts dice that are offered to the player."""
    custody = position.custody
    if position.find_seat(player) is None:
        return _refusal_view(*NOT_AT_TABLE)
    if custody is not None:
        if custody.shooter not in (None, player):
            return _refusal_view("wrong_shooter", f"{names.get(custody.shooter or '', 'another')} has the dice")
        if custody.offered_to not in (None, player):
            name = names.get(custody.offered_to or "", "another")
            return _refusal_view("wrong_shooter", f"the dice are offered to {name}")
    no_roll = no_roll_reason(dealer, give_dice(position, player), player)
    if no_roll is None:
        return None
    message = _SHORT_REASONS.get(no_roll.reason, no_roll.reason.replace("_", " "))
    return _refusal_view(no_roll.reason, message, no_roll.cite)


def _refusal_view(code: str, message: str, cite: Citation = ()) -> View:
    return {"code": code, "message": message, "cite": list(cite)}


def _free_stakes(spots: tuple[LayoutSpot, ...]) -> dict[str, int]:
    """Return the largest stakes that the viewer's own bets leave free, for the spots where they count."""
    return {
        str(spot.spot): spot.stake_range.max_cents
        for spot in spots
        if spot.stake_range and spot.stake_range.max_cents is not None and spot.max_cents is not None
        if spot.stake_range.max_cents < spot.max_cents
    }


def _closed_spots(spots: tuple[LayoutSpot, ...]) -> list[View]:
    """Return the reasons why spots are closed for the viewer, each with its spots."""
    spots_by_reason: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for spot in spots:
        refusal = spot.refusal
        if refusal is not None:
            reason = (refusal.code, refusal.sentence, tuple(refusal.cite))
            spots_by_reason.setdefault(reason, []).append(str(spot.spot))
    return [
        {"code": code, "message": message, "cite": list(cite), "spots": closed}
        for (code, message, cite), closed in spots_by_reason.items()
    ]
