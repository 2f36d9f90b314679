"""From bytes to dice: exactly uniform, by counting every byte there is."""

from __future__ import annotations

from collections import Counter
from itertools import chain, count, islice

import pytest

from support.fair_rolls import KEY, make_rolls
from trueodds.dice import ROLLS
from trueodds.fair.derive_roll import byte_stream, pick_dice, stream_block
from trueodds.fair.secret_chain import SecretChain


def test_the_252_bytes_that_count_give_each_outcome_7_times() -> None:
    given = Counter(pick_dice([octet]) for octet in range(252))
    assert given == dict.fromkeys(ROLLS, 7)


@pytest.mark.parametrize("skipped", range(252, 256))
def test_bytes_of_252_and_more_are_skipped_however_many(skipped: int) -> None:
    for octet in range(252):
        assert pick_dice([skipped, octet]) == pick_dice([octet])
        assert pick_dice(chain([skipped] * 100, [octet, 0])) == pick_dice([octet])
    with pytest.raises(StopIteration):
        pick_dice([skipped])


def test_two_bytes_are_exactly_uniform_too() -> None:
    """All 65,536 pairs: those that decide within two bytes give each outcome equally often."""
    pairs = [(a, b) for a in range(256) for b in range(256) if a < 252 or b < 252]
    assert set(Counter(pick_dice(pair) for pair in pairs).values()) == {len(pairs) // 36}


def test_the_stream_goes_on_block_after_block() -> None:
    proof = make_rolls(1)[0]
    given = (proof.secret, proof.lock_digest, proof.contributions)
    octets = bytes(islice(byte_stream(*given), 96))
    assert octets == b"".join(stream_block(*given, counter) for counter in range(3))
    assert len({octets[:32], octets[32:64], octets[64:]}) == 3


def test_outcomes_are_counted_in_the_order_of_the_dice() -> None:
    assert [str(pick_dice([octet])) for octet in (0, 1, 5, 6, 35, 36, 251)] == [
        "1-1", "1-2", "1-6", "2-1", "6-6", "1-1", "6-6",
    ]  # fmt: skip


def test_forty_thousand_rolls_look_like_dice() -> None:
    """Chi-square with 35 degrees of freedom: mean 35, deviation about 8.4; the key is fixed, so is the answer."""
    secrets = SecretChain(KEY, "chi", 1, 40_000)
    thrown = Counter(
        pick_dice(byte_stream(secrets.secret(link), bytes(32), ()))
        for link, _ in zip(count(1), range(40_000), strict=False)
    )
    expected = 40_000 / 36
    chi_square = sum((thrown[roll] - expected) ** 2 / expected for roll in ROLLS)
    assert 10 < chi_square < 77, chi_square
