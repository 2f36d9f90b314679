"""Routes for tables: lobby, new tables, snapshots, events, proofs and commands."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from trueodds.journal import JournalError, Person, ServiceEvent, TableHeader
from trueodds.journal.canonical_json import is_valid_id
from trueodds.journal.journal import StoredPosition
from trueodds.journal.table_header import TABLE_ID_PATTERN
from trueodds.rulebook import BookError, House, HouseError, load_book
from trueodds.server.app_state import AppState, cookie_client_key
from trueodds.server.bots import BotNames, add_bots
from trueodds.server.dependencies import OptionalPersonDep, PersonDep, StateDep, limit_signup_rate
from trueodds.server.display_names import check_display_name
from trueodds.server.errors import ApiError, refusal_error
from trueodds.server.event_view import EventView, view_events
from trueodds.server.loop_bridge import wait_for_result
from trueodds.server.pace_view import PaceRequest, pace_view
from trueodds.server.player_names import replace_ids
from trueodds.server.player_results import results_view
from trueodds.server.self_limit_routes import active_limits
from trueodds.server.table_access import invitation_only_event
from trueodds.server.table_snapshot import bet_limit, book_view, snapshot_view
from trueodds.service.live_table import LiveTable
from trueodds.service.table_status import TableStatus

router = APIRouter(prefix="/api/tables", tags=["tables"])

Json = dict[str, Any]
LOBBY_SIZE = 100
TableId = Annotated[str, Path(pattern=f"^{TABLE_ID_PATTERN.pattern}$")]
Invitation = Annotated[str | None, Query(max_length=64)]
After = Annotated[int, Query(ge=0, lt=2**53)]


class NewTableRequest(BaseModel):
    """A new table: its book, changed house options, whether it is public, bots and pace."""

    model_config = ConfigDict(extra="forbid")
    book: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(max_length=80), AfterValidator(check_display_name)] = ""
    options: dict[str, Any] = {}
    is_public: bool = True
    bots: BotNames = []
    pace: PaceRequest | None = None


class NewTableReply(BaseModel):
    """The id of a new table. A private table also has an invitation to share."""

    id: str
    invitation: str | None


class AcceptedCommand(BaseModel):
    """The reply to an accepted command. `sequence` is the number of the last event it caused."""

    ok: bool
    sequence: int


class EventPage(BaseModel):
    """Events in order. `has_more` means that there are later ones."""

    events: list[EventView]
    has_more: bool


@router.get("", response_model=list[Json], responses={304: {"description": "Unchanged since `If-None-Match`."}})
def list_tables(request: Request, state: StateDep) -> Response:
    """List the public tables, newest first. With `If-None-Match` an unchanged list is a 304."""
    response = JSONResponse(_lobby_entries(state))
    etag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers={"ETag": etag})
    response.headers["ETag"] = etag
    return response


def _lobby_entries(state: AppState) -> list[Json]:
    newest = (header for header in reversed(state.journal.headers()) if _is_listed(state, header))
    headers = list(islice(newest, LOBBY_SIZE))
    positions = state.journal.stored_positions([header.table_id for header in headers])
    return [_lobby_entry(state, header, positions[header.table_id]) for header in headers]


@router.post("", status_code=201, dependencies=[Depends(limit_signup_rate)])
async def create_table(body: NewTableRequest, _person: PersonDep, state: StateDep) -> NewTableReply:
    """Create a table. Options and bots that the book does not allow are refused with the clause."""
    house = await run_in_threadpool(_build_house, body)
    events: tuple[ServiceEvent, ...] = () if body.is_public else (invitation_only_event(),)
    if body.pace is not None:
        events += (body.pace.apply_to(state.table_manager.pace).to_event(),)
    if body.bots:
        events += await run_in_threadpool(add_bots, state, house, body.bots)
    table_id = await wait_for_result(state.table_manager.create_table(house, initial_events=events))
    return NewTableReply(id=table_id, invitation=None if body.is_public else state.table_access.invitation(table_id))


def check_access(table_id: TableId, person: OptionalPersonDep, state: StateDep, invitation: Invitation = None) -> str:
    """Return the table id, or raise a 403 error if the client may not enter the table."""
    state.table_access.check_access(table_id, invitation, person.person_id if person else None)
    return table_id


TableDep = Annotated[str, Depends(check_access)]


@router.get("/{table_id}")
async def get_table(table_id: TableDep, person: OptionalPersonDep, state: StateDep) -> Json:
    """Return a snapshot of a table: header, position, racks, players, layout, legal actions and the current roll."""
    status = await wait_for_result(state.table_manager.table_status(table_id))
    return await run_in_threadpool(_table_view, state, status, person.person_id if person else None)


@router.get("/{table_id}/events")
def list_events(
    table_id: TableDep, state: StateDep, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 500
) -> EventPage:  # fmt: skip
    """List the events after a sequence number."""
    events = state.journal.events(table_id, after, limit + 1)
    views = view_events(events[:limit], state.player_names, state.currencies)
    return EventPage(events=views, has_more=len(events) > limit)


@router.get("/{table_id}/proofs")
def list_proofs(
    table_id: TableDep, state: StateDep, after: After = 0, limit: Annotated[int, Query(ge=1, le=500)] = 500
) -> list[Json]:  # fmt: skip
    """List the proofs of the rolls after a roll number. `trueodds verify` reads this reply."""
    events = state.journal.events_of_kind(table_id, "secret_revealed", after, limit)
    return [json.loads(event.body)["proof"] for event in events]


@router.post("/{table_id}/commands")
async def post_command(
    table_id: TableDep, person: PersonDep, state: StateDep, body: Annotated[Json, Body()]
) -> AcceptedCommand:  # fmt: skip
    """Send a command under an id that the client chose. A command sent twice runs once and gets the same reply."""
    state.check_command_rate(cookie_client_key(person.person_id, person.sign_out_count))
    reply = await run_command(state, table_id, person, body)
    if not reply["ok"]:
        raise refusal_error(reply["error"])
    return AcceptedCommand(ok=True, sequence=reply["sequence"])


async def run_command(state: AppState, table_id: str, person: Person, data: Json) -> Json:
    """Run a command from HTTP or a socket and return the reply. The person's limits are checked."""
    fields = dict(data)
    command_id = fields.pop("id", None)
    if not is_valid_id(command_id):
        raise ApiError(422, "invalid_request", "id: a command must have an id, a short text chosen by the client")
    pending = state.table_manager.submit(table_id, person.person_id, str(command_id), fields, active_limits(person))
    reply = (await wait_for_result(pending)).copy()
    state.metrics.commands.labels("accepted" if reply["ok"] else reply["error"]["code"]).inc()
    if not reply["ok"]:
        message = reply["error"]["message"]
        names = await run_in_threadpool(state.player_names.look_up_in, message)
        reply["error"] = reply["error"] | {"message": replace_ids(message, names)}
    return reply


