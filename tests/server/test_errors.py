"""Errors of the API: all have one shape."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from support.running_server import RunningServer, http_client
from trueodds.server.errors import ApiError

DEEP = b"[" * 16_000
BODIES = [b"\xff\xfe", b"{", b'{"name": NaN}', b'{"name": "\\ud800"}', DEEP, b"1" * 5000, b"[1,]", b"{'name': 1}"]


@pytest.fixture(scope="module")
def table(server: RunningServer) -> str:
    with http_client(server, name="Owner") as client:
        return str(client.post("/api/tables", json={"book": "NJ"}).json()["id"])


def said(response: httpx.Response) -> tuple[int, str]:
    """Check the shape, and give status and code."""
    body = response.json()
    assert list(body) == ["error"]
    error = body["error"]
    assert isinstance(error["code"], str)
    assert isinstance(error["message"], str)
    assert error["message"]
    assert response.headers["content-type"] == "application/json"
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    return response.status_code, error["code"]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:20]))
def test_invalid_json(http: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert said(http.post("/api/guests", content=body, headers=headers)) == (400, "invalid_request")


@pytest.mark.parametrize(
    "body",
    [
        {}, [], "x", 3, None, {"name": 3}, {"name": ""}, {"name": " Ann"}, {"name": "x" * 41}, {"name": "a\x00b"},
        {"name": "Ann", "more": 1}, {"name": None}, {"name": ["Ann"]}, {"name": "\n"},
    ],
)  # fmt: skip
def test_invalid_bodies(http: httpx.Client, body: Any) -> None:
    assert said(http.post("/api/guests", json=body)) == (422, "invalid_request")


def test_form_data_and_missing_bodies(http: httpx.Client) -> None:
    assert said(http.post("/api/guests", data={"name": "Ann"})) == (400, "invalid_request")
    assert said(http.post("/api/guests")) == (422, "invalid_request")


@pytest.mark.parametrize("path", ["/nope", "/api", "/api/nope", "/api/tables/", "/docs", "/api/tables/a/b", "/%ff"])
def test_unknown_pages(http: httpx.Client, path: str) -> None:
    assert said(http.get(path))[0] in {404, 422}


@pytest.mark.parametrize(("method", "path"), [("PUT", "/api/me"), ("GET", "/api/guests"), ("PATCH", "/api/tables")])
def test_wrong_methods(http: httpx.Client, method: str, path: str) -> None:
    answer = http.request(method, path)
    assert said(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"]


def test_requests_without_a_cookie(http: httpx.Client, table: str) -> None:
    assert said(http.get("/api/me")) == (401, "not_logged_in")
    assert said(http.delete("/api/me")) == (401, "not_logged_in")
    assert said(http.post("/api/tables", json={"book": "NJ"})) == (401, "not_logged_in")
    assert said(http.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "roll"})) == (
        401,
        "not_logged_in",
    )


@pytest.mark.parametrize("path", ["", "/events", "/proofs"])
def test_unknown_tables(http: httpx.Client, path: str) -> None:
    assert said(http.get(f"/api/tables/nowhere{path}")) == (404, "no_such_table")
    assert said(http.get(f"/api/tables/no+where{path}")) == (422, "invalid_request")


@pytest.mark.parametrize("after", ["-1", "x", "1e9", str(2**60), "", "1.5"])
def test_invalid_sequence_numbers(http: httpx.Client, table: str, after: str) -> None:
    assert said(http.get(f"/api/tables/{table}/events", params={"after": after})) == (422, "invalid_request")


@pytest.mark.parametrize(
    ("house", "code", "clause"),
    [
        ({"book": "nowhere"}, "no_such_book", ""),
        ({"book": "NJ", "options": {"shoes": 1}}, "unknown_option", ""),
        ({"book": "NJ", "options": {"min_bet": "ten"}}, "malformed", ""),
        ({"book": "NJ", "options": {"vig_bp": 900}}, "vig_above_5pct", "N.J.A.C."),
        ({"book": "NJ", "options": {"paytable": {"field12": "1 to 2"}}}, None, "N.J.A.C."),
    ],
)
def test_forbidden_houses(server: RunningServer, house: dict[str, Any], code: str | None, clause: str) -> None:
    with http_client(server, name=f"House {code}") as http:
        answer = http.post("/api/tables", json=house)
        assert answer.status_code == 409
        status, found = said(answer)
        assert code in {None, found}
        assert clause in answer.json()["error"]["message"]
        assert any(clause in cite for cite in answer.json()["error"].get("cite", [])) or not clause
        http.delete("/api/me")
        assert status == 409


def test_refused_commands(server: RunningServer, table: str) -> None:
    with http_client(server, name="Wisher") as http:
        where = f"/api/tables/{table}/commands"
        assert said(http.post(where, json={"command": "roll"})) == (422, "invalid_request")
        assert said(http.post(where, json={"id": "a\x00", "command": "roll"})) == (422, "invalid_request")
        assert said(http.post(where, json={"id": "1", "command": "win"})) == (422, "invalid_command")
        assert said(http.post(where, json={"id": "2", "command": "roll"})) == (409, "not_at_table")
        assert said(http.post("/api/tables/nowhere/commands", json={"id": "2", "command": "roll"})) == (
            404,
            "no_such_table",
        )
        assert http.post(where, json={"id": "3", "command": "join", "cents": 1000}).json() == {
            "ok": True,
            "sequence": 4,
        }
        assert http.post(where, json={"id": "3", "command": "leave"}).json() == {"ok": True, "sequence": 4}
        poor = http.post(where, json={"id": "4", "command": "bet", "spot": "pass", "stake_cents": 2000})
        assert said(poor) == (409, "insufficient_funds")
        assert poor.json()["error"]["message"] == "You need $20 and have $10 in the rack"
        http.post(where, json={"id": "5", "command": "leave"})
        http.delete("/api/me")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Origin": "http://"},
        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"},
        {"Origin": "http://[evil"}, {"Origin": "file://{host}"},
    ],
    ids=str,
)  # fmt: skip
def test_requests_from_other_sites(server: RunningServer, headers: dict[str, str]) -> None:
    host = server.address.removeprefix("http://")
    given = {name: value.format(host=host) for name, value in headers.items()}
    with httpx.Client(base_url=server.address, headers=given, trust_env=False) as http:
        for path in ("/api/guests", "/api/logout", "/api/tables"):
            assert said(http.post(path, json={"name": "Eve"})) == (403, "wrong_origin")
        assert said(http.delete("/api/me")) == (403, "wrong_origin")
        assert http.get("/api/books").status_code == 200


def test_requests_from_own_pages(server: RunningServer) -> None:
    with httpx.Client(base_url=server.address, headers={"Sec-Fetch-Site": "same-origin"}, trust_env=False) as http:
        assert http.post("/api/logout").status_code == 204
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        assert said(http.post("/api/logout")) == (403, "wrong_origin")


def test_large_bodies_are_refused(http: httpx.Client) -> None:
    assert said(http.post("/api/guests", json={"name": "x" * 17_000})) == (413, "body_too_large")

    def parts() -> Iterator[bytes]:
        for _ in range(5):
            yield b" " * 4096

    assert said(http.post("/api/guests", content=parts())) == (413, "body_too_large")


def test_an_internal_error_hides_its_details(
    serve: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()

    def break_down() -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(server.journal, "headers", break_down)
    with http_client(server) as http:
        answer = http.get("/api/tables")
        assert said(answer) == (500, "internal_error")
        assert "42" not in answer.text


def test_health_check(http: httpx.Client, table: str) -> None:
    assert table
    assert http.get("/healthz").json() == {"ok": True}
    told = http.get("/metrics").text
    assert 'trueodds_requests_total{method="GET",route="/healthz",status="200"}' in told
    assert "trueodds_request_seconds_bucket" in told


def test_api_errors_pickle() -> None:
    error = ApiError(409, "table_full", "This table has 8 seats", field="bots")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  made here
    assert (copy.status, copy.body, str(copy)) == (error.status, error.body, str(error))
