"""Messages of service events: every kind has one, and none gives away a secret."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support.houses import BOOKS
from support.table_driver import SEED, TableDriver
from trueodds.journal import SERVICE_EVENT_KINDS, ServiceEvent, service_event
from trueodds.service import table_controller
from trueodds.service.errors import CommandRefused
from trueodds.service.event_sentences import ABSENT_ACTION_MESSAGES, MESSAGES, describe_service_event

SOURCE = Path(table_controller.__file__).parents[1]


def written_kinds() -> set[str]:
    """Every kind of service event that product code creates."""
    kinds = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ServiceEvent":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    kinds.add(str(first.value))
                elif isinstance(first, ast.Name) and first.id.isupper():
                    kinds.add(getattr(service_event, first.id))
    return kinds


def test_every_kind_is_created_and_has_a_message() -> None:
    assert written_kinds() == set(SERVICE_EVENT_KINDS) == set(MESSAGES)


def session(driver: TableDriver) -> None:
    """Everything a controller records."""
    for player in ("ann", "bob"):
        driver.do(player, "join", cents=50_000)
    driver.do("ann", "bet", spot="pass", stake_cents=1000)
    for player in ("ann", "bob"):
        driver.commit(player)
    driver.do("ann", "roll")
    driver.do("ann", "open_seed", seed=SEED.hex())
    driver.time_out()
    no = CommandRefused("loss_limit", "no")
    told = driver.controller.record_limit_reached(driver.table, "bob", no, driver.now_ms)
    assert driver._apply(told.events, told.table) == ["self_limit_reached"]
    again = driver.controller.record_limit_reached(driver.table, "bob", no, driver.now_ms)
    other = driver.controller.record_limit_reached(
        driver.table, "ann", CommandRefused("insufficient_funds", "no"), driver.now_ms
    )
    assert (again.events, other.events) == ((), ())
    for _ in range(3):
        driver.time_out()
    driver.commit("bob")
    driver.do("bob", "leave")


@pytest.mark.parametrize("book", BOOKS)
def test_messages_of_a_session(book: str) -> None:
    driver = TableDriver(book)
    session(driver)
    currency = driver.controller.header.currency
    records = [one for one in driver.events if isinstance(one, ServiceEvent)]
    assert {
        "bought_in",
        "seed_committed",
        "roll_locked",
        "seed_opened",
        "seed_missed",
        "secret_revealed",
        "self_limit_reached",
        "acted_for_absent",
    } <= {one.kind for one in records}
    for record in records:
        said = describe_service_event(record, currency)
        assert said
        assert not re.search(r"[0-9a-f]{16}|[{}_]", said), said
        if "player" in record.body:
            assert said.startswith(record.body["player"])


def test_the_text_of_messages() -> None:
    for record, said in (
        (ServiceEvent("bought_in", {"player": "Ann", "cents": 50_050}), "Ann buys in for S$500.50"),
        (ServiceEvent("cashed_out", {"player": "Ann", "cents": 100}), "Ann cashes out S$1"),
        (ServiceEvent("roll_locked", {"lock": {"roll": 12}}), "Bets are closed for roll 12"),
        (ServiceEvent("secret_revealed", {"proof": {"lock": {"roll": 12}}}), "The secret of roll 12 is revealed"),
        (
            ServiceEvent("acted_for_absent", {"player": "Bo", "action": "order_pass"}),
            "Bo was away: the shooter was ordered to pass the dice",
        ),
        (ServiceEvent("departure_requested", {"player": "Bo"}), "Bo is leaving: open bets are played out"),
        (ServiceEvent("note_added", {"invitation_only": True}), "This table is by invitation only"),
        (ServiceEvent("note_added", {"why": "a secret"}), "The operator added a note"),
    ):
        assert describe_service_event(record, "SGD") == said


@pytest.mark.parametrize("book", BOOKS)
def test_every_action_for_an_absent_player_has_a_message(book: str) -> None:
    """Also actions that no book needs today."""
    driver = TableDriver(book)
    driver.do("ann", "join", cents=50_000)
    builder = table_controller._UpdateBuilder(driver.controller, driver.table, driver.now_ms)
    names = table_controller._ABSENT_ACTION_NAMES
    assert type(builder._move_dice_on("ann")) in names
    assert {*names.values(), "roll", "roll_without_line"} == ABSENT_ACTION_MESSAGES.keys()
