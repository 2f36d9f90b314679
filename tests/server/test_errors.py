"""Every kind of no, in one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from running_server import Running, asking

DEEP = b"[" * 16_000
BODIES = [b"\xff\xfe", b"{", b'{"name": NaN}', b'{"name": "\\ud800"}', DEEP, b"1" * 5000, b"[1,]", b"{'name': 1}"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("errors")
    running = Running(f"sqlite:///{folder / 'server.db'}")
    yield running
    running.stop()


@pytest.fixture
def http(server: Running) -> Iterator[httpx.Client]:
    with asking(server) as client:
        yield client


@pytest.fixture(scope="module")
def table(server: Running) -> str:
    with asking(server, name="Owner") as client:
        return str(client.post("/api/tables", json={"book": "NJ"}).json()["id"])


def said(response: httpx.Response) -> tuple[int, str]:
    """Check the shape, and give status and code."""
    body = response.json()
    assert list(body) == ["error"]
    error = body["error"]
    assert isinstance(error["code"], str)
    assert isinstance(error["sentence"], str)
    assert error["sentence"]
    assert response.headers["content-type"] == "application/json"
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    return response.status_code, error["code"]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:20]))
def test_bodies_that_are_no_json(http: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert said(http.post("/api/guests", content=body, headers=headers)) == (400, "malformed")


@pytest.mark.parametrize(
    "body",
    [
        {}, [], "x", 3, None, {"name": 3}, {"name": ""}, {"name": " Ann"}, {"name": "x" * 41}, {"name": "a\x00b"},
        {"name": "Ann", "more": 1}, {"name": None}, {"name": ["Ann"]}, {"name": "\n"},
    ],
)  # fmt: skip
def test_bodies_that_do_not_belong_here(http: httpx.Client, body: Any) -> None:
    assert said(http.post("/api/guests", json=body)) == (422, "malformed")


def test_a_body_of_another_kind(http: httpx.Client) -> None:
    assert said(http.post("/api/guests", data={"name": "Ann"})) == (400, "malformed")
    assert said(http.post("/api/guests")) == (422, "malformed")


@pytest.mark.parametrize("path", ["/nope", "/api", "/api/nope", "/api/tables/", "/docs", "/api/tables/a/b", "/%ff"])
def test_pages_that_are_not_there(http: httpx.Client, path: str) -> None:
    assert said(http.get(path))[0] in {404, 422}


@pytest.mark.parametrize(("method", "path"), [("PUT", "/api/me"), ("GET", "/api/guests"), ("PATCH", "/api/tables")])
def test_wrong_methods(http: httpx.Client, method: str, path: str) -> None:
    answer = http.request(method, path)
    assert said(answer) == (405, "wrong_method")
    assert answer.headers["allow"]


def test_nobody(http: httpx.Client, table: str) -> None:
    assert said(http.get("/api/me")) == (401, "nobody")
    assert said(http.delete("/api/me")) == (401, "nobody")
    assert said(http.post("/api/tables", json={"book": "NJ"})) == (401, "nobody")
    assert said(http.post(f"/api/tables/{table}/wishes", json={"id": "1", "wish": "roll"})) == (401, "nobody")


@pytest.mark.parametrize("path", ["", "/rows", "/proofs"])
def test_tables_that_are_not_there(http: httpx.Client, path: str) -> None:
    assert said(http.get(f"/api/tables/nowhere{path}")) == (404, "no_such_table")
    assert said(http.get(f"/api/tables/no+where{path}")) == (422, "malformed")


@pytest.mark.parametrize("after", ["-1", "x", "1e9", str(2**60), "", "1.5"])
def test_numbers_that_are_none(http: httpx.Client, table: str, after: str) -> None:
    assert said(http.get(f"/api/tables/{table}/rows", params={"after": after})) == (422, "malformed")


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
def test_houses_that_no_book_allows(server: Running, house: dict[str, Any], code: str | None, clause: str) -> None:
    with asking(server, name=f"House {code}") as http:
        answer = http.post("/api/tables", json=house)
        assert answer.status_code == 409
        status, found = said(answer)
        assert code in {None, found}
        assert clause in answer.json()["error"]["sentence"]
        assert any(clause in cite for cite in answer.json()["error"].get("cite", [])) or not clause
        http.delete("/api/me")
        assert status == 409


def test_wishes_that_are_refused(server: Running, table: str) -> None:
    with asking(server, name="Wisher") as http:
        where = f"/api/tables/{table}/wishes"
        assert said(http.post(where, json={"wish": "roll"})) == (422, "malformed")
        assert said(http.post(where, json={"id": "a\x00", "wish": "roll"})) == (422, "malformed")
        assert said(http.post(where, json={"id": "1", "wish": "win"})) == (422, "malformed")
        assert said(http.post(where, json={"id": "2", "wish": "roll"})) == (409, "not_at_table")
        assert said(http.post("/api/tables/nowhere/wishes", json={"id": "2", "wish": "roll"})) == (404, "no_such_table")
        assert http.post(where, json={"id": "3", "wish": "sit", "cents": 1000}).json() == {"ok": True, "sequence": 4}
        assert http.post(where, json={"id": "3", "wish": "leave"}).json() == {"ok": True, "sequence": 4}
        poor = http.post(where, json={"id": "4", "wish": "bet", "spot": "pass", "cents": 2000})
        assert said(poor) == (409, "funds")
        assert poor.json()["error"]["sentence"] == "this takes $20, and there is $10 in the rack"
        http.post(where, json={"id": "5", "wish": "leave"})
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
def test_questions_from_elsewhere(server: Running, headers: dict[str, str]) -> None:
    host = server.address.removeprefix("http://")
    given = {name: value.format(host=host) for name, value in headers.items()}
    with httpx.Client(base_url=server.address, headers=given, trust_env=False) as http:
        for path in ("/api/guests", "/api/logout", "/api/tables"):
            assert said(http.post(path, json={"name": "Eve"})) == (403, "origin")
        assert said(http.delete("/api/me")) == (403, "origin")
        assert http.get("/api/books").status_code == 200


def test_our_own_pages(server: Running) -> None:
    with httpx.Client(base_url=server.address, headers={"Sec-Fetch-Site": "same-origin"}, trust_env=False) as http:
        assert http.post("/api/logout").status_code == 204
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        assert said(http.post("/api/logout")) == (403, "origin")


def test_a_body_is_small(http: httpx.Client) -> None:
    assert said(http.post("/api/guests", json={"name": "x" * 17_000})) == (413, "too_much")

    def parts() -> Iterator[bytes]:
        for _ in range(5):
            yield b" " * 4096

    assert said(http.post("/api/guests", content=parts())) == (413, "too_much")


def test_a_fault_tells_nothing(serve: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()

    def break_down() -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(server.journal, "tables", break_down)
    with asking(server) as http:
        answer = http.get("/api/tables")
        assert said(answer) == (500, "fault")
        assert "42" not in answer.text


def test_the_well_being(http: httpx.Client, table: str) -> None:
    assert table
    assert http.get("/healthz").json() == {"ok": True}
    told = http.get("/metrics").text
    assert 'trueodds_requests_total{method="GET",route="/healthz",status="200"}' in told
    assert "trueodds_request_seconds_bucket" in told
