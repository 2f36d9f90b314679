"""What a spot is worth, over HTTP: exact, under the table's own house, worked out once and beside the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction

import httpx
import pytest

from support.running_server import RunningServer, http_client, run
from trueodds.rulebook import House, Spot, as_house, load_book
from trueodds.server.errors import ApiError
from trueodds.server.odds_cache import OddsCache
from trueodds.wager_odds import wager_odds


@pytest.fixture(scope="module")
def http(server: RunningServer) -> Iterator[httpx.Client]:
    with http_client(server, name="Ann") as client:
        yield client


def new_table(http: httpx.Client, book: str, **options: object) -> str:
    return str(http.post("/api/tables", json={"book": book, "options": options}).json()["id"])


def test_the_odds_of_place_6(http: httpx.Client) -> None:
    card = http.get(f"/api/tables/{new_table(http, 'NJ')}/odds", params={"spot": "place:6"}).json()
    assert card["spot"] == "place:6"
    (alone,) = card["odds"]
    assert alone["edge"] == {"exact": "-1/66", "percent": "-1.515 %"}
    assert alone["edge_text"] == "1.515 % for the house"
    assert alone["win"] == {"exact": "5/11", "percent": "45.455 %"}
    assert alone["lose"]["exact"] == "6/11"
    assert alone["push"]["percent"] == "0 %"
    assert alone["edge_per_roll"]["exact"] == "-1/216"
    assert (alone["standard_deviation"], alone["mean_rolls"]) == ("1.079", "3.27")


def test_a_line_bet_also_has_full_odds(http: httpx.Client) -> None:
    table = new_table(http, "NJ")
    figures = http.get(f"/api/tables/{table}/odds", params={"spot": "pass"}).json()["odds"]
    assert [one["name"] for one in figures] == ["Pass", "Pass with full odds"]
    assert [one["edge"]["exact"] for one in figures] == ["-7/495", "-7/1870"]
    barred = http.get(f"/api/tables/{table}/odds", params={"spot": "dont_pass"}).json()["odds"][0]
    assert barred["edge"]["exact"] != barred["edge_per_resolved"]["exact"]


def test_odds_bets_have_one_entry_per_number(http: httpx.Client) -> None:
    answer = http.get(f"/api/tables/{new_table(http, 'NJ')}/odds", params={"spot": "pass_odds"})
    figures = answer.json()["odds"]
    assert [one["number"] for one in figures] == [4, 5, 6, 8, 9, 10]
    assert {one["edge"]["exact"] for one in figures} == {"0"}
    assert [one["win"]["exact"] for one in figures] == ["1/3", "2/5", "5/11", "5/11", "2/5", "1/3"]
    assert figures[0]["edge_text"] == "none, a fair bet"


def test_odds_follow_the_house_of_the_table(http: httpx.Client) -> None:
    table = new_table(http, "NJ", vig_bp=100)
    edge = http.get(f"/api/tables/{table}/odds", params={"spot": "buy:4"}).json()["odds"][0]["edge"]["exact"]
    mine = wager_odds(House(load_book("NJ"), {"vig_bp": 100}), Spot("buy", (4,))).edge
    assert Fraction(edge) == mine != wager_odds(as_house("NJ"), Spot("buy", (4,))).edge


@pytest.mark.parametrize("book", ["maryland", "new_jersey", "rws", "south_dakota", "win_line"])
def test_every_spot_of_a_layout_has_odds(http: httpx.Client, book: str) -> None:
    table = new_table(http, book)
    spots = http.get(f"/api/tables/{table}").json()["layout"]["spots"]
    for spot in spots:
        answer = http.get(f"/api/tables/{table}/odds", params={"spot": spot["spot"]}, timeout=60)
        assert answer.status_code == 200, (spot["spot"], answer.text)
        assert answer.json()["odds"], spot["spot"]


@pytest.mark.parametrize(
    ("spot", "status", "code"),
    [
        ("place:7", 404, "no_such_spot"),
        ("horses", 404, "no_such_spot"),
        ("pass_odds:6", 404, "no_such_spot"),
        ("big6", 404, "no_such_spot"),
        ("place six", 422, "invalid_request"),
        ("", 422, "invalid_request"),
        ("x" * 61, 422, "invalid_request"),
    ],
)
def test_unknown_spots_are_refused(http: httpx.Client, spot: str, status: int, code: str) -> None:
    answer = http.get(f"/api/tables/{new_table(http, 'NJ')}/odds", params={"spot": spot})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_an_unknown_table_has_no_odds(http: httpx.Client) -> None:
    answer = http.get("/api/tables/nowhere/odds", params={"spot": "pass"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_table")


def test_amounts_that_are_too_large(http: httpx.Client) -> None:
    table = new_table(http, "NJ", min_bet=4 * 10**14, max_bet=8 * 10**14)
    answer = http.get(f"/api/tables/{table}/odds", params={"spot": "pass"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "odds_unavailable")


def test_silences_are_listed(http: httpx.Client) -> None:
    silences = {one["id"]: one for one in http.get("/api/books/new_jersey/silences").json()}
    assert silences["A-01"]["we_do"] == "It pays 9 to 1."
    assert all(one["says"] and one["why"] for one in silences.values())
    layout = http.get(f"/api/tables/{new_table(http, 'NJ')}").json()["layout"]
    named = {name for spot in layout["spots"] for name in spot["silences"]}
    assert named
    assert named <= set(silences)
    answer = http.get("/api/books/atlantis/silences")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_book")


# ---------------------------------------------------------------------------------------------------- cards


class Slow:
    """Work that waits until it is let go on, and counts."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.done: list[str] = []

    def __call__(self, _house: House, spot: Spot) -> str:
        assert self.go_on.wait(60)
        self.done.append(str(spot))
        return str(spot)


