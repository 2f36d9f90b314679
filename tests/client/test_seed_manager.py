"""A client against servers that are not fair: it opens nothing and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from boxes import Trial
from trueodds.client import Event, Keeper, UnfairError
from trueodds.fair import commit_to
from trueodds.journal import Content, Record
from trueodds.journal.encoding import read_json
from trueodds.journal.row import write_content

SEATS = ("ann", "bob")


class Told:
    """A table of which every row is told to a keeper, who plays for ann; rows can be changed on the way."""

    def __init__(self, change: Callable[[str, dict[str, Any]], dict[str, Any]] | None = None) -> None:
        self.trial = Trial()
        numbers = iter(range(1, 255))
        self.keeper = Keeper("t1", "ann", lambda: bytes([next(numbers)]) * 32)
        self._change = change or (lambda _kind, body: body)
        self._told = 0
        anchor = Record("anchored", {"anchor": self.trial.boxman._dice.anchor.hex(), "length": 64})
        self._tell([anchor])
        for seat in SEATS:
            self.wish(seat, "sit", cents=500_000)

    def wish(self, player: str, wish: str, **more: Any) -> None:
        before = len(self.trial.contents)
        self.trial.wish(player, wish, **more)
        self._tell(self.trial.contents[before:])

    def _tell(self, contents: list[Content]) -> None:
        for content in contents:
            kind, body = write_content(content)
            self._told += 1
            changed = self._change(kind, read_json(body))
            self.keeper.hear(Event(self._told, 0, kind, changed, (), {}, ""))

    def serve(self) -> None:
        """Do what the keeper has to."""
        for wish in self._due():
            self.wish("ann", **wish)

    def _due(self) -> Iterator[dict[str, Any]]:
        while (due := self.keeper.due()) is not None:
            yield due

    def roll(self) -> None:
        if not self.trial.box.table.position.puck:
            for seat in SEATS:
                if not self.trial.box.seat(seat).entries:  # type: ignore[union-attr]  # they sit
                    self.wish(seat, "bet", spot="pass", cents=1000)
        self.serve()
        custody = self.trial.box.table.position.custody
        assert custody is not None
        self.wish(custody.shooter or custody.offer_to or "", "roll")
        self.serve()


def test_a_fair_table() -> None:
    """Through more than one chain of secrets."""
    told = Told()
    for _ in range(70):
        told.roll()
    assert len(told.keeper.proofs) == 70
    assert {len(proof.openings) for proof in told.keeper.proofs} == {1}
    assert told.keeper.proofs[-1].lock.chain == 2


Lie = Callable[[str, dict[str, Any]], dict[str, Any]]


def lock_with(**other: Any) -> Lie:
    """Tell of a lock that is another than the one recorded."""
    return lambda kind, body: {"lock": body["lock"] | other} if kind == "locked" else body


def anchor_with(**other: Any) -> Lie:
    return lambda kind, body: body | other if kind == "anchored" else body


def proof_with(**other: Any) -> Lie:
    return lambda kind, body: {"proof": body["proof"] | other} if kind == "revealed" else body


def other_layout(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    if kind != "revealed":
        return body
    return {"proof": body["proof"] | {"lock": body["proof"]["lock"] | {"layout": "11" * 32}}}


def other_roll(text: str) -> str:
    return "1-1" if text != "1-1" else "2-2"


LIES = {
    "the commitment is left out": lock_with(commitments=[]),
    "another table": lock_with(table="t2"),
    "another roll": lock_with(roll=9),
    "another past": lock_with(past="11" * 32),
    "another secret": lock_with(down_to="11" * 32),
    "another anchor": anchor_with(anchor="11" * 32),
    "another length": anchor_with(length=32),
    "a lock that is none": lock_with(link="first"),
}
LATE: dict[str, Lie] = {
    "other dice in the proof": lambda kind, body: (
        {"proof": body["proof"] | {"roll": other_roll(body["proof"]["roll"])}} if kind == "revealed" else body
    ),
    "other dice at the table": lambda kind, body: (
        body | {"dice": other_roll(body["dice"])} if kind == "rolled" else body
    ),
    "another layout": other_layout,
    "another secret": proof_with(secret="11" * 32),
    "the seed is left out": proof_with(openings=[], outside_seeds=0, missing=["ann"]),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_locks_that_are_wrong(lie: Lie) -> None:
    """No seed is shown for them."""
    told = Told(lie)
    with pytest.raises(UnfairError) as unfair:
        told.roll()
    assert unfair.value.roll == 1
    assert unfair.value.faults
    assert told.keeper.due() is None
    assert told.trial.box.roll.missing == ("ann",)


@pytest.mark.parametrize("lie", LATE.values(), ids=LATE)
def test_rolls_that_are_wrong(lie: Lie) -> None:
    told = Told(lie)
    with pytest.raises(UnfairError):
        told.roll()


def test_who_leaves_commits_no_more() -> None:
    told = Told()
    told.serve()
    told.wish("ann", "leave")
    assert told.keeper.due() is None
    told.wish("ann", "sit", cents=1000)
    assert (told.keeper.due() or {})["wish"] == "commit"


def test_a_commitment_of_another_session_is_not_opened() -> None:
    """The seat committed to a seed that this keeper does not have: it opens nothing, and there is nothing to blame."""
    told = Told()
    told.keeper.due()
    told.wish("ann", "bet", spot="pass", cents=1000)
    other = commit_to("t1", 1, "ann", bytes(32)).hex()
    told.wish("ann", "commit", roll=1, commitment=other)
    told.wish("ann", "roll")
    assert told.keeper.lock is not None
    assert told.keeper.due() is None
    told.wish("ann", "open", seed="00" * 32)
    assert len(told.keeper.proofs) == 1


def test_a_commitment_that_was_granted_and_then_replaced_is_seen() -> None:
    told = Told()
    due = told.keeper.due()
    assert due is not None
    told.keeper.granted(due["commitment"])
    told.wish("ann", "bet", spot="pass", cents=1000)
    told.wish("ann", "commit", roll=1, commitment=commit_to("t1", 1, "ann", bytes(32)).hex())
    with pytest.raises(UnfairError, match="own commitment"):
        told.wish("ann", "roll")


def test_a_yes_that_is_heard_after_the_commitment_was_withdrawn_binds_nobody() -> None:
    """Who leaves with a bet up is played out without a seed; the answer to the commitment may come last of all."""
    told = Told()
    while not told.trial.box.table.position.puck:
        told.roll()
    own = [one.body for one in told.trial.contents if isinstance(one, Record) and one.kind == "committed"][-1]
    told.wish("ann", "leave")
    told.keeper.granted(own["commitment"])
    thrown = len(told.keeper.proofs)
    custody = told.trial.box.table.position.custody
    assert custody is not None
    told.wish(custody.shooter or custody.offer_to or "", "roll")
    assert len(told.keeper.proofs) == thrown + 1
