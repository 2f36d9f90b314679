"""Books, strategies and the lobby over HTTP, as a page asks for them."""

from __future__ import annotations

from collections.abc import Callable

from support.running_server import RunningServer, http_client
from trueodds.rulebook import book_ids, load_book

Serve = Callable[..., "RunningServer"]


def test_the_list_of_books_is_small_and_has_summaries(serve: Serve) -> None:
    with http_client(serve()) as http:
        answer = http.get("/api/books")
    cards = {card["id"]: card for card in answer.json()}
    assert set(cards) == set(book_ids())
    assert len(answer.content) < 6_000
    assert "options" not in cards["maryland"]
    assert cards["maryland"]["summary"].startswith("30 wagers. Only here: All Small Wager, All Tall Wager and ")
    assert cards["win_line"]["summary"] == "8 wagers, the fewest of all."
    assert (cards["rws"]["currency"], cards["rws"]["min_bet"], cards["rws"]["max_bet"]) == ("SGD", 1000, 500_000)
    assert cards["new_jersey"]["source"] == load_book("NJ").source


def test_a_book_has_a_form_for_every_option(serve: Serve) -> None:
    with http_client(serve()) as http:
        for name in book_ids():
            shown = http.get(f"/api/books/{name}").json()
            options = {option["name"]: option for option in shown["options"]}
            assert set(options) == set(load_book(name).options)
            groups = [group["id"] for group in shown["groups"]]
            assert all(option["group"] in groups and option["form"]["kind"] for option in options.values())
            assert options["dont_bar"]["is_fixed"]
            assert options["dont_bar"]["bounds_cite"]
            assert [choice["value"] for choice in options["dont_replace"]["form"]["choices"]] == ["free", "strict"]
            assert options["odds_max_bet"]["form"]["unit"] == "cents"
            assert options["odds_max_bet"]["form"]["allows_none"]
            assert not options["dont_replace"]["is_fixed"]
            assert not options["odds_max_bet"]["is_fixed"]


def test_an_unknown_book_is_not_found(serve: Serve) -> None:
    with http_client(serve()) as http:
        for path in ("/api/books/atlantis", "/api/strategies?book=atlantis"):
            answer = http.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_book")


def test_a_forbidden_option_is_named(serve: Serve) -> None:
    with http_client(serve(), name="Ann") as http:
        answer = http.post("/api/tables", json={"book": "new_jersey", "options": {"vig_bp": 600}})
        assert answer.status_code == 409
        error = answer.json()["error"]
        assert (error["code"], error["field"], error["cite"]) == (
            "vig_above_5pct", "vig_bp", ["N.J.A.C. 19:47-1.5(a)"],
        )  # fmt: skip
        answer = http.post("/api/tables", json={"book": "new_jersey", "options": {"paytable": {"take6": "7 to 5"}}})
        assert answer.json()["error"]["field"] == "paytable.take6"
        assert http.get("/api/tables").json() == []


def test_strategies_that_a_book_allows(serve: Serve) -> None:
    with http_client(serve()) as http:
        every = {one["name"] for one in http.get("/api/strategies").json()}
        found = {one["name"]: one for one in http.get("/api/strategies?book=win_line").json()}
    assert "win_line" in found
    assert found["win_line"]["title"] == "Win line with double odds and a come bet"
    assert found["win_line"]["about"]
    assert "iron_cross" in every - set(found)


def test_an_unchanged_lobby_is_a_304(serve: Serve) -> None:
    with http_client(serve(), name="Ann") as http:
        first = http.get("/api/tables")
        again = http.get("/api/tables", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        http.post("/api/tables", json={"book": "rws", "name": "Harbour"})
        changed = http.get("/api/tables", headers={"If-None-Match": first.headers["etag"]})
        assert changed.status_code == 200
        assert [table["house"] for table in changed.json()] == ["Harbour"]
        assert changed.headers["etag"] != first.headers["etag"]
