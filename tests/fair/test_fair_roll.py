"""A roll on its way: what is taken, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from fair.evening import TABLE, committed, dice, evening, layout, opened, seed
from trueodds.fair import FairError, FairRoll, Fault, Key, Lock, Proof, commit_to, verify_roll, verify_rolls

PROMISE = commit_to(TABLE, 1, "Ann", seed("Ann", 1))
OPEN = committed(FairRoll.first(TABLE), "Bob")
LOCK = dice().lock(OPEN, layout(1))
LOCKED = OPEN.locked(LOCK)


def lock_of(roll: FairRoll, table: str = TABLE) -> Lock:
    return dice(table).lock(roll, b"")


@pytest.mark.parametrize(
    ("code", "act"),
    [
        (Fault.MALFORMED, lambda: OPEN.commit("", PROMISE, 1)),
        (Fault.MALFORMED, lambda: OPEN.commit("A\nnn", PROMISE, 1)),
        (Fault.MALFORMED, lambda: OPEN.commit("\ud800", PROMISE, 1)),
        (Fault.MALFORMED, lambda: OPEN.commit("é" * 128, PROMISE, 1)),
        (Fault.MALFORMED, lambda: OPEN.commit("Ann", PROMISE[:31], 1)),
        (Fault.MALFORMED, lambda: OPEN.commit("Ann", PROMISE.hex(), 1)),  # type: ignore[arg-type]
        (Fault.OTHER_ROLL, lambda: OPEN.commit("Ann", PROMISE, 2)),
        (Fault.OTHER_ROLL, lambda: LOCKED.commit("Ann", PROMISE, 2)),
        (Fault.LATE, lambda: LOCKED.commit("Ann", PROMISE, 1)),
        (Fault.LATE, lambda: LOCKED.commit("Bob", PROMISE, 1)),
        (Fault.SECOND_COMMITMENT, lambda: OPEN.commit("Bob", PROMISE, 1)),
        (Fault.LATE, lambda: LOCKED.withdraw("Bob")),
        (Fault.NO_COMMITMENT, lambda: OPEN.withdraw("Ann")),
        (Fault.ALREADY_LOCKED, lambda: LOCKED.locked(LOCK)),
        (Fault.ALREADY_LOCKED, lambda: lock_of(LOCKED)),
        (Fault.OTHER_TABLE, lambda: OPEN.locked(lock_of(committed(FairRoll.first("t2"), "Bob"), "t2"))),
        (Fault.OTHER_TABLE, lambda: lock_of(OPEN, "t2")),
        (Fault.OTHER_ROLL, lambda: OPEN.locked(evening(2)[1].lock)),
        (Fault.OTHER_LOCK, lambda: OPEN.locked(lock_of(FairRoll.first(TABLE)))),
        (Fault.OTHER_LOCK, lambda: FairRoll(TABLE, 1, b"p" * 32).locked(lock_of(FairRoll.first(TABLE)))),
        (Fault.MALFORMED, lambda: dice().lock(OPEN, "text")),  # type: ignore[arg-type]
        (Fault.MALFORMED, lambda: LOCKED.open("Bob", b"short")),
        (Fault.NOT_LOCKED, lambda: OPEN.open("Bob", seed("Bob", 1))),
        (Fault.NO_COMMITMENT, lambda: LOCKED.open("Ann", seed("Ann", 1))),
        (Fault.SECOND_OPENING, lambda: opened(LOCKED, "Bob", "Bob")),
        (Fault.WRONG_SEED, lambda: LOCKED.open("Bob", seed("Bob", 2))),
        (Fault.NOT_LOCKED, lambda: dice().throw(OPEN)),
        (Fault.OTHER_TABLE, lambda: dice("t2").throw(LOCKED)),
        (Fault.WRONG_LINK, lambda: dice(length=8).throw(LOCKED)),
        (Fault.WRONG_KEY, lambda: dice(key=Key(bytes(32))).throw(LOCKED)),
        (Fault.MALFORMED, lambda: FairRoll(TABLE, 0, bytes(32))),
        (Fault.MALFORMED, lambda: FairRoll(TABLE, 10**9999, bytes(32))),
        (Fault.MALFORMED, lambda: verify_rolls([])),
        (Fault.MALFORMED, lambda: Key.parse("00" * 31)),
    ],
)  # fmt: skip
def test_refused(code: Fault, act: Callable[[], object]) -> None:
    with pytest.raises(FairError) as refused:
        act()
    assert refused.value.code == code
    assert str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).code == code  # noqa: S301  our own


def test_a_refusal_says_who_and_where() -> None:
    with pytest.raises(FairError, match=r"^Ann commits too late: roll 1 of t1 is locked$"):
        LOCKED.commit("Ann", PROMISE, 1)


def test_the_order_of_arrival_does_not_matter() -> None:
    assert committed(FairRoll.first(TABLE), "Zoë", "Bob", "Ann") == committed(
        FairRoll.first(TABLE), "Ann", "Bob", "Zoë"
    )
    assert committed(FairRoll.first(TABLE), "Zoë", "Z", "a", "É").seats == ("Z", "Zoë", "a", "É")
    both = committed(FairRoll.first(TABLE), "Ann", "Bob")
    both = both.locked(dice().lock(both, layout(1)))
    assert dice().throw(opened(both, "Ann", "Bob")) == dice().throw(opened(both, "Bob", "Ann"))


def test_a_seat_that_leaves_before_the_lock_is_not_missed() -> None:
    roll = committed(FairRoll.first(TABLE), "Ann", "Bob").withdraw("Ann")
    assert roll == OPEN
    assert dice().throw(opened(roll.locked(LOCK), "Bob")).missing == ()


def test_missing_openings_are_listed_by_name() -> None:
    roll = committed(FairRoll.first(TABLE), "Ann", "Bob", "Zoë")
    proof = dice().throw(opened(roll.locked(dice().lock(roll, b"")), "Bob"))
    assert proof.missing == ("Ann", "Zoë")
    assert proof.has_outside_seed
    assert verify_roll(proof) == ()


def test_a_roll_without_outside_seed_says_so() -> None:
    proof = evening(3)[2]
    assert not proof.has_outside_seed
    assert proof.to_data()["outside_seeds"] == 0


def test_a_process_that_takes_over_throws_the_same_roll() -> None:
    """From what is in the log alone: commitments, the lock as text, the openings; and the key."""
    roll = committed(FairRoll.first(TABLE), "Ann", "Bob")
    lock = dice().lock(roll, layout(1))
    first = dice().throw(opened(roll.locked(lock), "Ann", "Bob"))
    again = committed(FairRoll.first(TABLE), "Ann", "Bob").locked(Lock.from_json(lock.to_json()))
    assert dice().throw(opened(again, "Ann", "Bob")) == first
    assert FairRoll.after(Proof.from_json(first.to_json())) == FairRoll(TABLE, 2, first.seal)


def test_dice_keep_two_chains_and_find_any() -> None:
    thrower = dice()
    first = evening(14, thrower)
    assert first == evening(14)
    assert thrower.throw(LOCKED.open("Bob", seed("Bob", 1))).lock.chain == 1
    assert verify_rolls(first, thrower.anchor) == ()