def _table_view(state: AppState, status: TableStatus, viewer: str | None) -> Json:
    live_table = status.table
    header = live_table.state.header
    is_public = state.table_access.is_public(header.table_id)
    invitation = None if is_public else state.table_access.invitation(header.table_id)
    snapshot = snapshot_view(live_table, state.dealers.get(header), viewer, state.player_names)
    access = {"is_public": is_public, "invitation": invitation}
    return snapshot | pace_view(status) | access | _results(state, live_table, viewer)


def _results(state: AppState, live_table: LiveTable, viewer: str | None) -> Json:
    """Return the full results of the viewer, and brief results of every seated player."""
    seated = [seat.player for seat in live_table.state.position.seats]
    players = {*seated, *([] if viewer is None else [viewer])}
    totals = state.journal.player_totals.at_table(live_table.state, players, state.settings.clock())
    return {
        "results": None if viewer is None else results_view(totals[viewer]).model_dump(),
        "player_results": {
            player: {"net_cents": totals[player].net_cents, "seated_ms": totals[player].seated_ms} for player in seated
        },
    }


def _is_listed(state: AppState, header: TableHeader) -> bool:
    """Return whether a table is public and this version can read it."""
    try:
        header.check_schema()
        load_book(header.book_id)
    except (JournalError, BookError):
        return False
    return state.table_access.is_public(header.table_id)


def _lobby_entry(state: AppState, header: TableHeader, stored: StoredPosition) -> Json:
    """Return the lobby entry of a table."""
    house, position = json.loads(header.house_json), json.loads(stored.position_json)
    names = state.player_names.look_up(seat["player"] for seat in position.get("seats", ()))
    return {
        "id": header.table_id,
        "book": book_view(load_book(header.book_id)),
        "house": house["name"],
        "currency": house["currency"],
        "min_bet": bet_limit(house["options"].get("min_bet")),
        "max_bet": bet_limit(house["options"].get("max_bet")),
        "created_ms": header.created_ms,
        "players": list(names.values()),
        "point": position.get("puck"),
        "sequence": stored.sequence,
    }


def _build_house(body: NewTableRequest) -> House:
    try:
        return House(load_book(body.book), body.options, name=body.name)
    except BookError as error:
        raise ApiError(409, "no_such_book", str(error)) from None
    except HouseError as error:
        raise ApiError(409, error.code, str(error), field=error.where, cite=list(error.cite)) from None
