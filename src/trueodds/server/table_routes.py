"""Tables over HTTP: the lobby, opening one, looking at one, wishing, rows and proofs."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from trueodds.journal import Header, JournalError, Person, Record
from trueodds.journal.encoding import is_name
from trueodds.journal.header import TABLE_ID
from trueodds.journal.journal import Glance
from trueodds.rulebook import BookError, House, HouseError, load_book
from trueodds.server.clock import PaceGiven, clock_view
from trueodds.server.company import BotNames, hire_all
from trueodds.server.desk import Asker, AtDesk, Desk, Json, Known, at_the_door, client_name, kept
from trueodds.server.errors import ApiError, refusal
from trueodds.server.events import EventView, view_rows
from trueodds.server.invitation import by_invitation
from trueodds.server.legible import check_legible
from trueodds.server.limits import limits_of
from trueodds.server.names import put_names
from trueodds.server.snapshot import book_view, draw_snapshot, limit_view
from trueodds.server.standing import standing_view
from trueodds.service.box import Box
from trueodds.service.look import Look

router = APIRouter(prefix="/api/tables", tags=["tables"])

LOBBY = 100
TableId = Annotated[str, Path(pattern=f"^{TABLE_ID.pattern}$")]
Invitation = Annotated[str | None, Query(max_length=64)]
After = Annotated[int, Query(ge=0, lt=2**53)]


class NewTable(BaseModel):
    """A table to be opened: a book, what its house changes, whether anybody may come, bots for company, a pace."""

    model_config = ConfigDict(extra="forbid")
    book: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(max_length=80), AfterValidator(check_legible)] = ""
    options: dict[str, Any] = {}
    open: bool = True
    bots: BotNames = []
    pace: PaceGiven | None = None


class Opened(BaseModel):
    """A new table; one that is not open has an invitation to pass on."""

    id: str
    invitation: str | None


class Granted(BaseModel):
    """A wish that was granted; what happened is told up to row `sequence`."""

    ok: bool
    sequence: int


class Rows(BaseModel):
    """Rows in order; `more` says that there are further ones."""

    rows: list[EventView]
    more: bool


@router.get("", response_model=list[Json], responses={304: {"description": "As it was under `If-None-Match`."}})
def lobby(request: Request, desk: AtDesk) -> Response:
    """List the open tables, the newest first. A page that asks again and again is told only what changed."""
    listed = JSONResponse(_lobby(desk))
    etag = f'"{hashlib.sha256(listed.body).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers={"ETag": etag})
    listed.headers["ETag"] = etag
    return listed


def _lobby(desk: Desk) -> list[Json]:
    newest = (header for header in reversed(desk.journal.tables()) if _is_offered(desk, header))
    headers = list(islice(newest, LOBBY))
    stand = desk.journal.glance([header.table_id for header in headers])
    return [_lobby_view(desk, header, stand[header.table_id]) for header in headers]


@router.post("", status_code=201, dependencies=[Depends(at_the_door)])
async def open_table(given: NewTable, _asker: Known, desk: AtDesk) -> Opened:
    """Open a table. A house that its book does not allow is refused with the clause, and so is a bot."""
    house = await run_in_threadpool(_house, given)
    notes: tuple[Record, ...] = () if given.open else (by_invitation(),)
    if given.pace is not None:
        notes += (given.pace.over(desk.floor.pace).to_record(),)
    if given.bots:
        notes += await run_in_threadpool(hire_all, desk, house, given.bots)
    table_id = await kept(desk.floor.create(house, notes=notes))
    return Opened(id=table_id, invitation=None if given.open else desk.doors.invitation(table_id))


def let_in(table_id: TableId, asker: Asker, desk: AtDesk, invitation: Invitation = None) -> str:
    """Refuse those who may not come to a table."""
    desk.doors.let_in(table_id, invitation, asker.person_id if asker else None)
    return table_id


AtTable = Annotated[str, Depends(let_in)]


@router.get("/{table_id}")
async def look(table: AtTable, asker: Asker, desk: AtDesk) -> Json:
    """Draw a table as the asker sees it: header, position, racks, players, layout, choices, the roll on its way."""
    seen = await kept(desk.floor.look(table))
    return await run_in_threadpool(_snapshot, desk, seen, asker.person_id if asker else None)


@router.get("/{table_id}/rows")
def rows(
    table: AtTable, desk: AtDesk, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 500
) -> Rows:  # fmt: skip
    """Read the log of a table after a number."""
    found = desk.journal.rows(table, after, limit + 1)
    return Rows(rows=view_rows(found[:limit], desk.names, desk.currencies), more=len(found) > limit)


@router.get("/{table_id}/proofs")
def proofs(
    table: AtTable, desk: AtDesk, after: After = 0, limit: Annotated[int, Query(ge=1, le=500)] = 500
) -> list[Json]:  # fmt: skip
    """Read the proofs of the rolls after a number of a roll: `trueodds verify` reads this as it is."""
    found = desk.journal.rows_of(table, "revealed", after, limit)
    return [json.loads(row.body)["proof"] for row in found]


@router.post("/{table_id}/wishes")
async def wish(table: AtTable, asker: Known, desk: AtDesk, given: Annotated[Json, Body()]) -> Granted:
    """Wish for something under an id that the client made; asked twice, it is done once and answered the same."""
    desk.take_wish(client_name(asker.person_id, asker.epoch))
    answer = await ask(desk, table, asker, given)
    if not answer["ok"]:
        raise refusal(answer["error"])
    return Granted(ok=True, sequence=answer["sequence"])


async def ask(desk: Desk, table_id: str, person: Person, given: Json) -> Json:
    """Ask the floor, whichever way the wish came; whoever asks is held to their limits as they are now."""
    data = dict(given)
    command_id = data.pop("id", None)
    if not is_name(command_id):
        raise ApiError(422, "malformed", "a wish has an id, which is a short text made by the client")
    told = await kept(desk.floor.ask(table_id, person.person_id, str(command_id), data, limits_of(person)))
    answer = dict(told)
    desk.metrics.wishes.labels("granted" if answer["ok"] else answer["error"]["code"]).inc()
    if not answer["ok"]:
        sentence = answer["error"]["sentence"]
        names = await run_in_threadpool(desk.names.within, sentence)
        answer["error"] = answer["error"] | {"sentence": put_names(sentence, names)}
    return answer


def _snapshot(desk: Desk, seen: Look, asker: str | None) -> Json:
    box = seen.box
    dealer = desk.dealers.of(box.table.header)
    table_id = box.table.header.table_id
    is_open = desk.doors.is_open(table_id)
    drawn = draw_snapshot(box, dealer, asker, desk.names) | clock_view(seen)
    doors = {"open": is_open, "invitation": None if is_open else desk.doors.invitation(table_id)}
    return drawn | doors | _standings(desk, box, asker)


def _standings(desk: Desk, box: Box, asker: str | None) -> Json:
    """Say how the asker stands at a table, in full, and in short how everybody does who has a seat."""
    seated = [seat.player for seat in box.table.position.seats]
    who = {*seated, *([] if asker is None else [asker])}
    found = desk.journal.standings.at_table(box.table, who, desk.settings.clock())
    return {
        "standing": None if asker is None else standing_view(found[asker]).model_dump(),
        "standings": {
            player: {"net_cents": found[player].net_cents, "seated_ms": found[player].seated_ms} for player in seated
        },
    }


def _is_offered(desk: Desk, header: Header) -> bool:
    """Tell whether anybody may come to a table, and this edition can read it."""
    try:
        header.check_schema()
        load_book(header.book_id)
    except (JournalError, BookError):
        return False
    return desk.doors.is_open(header.table_id)


def _lobby_view(desk: Desk, header: Header, stands: Glance) -> Json:
    """Say what there is to know before one goes there."""
    house, position = json.loads(header.house), json.loads(stands.position)
    return {
        "id": header.table_id,
        "book": book_view(load_book(header.book_id)),
        "house": house["name"],
        "currency": house["currency"],
        "min_bet": limit_view(house["options"].get("min_bet")),
        "max_bet": limit_view(house["options"].get("max_bet")),
        "created_ms": header.created_ms,
        "players": list(desk.names.of(seat["player"] for seat in position.get("seats", ())).values()),
        "point": position.get("puck"),
        "sequence": stands.sequence,
    }


def _house(given: NewTable) -> House:
    try:
        return House(load_book(given.book), given.options, name=given.name)
    except BookError as error:
        raise ApiError(409, "no_such_book", str(error)) from None
    except HouseError as error:
        raise ApiError(409, error.code, str(error), where=error.where, cite=list(error.cite)) from None
