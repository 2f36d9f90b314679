"""The TypeScript interfaces of the page have only fields that the server sends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import WebSocket, expect

from support.browser_user import BrowserUser, NewUser
from support.page_server import PageServer

SOURCES = Path(__file__).parents[2] / "frontend" / "src"
FILES = (
    "lib/serverTypes",
    "lib/account",
    "lib/drill",
    "lib/houseOptions",
    "lib/lobby",
    "lib/oddsCache",
    "fair/parseProof",
)
INTERFACE = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
REQUIRED_FIELD = re.compile(r"^  (\w+):", re.MULTILINE)


def required_fields() -> dict[str, set[str]]:
    """Return the required fields of every exported interface, with those it inherits."""
    fields: dict[str, set[str]] = {}
    for file in FILES:
        for name, base, body in INTERFACE.findall((SOURCES / f"{file}.ts").read_text("utf-8")):
            fields[name] = set(REQUIRED_FIELD.findall(body)) | fields.get(base, set())
    return fields


def play_roll(user: BrowserUser, page_server: PageServer, table: str) -> dict[str, Any]:
    """Roll once with a pass and a field bet, and return the last view and the events that the page received."""
    frames: list[dict[str, Any]] = []

    def record(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(json.loads(data)))

    user.page.on("websocket", record)
    page_server.next_rolls(table, "4-4")
    user.join(table)
    for spot in ("pass", "field"):
        user.bet(spot, 2500)
        expect(user.page.locator(f'[data-chip-spot="{spot}"]')).to_have_count(1)
    user.roll(table)
    views = [frame["view"] for frame in frames if "view" in frame]
    events = [frame["event"] for frame in frames if "event" in frame]
    return {"view": next(view for view in reversed(views) if view["bets"]), "events": events}


def test_interfaces_match_the_server(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = new_user("Ann"), page_server.open_table()
    received = play_roll(ann, page_server, table)
    view, (rolled,) = received["view"], [event for event in received["events"] if event["kind"] == "rolled"]

    def get(path: str) -> Any:
        return ann.page.evaluate("(path) => fetch(path).then((response) => response.json())", path)

    info, book = get(f"/api/tables/{table}"), get("/api/books/new_jersey")
    option = next(option for option in book["options"] if option["form"]["fields"])
    choices = [choice for option in book["options"] for choice in option["form"]["choices"]]
    odds, results, limits = get(f"/api/tables/{table}/odds?spot=pass"), get("/api/me/results"), get("/api/me/limits")
    exercise, (proof,) = get("/api/drill?book=new_jersey&level=1&number=7"), get(f"/api/tables/{table}/proofs")
    graded = ann.post("/api/drill", book="new_jersey", level=1, number=7, answers={})
    samples = {
        "TableInfo": info, "Spot": info["layout"]["spots"][0], "StakeRange": info["layout"]["spots"][0]["stake_range"],
        "TableView": view, "Seat": view["seats"][0], "PlacedBet": view["bets"][0], "Refusal": view["closed_spots"][0],
        "LegalAction": view["legal_actions"][0], "PlayerResults": view["results"],
        "TableEvent": rolled, "SettledWager": rolled["body"]["settled"][0],
        "Settlement": rolled["body"]["settled"][0]["settlement"],
        "User": get("/api/me"), "ErrorBody": get("/api/tables/nowhere")["error"],
        "AccountResults": results, "Limits": limits, "Limit": limits["loss_cents"],
        "BookSummary": get("/api/books")[0], "BookDetails": book, "HouseOption": option, "InputType": option["form"],
        "InputField": option["form"]["fields"][0], "InputChoice": choices[0], "OpenTable": get("/api/tables")[0],
        "SpotOdds": odds, "WagerFigures": odds["odds"][0], "Share": odds["odds"][0]["edge"],
        "Silence": get("/api/books/new_jersey/silences")[0],
        "Exercise": exercise, "GradedSheet": graded, "GradedWager": graded["wagers"][0],
        "Proof": proof, "Lock": proof["lock"], "Commitment": proof["lock"]["commitments"][0],
        "Opening": proof["openings"][0],
    }  # fmt: skip
    fields = required_fields()
    missing = {name: fields[name] - set(sample) for name, sample in samples.items()}
    assert {name: names for name, names in missing.items() if names} == {}
    page_only = {"OptionGroup", "AnswerDraft", "AnswerSheet", "Score", "EventBody"}
    assert set(fields) - set(samples) == page_only, "interfaces without a sample"
    assert set(results["tables"][0]) >= {"table_id", "currency"} | fields["PlayerResults"]
    assert set(results["last_24_hours"]) >= {"bought_in_cents", "cashed_out_cents", "net_cents", "seated_ms"}
    assert set(limits["remaining"]) >= {"bet_cents", "buy_in_cents", "time_ms"}
