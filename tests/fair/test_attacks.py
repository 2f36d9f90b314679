"""What can be tried against fair dice, tried: each attack of docs/fairness.md fails or is seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from support.fair_rolls import KEY, SEATS, TABLE, dice, layout, make_rolls, seed, with_commitments, with_openings
from trueodds.dice import ROLLS, Roll
from trueodds.fair import (
    FairError,
    FairRoll,
    FaultCode,
    Lock,
    Opening,
    Proof,
    ServerKey,
    VerificationFault,
    make_commitment,
    verify_roll,
    verify_rolls,
)
from trueodds.fair.derive_roll import byte_stream, pick_dice
from trueodds.fair.secret_chain import Link, SecretChain, previous_secret

EVENING = make_rolls(12)
ANCHOR = dice().anchor


def forged(
    proof: Proof, lock: Lock | None = None, secret: bytes | None = None, opening: tuple[str, ...] | None = None
) -> Proof:
    """Make a proof that fits itself, as a server would that does not care about rules."""
    lock, secret = lock or proof.lock, secret or proof.secret
    seats = opening if opening is not None else tuple(one.seat for one in proof.openings)
    openings = tuple(one for one in proof.openings if one.seat in seats)
    missing = tuple(seat for seat in lock.seats if seat not in seats)
    roll = FairRoll(lock.table, lock.roll, lock.previous_seal, lock.commitments, lock, openings)
    made = Proof.create(roll, lock, secret)
    assert made.missing == missing
    return made


def codes(findings: tuple[VerificationFault, ...]) -> list[FaultCode]:
    return [one.code for one in findings]


def test_the_rolls_themselves_are_fair() -> None:
    assert verify_rolls(EVENING, ANCHOR, [proof.lock for proof in EVENING]) == ()
    assert verify_rolls(EVENING[3:9]) == ()


# A seat.


def test_a_seat_cannot_predict() -> None:
    """All that is public before the secret, fed to every function there is, says nothing about the roll."""
    guesses, rolls = Counter[bool](), 0
    roll = FairRoll.first("guess")
    thrower = dice("guess", 4096)
    known = thrower.anchor
    for _ in range(2000):
        lock = thrower.lock(roll, b"")
        guess = pick_dice(byte_stream(known, lock.digest, ()))
        stepped = previous_secret("guess", Link(lock.chain, lock.link), known)
        proof = thrower.roll(roll.with_lock(lock))
        assert stepped != proof.secret
        guesses[guess == proof.dice] += 1
        roll, known, rolls = FairRoll.after(proof), proof.secret, rolls + 1
    assert rolls == 2000
    assert 25 < guesses[True] < 93  # 1 in 36: mean 55.6, deviation 7.4; the key is fixed


def test_choosing_a_seed_last_would_force_a_roll_and_is_refused() -> None:
    """Knowing the secret, about 36 seeds are enough; but the seed must fit what was committed before the lock."""
    roll = with_commitments(FairRoll.first(TABLE), "Ann", "Eve")
    locked = with_openings(roll.with_lock(dice().lock(roll, layout(1))), "Ann")
    assert locked.lock is not None
    secret, wanted = SecretChain(KEY, TABLE, 1, 4).secret(1), Roll(6, 6)
    tries = 0
    while True:
        tries += 1
        choice = tries.to_bytes(32)
        if pick_dice(byte_stream(secret, locked.lock.digest, (("Ann", seed("Ann", 1)), ("Eve", choice)))) == wanted:
            break
    assert tries < 500
    with pytest.raises(FairError) as refused:
        locked.open_seed("Eve", choice)
    assert refused.value.code == FaultCode.WRONG_SEED
    with pytest.raises(FairError) as refused:
        locked.commit("Mal", make_commitment(TABLE, 1, "Mal", choice), 1)
    assert refused.value.code == FaultCode.TOO_LATE
    honest = dice().roll(with_openings(locked, "Eve"))
    chosen = replace(honest, openings=(honest.openings[0], Opening("Eve", choice)), dice=wanted)
    assert codes(verify_roll(chosen)) == [FaultCode.WRONG_SEED]


def test_a_copied_commitment_cannot_be_opened() -> None:
    promise = make_commitment(TABLE, 1, "Ann", seed("Ann", 1))
    roll = FairRoll.first(TABLE).commit("Ann", promise, 1).commit("Eve", promise, 1)
    locked = with_openings(roll.with_lock(dice().lock(roll, b"")), "Ann")
    with pytest.raises(FairError, match="seed of Eve does not match"):
        locked.open_seed("Eve", seed("Ann", 1))


def test_withholding_without_the_secret_is_as_good_as_opening() -> None:
    """Over many rolls, the roll with the seed and the roll without it agree once in 36 times, no more."""
    same = 0
    for number in range(1, 2001):
        chain_secret = KEY.sign("many", number)
        with_it = pick_dice(byte_stream(chain_secret, bytes(32), (("Eve", seed("Eve", number)),)))
        without = pick_dice(byte_stream(chain_secret, bytes(32), (("Eve", None),)))
        same += with_it == without
    assert 25 < same < 93


# The server.


def test_grinding_the_lock_is_blind_while_one_seed_is_hidden() -> None:
    """The server may try layouts before the lock: for the best of them, the hidden seed still gives all 36 rolls."""
    roll = with_commitments(FairRoll.first(TABLE), "Ann")
    secret = SecretChain(KEY, TABLE, 1, 4).secret(1)
    locks = [dice().lock(roll, str(n).encode()) for n in range(40)]
    liked = next(lock for lock in locks if pick_dice(byte_stream(secret, lock.digest, (("Ann", None),))).total == 7)
    hidden = Counter(pick_dice(byte_stream(secret, liked.digest, (("Ann", n.to_bytes(32)),))) for n in range(36 * 200))
    assert set(hidden) == set(ROLLS)
    assert sum((seen - 200) ** 2 / 200 for seen in hidden.values()) < 77  # chi-square, 35 degrees, fixed


def test_a_lock_ground_after_the_openings_is_seen() -> None:
    honest = EVENING[0]
    other = next(
        proof for n in range(500)
        if (proof := forged(honest, replace(honest.lock, layout_digest=KEY.sign("grind", n)))).dice == Roll(6, 6)
    )  # fmt: skip
    assert verify_roll(other, ANCHOR) == ()
    assert codes(verify_roll(other, ANCHOR, [honest.lock])) == [FaultCode.LOCK_CHANGED]
    assert codes(verify_rolls([other, *EVENING[1:]], ANCHOR)) == [FaultCode.WRONG_PREVIOUS_SEAL]


def test_another_secret_is_found() -> None:
    other = forged(EVENING[5], secret=bytes(32))
    assert codes(verify_roll(other)) == [FaultCode.BROKEN_LINK]
    moved = replace(other.lock, previous_secret=previous_secret(TABLE, other.lock.named_link, bytes(32)))
    assert codes(verify_roll(forged(other, moved))) == [FaultCode.WRONG_ANCHOR]
    after = forged(EVENING[6], replace(EVENING[6].lock, previous_seal=other.seal))
    found = verify_rolls([*EVENING[:5], other, after])
    assert [(one.roll, one.code) for one in found] == [(6, FaultCode.BROKEN_LINK), (7, FaultCode.BROKEN_LINK)]


@pytest.mark.parametrize(("roll", "link"), [(2, 3), (2, 1), (3, 4)])
def test_a_skipped_or_repeated_link_is_found_in_one_proof(roll: int, link: int) -> None:
    chain = SecretChain(KEY, TABLE, 1, 4)
    proof = EVENING[roll - 1]
    lock = replace(proof.lock, link=link, previous_secret=chain.secret(link - 1))
    assert codes(verify_roll(forged(proof, lock, chain.secret(link)), ANCHOR)) == [FaultCode.WRONG_LINK]
    with pytest.raises(FairError) as refused:
        dice().roll(FairRoll(TABLE, roll, lock.previous_seal, lock.commitments).with_lock(lock))
    assert refused.value.code == FaultCode.WRONG_LINK


def test_a_chain_begun_early_is_found() -> None:
    later = SecretChain(KEY, TABLE, 2, 4)
    lock = replace(EVENING[2].lock, chain=2, link=1, anchor=later.anchor, previous_secret=later.anchor)
    early = forged(EVENING[2], lock, later.secret(1))
    assert FaultCode.WRONG_LINK in codes(verify_roll(early))
    shorter = replace(
        EVENING[2].lock, chain=2, link=1, chain_length=2, anchor=later.anchor, previous_secret=later.anchor
    )
    assert FaultCode.WRONG_LINK in codes(
        verify_rolls([*EVENING[:2], forged(EVENING[2], shorter, later.secret(1))], ANCHOR)
    )


def test_a_repeated_skipped_or_swapped_roll_is_found() -> None:
    assert codes(verify_rolls([*EVENING[:3], EVENING[2], *EVENING[3:]])) == [FaultCode.REPEATED_ROLL]
    assert codes(verify_rolls([*EVENING[:3], *EVENING[4:]])) == [FaultCode.SKIPPED_ROLL]
    assert "rolls 4 to 6 are missing before it" in verify_rolls([*EVENING[:3], *EVENING[6:]])[0].message
    swapped = verify_rolls([EVENING[0], EVENING[2], EVENING[1], EVENING[3]])
    assert codes(swapped) == [FaultCode.SKIPPED_ROLL, FaultCode.REPEATED_ROLL, FaultCode.SKIPPED_ROLL]
    assert codes(verify_rolls([EVENING[0], make_rolls(2, dice("t2"))[1]])) == [FaultCode.TABLE_MISMATCH]


def test_an_omitted_opening_is_listed_as_missing() -> None:
    omitted = forged(EVENING[0], opening=("Bob",))
    assert omitted.missing == ("Ann",)
    assert verify_roll(omitted) == ()
    assert codes(verify_rolls([omitted, *EVENING[1:]])) == [FaultCode.WRONG_PREVIOUS_SEAL]
    silent = replace(omitted, missing=())
    assert codes(verify_roll(silent)) == [FaultCode.WRONG_SEATS]
    assert "Ann committed and is neither opened nor missing" in verify_roll(silent)[0].message
    doubled = replace(EVENING[0], missing=("Ann",))
    assert "Ann committed and is both opened and missing" in verify_roll(doubled)[0].message


def test_a_seat_put_among_the_openings_later_is_found() -> None:
    extra = replace(EVENING[0], openings=(*EVENING[0].openings, Opening("Eve", bytes(32))))
    assert codes(verify_roll(extra)) == [FaultCode.WRONG_SEATS]


def test_a_replayed_lock_does_not_lock_another_roll() -> None:
    old = EVENING[1].lock
    now = with_commitments(FairRoll.after(EVENING[5]), *SEATS[2].split())
    with pytest.raises(FairError) as refused:
        now.with_lock(old)
    assert refused.value.code == FaultCode.ROLL_MISMATCH
    replayed = verify_rolls([*EVENING[:6], EVENING[1], *EVENING[7:]])
    assert replayed[0].code == FaultCode.REPEATED_ROLL
    renumbered = replace(EVENING[6].lock, commitments=old.commitments)
    fake = FairRoll(TABLE, 7, renumbered.previous_seal, old.commitments, renumbered, EVENING[1].openings)
    proof = Proof.create(fake, renumbered, EVENING[6].secret)
    assert codes(verify_roll(proof)) == [FaultCode.WRONG_SEED]


def test_a_second_lock_and_a_roll_never_finished_are_seen() -> None:
    second = replace(EVENING[2].lock, layout_digest=bytes(32))
    assert codes(verify_rolls(EVENING, known_locks=[second])) == [FaultCode.LOCK_CHANGED]
    left = verify_rolls(EVENING[:5], known_locks=[proof.lock for proof in EVENING[:6]])
    assert [(one.roll, one.code) for one in left] == [(6, FaultCode.UNFINISHED_ROLL)]
    assert verify_rolls(EVENING[3:], known_locks=[EVENING[0].lock]) == ()
    assert verify_roll(EVENING[3], known_locks=[proof.lock for proof in EVENING]) == ()
    assert codes(verify_rolls(EVENING, known_locks=[make_rolls(1, dice("t2"))[0].lock])) == [FaultCode.TABLE_MISMATCH]


def test_an_old_roll_cannot_be_rewritten() -> None:
    for index in range(len(EVENING) - 1):
        changed = forged(EVENING[index], replace(EVENING[index].lock, layout_digest=bytes(32)))
        assert codes(verify_rolls([*EVENING[:index], changed, *EVENING[index + 1 :]])) == [
            FaultCode.WRONG_PREVIOUS_SEAL
        ]


def test_a_previous_seal_before_the_first_roll_is_found() -> None:
    lock = replace(EVENING[0].lock, previous_seal=b"p" * 32)
    assert codes(verify_roll(forged(EVENING[0], lock))) == [FaultCode.WRONG_PREVIOUS_SEAL]


def test_a_chain_that_was_not_announced_is_found() -> None:
    other = make_rolls(12, dice(key=ServerKey(bytes(32))))
    joined = verify_rolls([*EVENING[:4], *other[4:]], ANCHOR)
    assert {one.roll for one in joined} == {5}
    assert FaultCode.UNANNOUNCED_ANCHOR in codes(joined)
    fixed = forged(other[4], replace(other[4].lock, previous_seal=EVENING[3].seal))
    assert codes(verify_rolls([*EVENING[:4], fixed], ANCHOR)) == [FaultCode.UNANNOUNCED_ANCHOR]


def test_an_announcement_that_changes_is_found() -> None:
    changed = forged(EVENING[2], replace(EVENING[2].lock, next_anchor=bytes(32)))
    assert codes(verify_rolls([*EVENING[:2], changed])) == [FaultCode.UNANNOUNCED_ANCHOR]


def test_a_forged_anchor_fits_itself_and_not_what_was_published() -> None:
    other = make_rolls(12, dice(key=ServerKey(bytes(32))))
    assert verify_rolls(other) == ()
    assert codes(verify_rolls(other, ANCHOR)) == [FaultCode.WRONG_ANCHOR]
    assert codes(verify_roll(other[0], ANCHOR)) == [FaultCode.WRONG_ANCHOR]
    pretended = forged(other[6], replace(other[6].lock, anchor=EVENING[6].lock.anchor))
    assert codes(verify_roll(pretended, EVENING[6].lock.anchor)) == [FaultCode.WRONG_ANCHOR]
    first = forged(other[0], replace(other[0].lock, anchor=ANCHOR))
    assert codes(verify_roll(first, ANCHOR)) == [FaultCode.WRONG_ANCHOR]


def test_a_process_with_another_key_cannot_roll() -> None:
    roll = with_commitments(FairRoll.first(TABLE), "Ann")
    locked = roll.with_lock(dice().lock(roll, b""))
    with pytest.raises(FairError) as refused:
        dice(key=ServerKey(bytes(32))).roll(locked)
    assert refused.value.code == FaultCode.WRONG_KEY


# What remains.


def test_server_and_seat_together_choose_between_two_rolls_and_leave_a_trace() -> None:
    """The page says so: one bit for each seat that is with the server, each time a missing opening."""
    roll = with_commitments(FairRoll.first(TABLE), "Ann", "Eve", "Mal")
    locked = with_openings(roll.with_lock(dice().lock(roll, layout(1))), "Ann")
    choices = [dice().roll(with_openings(locked, *seats)) for seats in ((), ("Eve",), ("Mal",), ("Eve", "Mal"))]
    assert len({proof.seal for proof in choices}) == 4
    assert [proof.missing for proof in choices] == [("Eve", "Mal"), ("Mal",), ("Eve",), ()]
    assert all(verify_roll(proof, ANCHOR) == () for proof in choices)