def spots(count: int) -> list[Spot]:
    return [Spot("spot", (number,)) for number in range(1, count + 1)]


def with_slow(test: Callable[[Slow], object]) -> None:
    slow = Slow()
    try:
        test(slow)
    finally:
        slow.go_on.set()


def test_odds_are_computed_once_and_off_the_loop() -> None:
    async def ask(slow: Slow) -> None:
        cards, house = OddsCache(slow), as_house("NJ")
        asked = [asyncio.create_task(cards.get(house, Spot("pass"))) for _ in range(5)]
        # Computing on the loop would block here until the computation gives up and fails.
        await asyncio.sleep(0.01)
        asked[0].cancel()
        slow.go_on.set()
        assert await asyncio.gather(*asked[1:]) == ["pass"] * 4
        assert await cards.get(house, Spot("pass")) == "pass"
        assert slow.done == ["pass"]

    with_slow(lambda slow: run(ask(slow)))


def test_pending_and_cached_odds_are_limited() -> None:
    async def ask(slow: Slow) -> None:
        cards, house = OddsCache(slow, max_cached=4, max_pending=2), as_house("NJ")
        waiting = [asyncio.create_task(cards.get(house, spot)) for spot in spots(2)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError, match="Too many odds"):
            await cards.get(house, Spot("pass"))
        slow.go_on.set()
        await asyncio.gather(*waiting)
        for spot in spots(5):
            await cards.get(house, spot)
        assert len(slow.done) == 5
        await cards.get(house, spots(1)[0])
        assert len(slow.done) == 6

    with_slow(lambda slow: run(ask(slow)))


def test_closing_cancels_pending_odds() -> None:
    began, go_on, done = threading.Event(), threading.Event(), list[str]()

    def work(_: House, spot: Spot) -> None:
        began.set()
        go_on.wait(20)
        done.append(str(spot))

    cards, house = OddsCache(work), as_house("new_jersey")
    first, second = (cards._future(house, Spot(name)) for name in ("pass", "field"))
    assert began.wait(20)
    cards.close()
    go_on.set()
    first.result(20)
    assert second.cancelled()
    assert done == ["pass"]


def test_a_failed_computation_is_repeated() -> None:
    tries: list[Spot] = []

    def work(_house: House, spot: Spot) -> str:
        tries.append(spot)
        if len(tries) == 1:
            raise ValueError
        return "worked"

    async def ask() -> None:
        cards, house = OddsCache(work), as_house("NJ")
        with pytest.raises(ValueError):  # noqa: PT011  it has no words
            await cards.get(house, Spot("pass"))
        assert await cards.get(house, Spot("pass")) == "worked"

    run(ask())
