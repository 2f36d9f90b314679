"""A roll on its way: what is taken, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from support.fair_rolls import TABLE, dice, layout, make_rolls, seed, with_commitments, with_openings
from trueodds.fair import (
    FairError,
    FairRoll,
    FaultCode,
    Lock,
    Proof,
    ServerKey,
    make_commitment,
    verify_roll,
    verify_rolls,
)

PROMISE = make_commitment(TABLE, 1, "Ann", seed("Ann", 1))
OPEN = with_commitments(FairRoll.first(TABLE), "Bob")
LOCK = dice().lock(OPEN, layout(1))
LOCKED = OPEN.with_lock(LOCK)


def lock_of(roll: FairRoll, table: str = TABLE) -> Lock:
    return dice(table).lock(roll, b"")


OTHER_TABLE_LOCK = lock_of(with_commitments(FairRoll.first("t2"), "Bob"), "t2")


@pytest.mark.parametrize(
    ("code", "act"),
    [
        (FaultCode.MALFORMED, lambda: OPEN.commit("", PROMISE, 1)),
        (FaultCode.MALFORMED, lambda: OPEN.commit("A\nnn", PROMISE, 1)),
        (FaultCode.MALFORMED, lambda: OPEN.commit("\ud800", PROMISE, 1)),
        (FaultCode.MALFORMED, lambda: OPEN.commit("é" * 128, PROMISE, 1)),
        (FaultCode.MALFORMED, lambda: OPEN.commit("Ann", PROMISE[:31], 1)),
        (FaultCode.MALFORMED, lambda: OPEN.commit("Ann", PROMISE.hex(), 1)),  # type: ignore[arg-type]
        (FaultCode.ROLL_MISMATCH, lambda: OPEN.commit("Ann", PROMISE, 2)),
        (FaultCode.ROLL_MISMATCH, lambda: LOCKED.commit("Ann", PROMISE, 2)),
        (FaultCode.TOO_LATE, lambda: LOCKED.commit("Ann", PROMISE, 1)),
        (FaultCode.TOO_LATE, lambda: LOCKED.commit("Bob", PROMISE, 1)),
        (FaultCode.DUPLICATE_COMMITMENT, lambda: OPEN.commit("Bob", PROMISE, 1)),
        (FaultCode.TOO_LATE, lambda: LOCKED.withdraw("Bob")),
        (FaultCode.NO_COMMITMENT, lambda: OPEN.withdraw("Ann")),
        (FaultCode.ALREADY_LOCKED, lambda: LOCKED.with_lock(LOCK)),
        (FaultCode.ALREADY_LOCKED, lambda: lock_of(LOCKED)),
        (FaultCode.TABLE_MISMATCH, lambda: OPEN.with_lock(OTHER_TABLE_LOCK)),
        (FaultCode.TABLE_MISMATCH, lambda: lock_of(OPEN, "t2")),
        (FaultCode.ROLL_MISMATCH, lambda: OPEN.with_lock(make_rolls(2)[1].lock)),
        (FaultCode.LOCK_MISMATCH, lambda: OPEN.with_lock(lock_of(FairRoll.first(TABLE)))),
        (FaultCode.LOCK_MISMATCH, lambda: FairRoll(TABLE, 1, b"p" * 32).with_lock(lock_of(FairRoll.first(TABLE)))),
        (FaultCode.MALFORMED, lambda: dice().lock(OPEN, "text")),  # type: ignore[arg-type]
        (FaultCode.MALFORMED, lambda: LOCKED.open_seed("Bob", b"short")),
        (FaultCode.NOT_LOCKED, lambda: OPEN.open_seed("Bob", seed("Bob", 1))),
        (FaultCode.NO_COMMITMENT, lambda: LOCKED.open_seed("Ann", seed("Ann", 1))),
        (FaultCode.DUPLICATE_OPENING, lambda: with_openings(LOCKED, "Bob", "Bob")),
        (FaultCode.WRONG_SEED, lambda: LOCKED.open_seed("Bob", seed("Bob", 2))),
        (FaultCode.NOT_LOCKED, lambda: dice().roll(OPEN)),
        (FaultCode.TABLE_MISMATCH, lambda: dice("t2").roll(LOCKED)),
        (FaultCode.WRONG_LINK, lambda: dice(length=8).roll(LOCKED)),
        (FaultCode.WRONG_KEY, lambda: dice(key=ServerKey(bytes(32))).roll(LOCKED)),
        (FaultCode.MALFORMED, lambda: FairRoll(TABLE, 0, bytes(32))),
        (FaultCode.MALFORMED, lambda: FairRoll(TABLE, 10**9999, bytes(32))),
        (FaultCode.MALFORMED, lambda: verify_rolls([])),
        (FaultCode.MALFORMED, lambda: ServerKey.parse("00" * 31)),
    ],
)  # fmt: skip
def test_refused(code: FaultCode, act: Callable[[], object]) -> None:
    with pytest.raises(FairError) as refused:
        act()
    assert refused.value.code == code
    assert str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).code == code  # noqa: S301  our own


def test_a_refusal_says_who_and_where() -> None:
    with pytest.raises(FairError, match=r"^Ann commits too late: roll 1 of t1 is locked$"):
        LOCKED.commit("Ann", PROMISE, 1)


def test_the_order_of_arrival_does_not_matter() -> None:
    assert with_commitments(FairRoll.first(TABLE), "Zoë", "Bob", "Ann") == with_commitments(
        FairRoll.first(TABLE), "Ann", "Bob", "Zoë"
    )
    assert with_commitments(FairRoll.first(TABLE), "Zoë", "Z", "a", "É").seats == ("Z", "Zoë", "a", "É")
    both = with_commitments(FairRoll.first(TABLE), "Ann", "Bob")
    both = both.with_lock(dice().lock(both, layout(1)))
    assert dice().roll(with_openings(both, "Ann", "Bob")) == dice().roll(with_openings(both, "Bob", "Ann"))


def test_a_seat_that_leaves_before_the_lock_is_not_missed() -> None:
    roll = with_commitments(FairRoll.first(TABLE), "Ann", "Bob").withdraw("Ann")
    assert roll == OPEN
    assert dice().roll(with_openings(roll.with_lock(LOCK), "Bob")).missing == ()


def test_missing_openings_are_listed_by_name() -> None:
    roll = with_commitments(FairRoll.first(TABLE), "Ann", "Bob", "Zoë")
    proof = dice().roll(with_openings(roll.with_lock(dice().lock(roll, b"")), "Bob"))
    assert proof.missing == ("Ann", "Zoë")
    assert proof.has_client_seed
    assert verify_roll(proof) == ()


def test_a_roll_without_a_client_seed_says_so() -> None:
    proof = make_rolls(3)[2]
    assert not proof.has_client_seed
    assert proof.to_data()["client_seeds"] == 0


def test_a_process_that_takes_over_makes_the_same_roll() -> None:
    """From what is in the log alone: commitments, the lock as text, the openings; and the key."""
    roll = with_commitments(FairRoll.first(TABLE), "Ann", "Bob")
    lock = dice().lock(roll, layout(1))
    first = dice().roll(with_openings(roll.with_lock(lock), "Ann", "Bob"))
    again = with_commitments(FairRoll.first(TABLE), "Ann", "Bob").with_lock(Lock.from_json(lock.to_json()))
    assert dice().roll(with_openings(again, "Ann", "Bob")) == first
    assert FairRoll.after(Proof.from_json(first.to_json())) == FairRoll(TABLE, 2, first.seal)


def test_dice_keep_two_chains_and_find_any() -> None:
    thrower = dice()
    first = make_rolls(14, thrower)
    assert first == make_rolls(14)
    assert thrower.roll(LOCKED.open_seed("Bob", seed("Bob", 1))).lock.chain == 1
    assert verify_rolls(first, thrower.anchor) == ()
