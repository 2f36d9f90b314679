"""A client against servers that are not fair: it opens nothing and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.table_driver import TableDriver
from trueodds.client import SeedManager, TableEvent, UnfairServerError
from trueodds.fair import make_commitment
from trueodds.journal import AnyEvent, ServiceEvent
from trueodds.journal.canonical_json import decode_canonical
from trueodds.journal.stored_event import encode_event

SEATS = ("ann", "bob")


class SimulatedServer:
    """A table of which every row is server to a seeds, who plays for ann; rows can be changed on the way."""

    def __init__(self, change: Callable[[str, dict[str, Any]], dict[str, Any]] | None = None) -> None:
        self.trial = TableDriver()
        numbers = iter(range(1, 255))
        self.seeds = SeedManager("t1", "ann", lambda: bytes([next(numbers)]) * 32)
        self._change = change or (lambda _kind, body: body)
        self._sequence = 0
        anchor = ServiceEvent(
            "anchor_published", {"anchor": self.trial.controller._dice.anchor.hex(), "chain_length": 64}
        )
        self._deliver([anchor])
        for seat in SEATS:
            self.send(seat, "join", cents=500_000)

    def send(self, player: str, command: str, **fields: Any) -> None:
        before = len(self.trial.events)
        self.trial.do(player, command, **fields)
        self._deliver(self.trial.events[before:])

    def _deliver(self, contents: list[AnyEvent]) -> None:
        for content in contents:
            kind, body = encode_event(content)
            self._sequence += 1
            changed = self._change(kind, decode_canonical(body))
            self.seeds.on_event(TableEvent(self._sequence, 0, kind, changed, (), {}, ""))

    def serve(self) -> None:
        """Send the commands of the seed manager."""
        for command in self._due():
            self.send("ann", **command)

    def _due(self) -> Iterator[dict[str, Any]]:
        while (due := self.seeds.next_command()) is not None:
            yield due

    def roll(self) -> None:
        if not self.trial.table.state.position.puck:
            for seat in SEATS:
                if not self.trial.table.seat_of(seat).wagers:  # type: ignore[union-attr]  # they sit
                    self.send(seat, "bet", spot="pass", stake_cents=1000)
        self.serve()
        custody = self.trial.table.state.position.custody
        assert custody is not None
        self.send(custody.shooter or custody.offered_to or "", "roll")
        self.serve()


def test_a_fair_table() -> None:
    """Through more than one chain of secrets."""
    server = SimulatedServer()
    for _ in range(70):
        server.roll()
    assert len(server.seeds.proofs) == 70
    assert {len(proof.openings) for proof in server.seeds.proofs} == {1}
    assert server.seeds.proofs[-1].lock.chain == 2


Lie = Callable[[str, dict[str, Any]], dict[str, Any]]


def lock_with(**other: Any) -> Lie:
    """Tell of a lock that is another than the one recorded."""
    return lambda kind, body: {"lock": body["lock"] | other} if kind == "roll_locked" else body


def anchor_with(**other: Any) -> Lie:
    return lambda kind, body: body | other if kind == "anchor_published" else body


def proof_with(**other: Any) -> Lie:
    return lambda kind, body: {"proof": body["proof"] | other} if kind == "secret_revealed" else body


def other_layout(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    if kind != "secret_revealed":
        return body
    return {"proof": body["proof"] | {"lock": body["proof"]["lock"] | {"layout_digest": "11" * 32}}}


def other_roll(text: str) -> str:
    return "1-1" if text != "1-1" else "2-2"


LIES = {
    "the commitment is left out": lock_with(commitments=[]),
    "another table": lock_with(table="t2"),
    "another roll": lock_with(roll=9),
    "another past": lock_with(previous_seal="11" * 32),
    "another secret": lock_with(previous_secret="11" * 32),
    "another anchor": anchor_with(anchor="11" * 32),
    "another length": anchor_with(chain_length=32),
    "a lock that is none": lock_with(link="first"),
}
LATE: dict[str, Lie] = {
    "other dice in the proof": lambda kind, body: (
        {"proof": body["proof"] | {"dice": other_roll(body["proof"]["dice"])}} if kind == "secret_revealed" else body
    ),
    "other dice at the table": lambda kind, body: (
        body | {"dice": other_roll(body["dice"])} if kind == "rolled" else body
    ),
    "another layout": other_layout,
    "another secret": proof_with(secret="11" * 32),
    "the seed is left out": proof_with(openings=[], client_seeds=0, missing=["ann"]),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_wrong_locks_are_reported(lie: Lie) -> None:
    """No seed is shown for them."""
    server = SimulatedServer(lie)
    with pytest.raises(UnfairServerError) as unfair:
        server.roll()
    assert unfair.value.roll == 1
    assert unfair.value.faults
    assert server.seeds.next_command() is None
    assert server.trial.table.fair_roll.missing == ("ann",)


@pytest.mark.parametrize("lie", LATE.values(), ids=LATE)
def test_wrong_rolls_are_reported(lie: Lie) -> None:
    server = SimulatedServer(lie)
    with pytest.raises(UnfairServerError):
        server.roll()


def test_a_departing_player_does_not_commit() -> None:
    server = SimulatedServer()
    server.serve()
    server.send("ann", "leave")
    assert server.seeds.next_command() is None
    server.send("ann", "join", cents=1000)
    assert (server.seeds.next_command() or {})["command"] == "commit_seed"


def test_a_commitment_of_another_connection_is_not_opened() -> None:
    """The seat committed to a seed that this manager does not have: it opens nothing, and there is nothing to blame."""
    server = SimulatedServer()
    server.seeds.next_command()
    server.send("ann", "bet", spot="pass", stake_cents=1000)
    other = make_commitment("t1", 1, "ann", bytes(32)).hex()
    server.send("ann", "commit_seed", roll=1, commitment=other)
    server.send("ann", "roll")
    assert server.seeds.lock is not None
    assert server.seeds.next_command() is None
    server.send("ann", "open_seed", seed="00" * 32)
    assert len(server.seeds.proofs) == 1


def test_an_accepted_commitment_that_is_replaced_is_reported() -> None:
    server = SimulatedServer()
    due = server.seeds.next_command()
    assert due is not None
    server.seeds.commitment_accepted(due["commitment"])
    server.send("ann", "bet", spot="pass", stake_cents=1000)
    server.send("ann", "commit_seed", roll=1, commitment=make_commitment("t1", 1, "ann", bytes(32)).hex())
    with pytest.raises(UnfairServerError, match="this seat's commitment"):
        server.send("ann", "roll")


def test_a_late_reply_to_a_withdrawn_commitment_has_no_effect() -> None:
    """Who leaves with a bet up is played out without a seed; the answer to the commitment may come last of all."""
    server = SimulatedServer()
    while not server.trial.table.state.position.puck:
        server.roll()
    own = [one.body for one in server.trial.events if isinstance(one, ServiceEvent) and one.kind == "seed_committed"][
        -1
    ]
    server.send("ann", "leave")
    server.seeds.commitment_accepted(own["commitment"])
    thrown = len(server.seeds.proofs)
    custody = server.trial.table.state.position.custody
    assert custody is not None
    server.send(custody.shooter or custody.offered_to or "", "roll")
    assert len(server.seeds.proofs) == thrown + 1
