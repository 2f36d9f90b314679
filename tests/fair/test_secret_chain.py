"""Chains of secrets: what leads where, and what it costs."""

from __future__ import annotations

import pytest

from support.fair_rolls import KEY
from trueodds.fair import FairError, FaultCode, ServerKey
from trueodds.fair import secret_chain as chain_module
from trueodds.fair.secret_chain import Link, SecretChain, anchor_of, link_of, previous_secret


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 15, 16, 17, 63, 100, 4096])
def test_every_secret_hashes_to_the_previous_one_and_the_anchor(length: int) -> None:
    chain = SecretChain(KEY, "t1", 3, length)
    for link in range(1, length + 1):
        assert previous_secret("t1", Link(3, link), chain.secret(link)) == chain.secret(link - 1)
    assert chain.secret(0) == chain.anchor == anchor_of("t1", Link(3, length), chain.secret(length))


def test_links_in_any_order() -> None:
    one, other = SecretChain(KEY, "t1", 1, 100), SecretChain(KEY, "t1", 1, 100)
    upwards = [one.secret(link) for link in range(101)]
    assert [other.secret(link) for link in range(100, -1, -1)] == upwards[::-1]
    assert len(set(upwards)) == 101


def test_a_roll_does_not_walk_the_whole_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    chain, steps = SecretChain(KEY, "t1", 1, 4096), 0

    def counted(table: str, place: Link, secret: bytes) -> bytes:
        nonlocal steps
        steps += 1
        return previous_secret(table, place, secret)

    monkeypatch.setattr(chain_module, "previous_secret", counted)
    for link in range(1, 4097):
        before = steps
        chain.secret(link)
        assert steps - before <= 64
    assert steps <= 4096


def test_tables_chains_lengths_and_keys_have_nothing_in_common() -> None:
    chains = [
        SecretChain(KEY, "t1", 1, 8), SecretChain(KEY, "t2", 1, 8), SecretChain(KEY, "t1", 2, 8),
        SecretChain(KEY, "t1", 1, 9),
        SecretChain(ServerKey(bytes(32)), "t1", 1, 8),
    ]  # fmt: skip
    secrets = [chain.secret(link) for chain in chains for link in range(chain.length + 1)]
    assert len(set(secrets)) == len(secrets)


@pytest.mark.parametrize("length", [1, 2, 7, 4096])
def test_the_roll_number_decides_the_link(length: int) -> None:
    places = [link_of(roll, length) for roll in range(1, 3 * length + 1)]
    assert places == [Link(chain, link) for chain in (1, 2, 3) for link in range(1, length + 1)]


@pytest.mark.parametrize("length", [0, -1, 65537, True, 4.0, None])
def test_an_invalid_length_is_refused(length: int) -> None:
    with pytest.raises(FairError) as refused:
        SecretChain(KEY, "t1", 1, length)
    assert refused.value.code == FaultCode.MALFORMED


@pytest.mark.parametrize("link", [-1, 9])
def test_an_unknown_link_is_refused(link: int) -> None:
    with pytest.raises(FairError, match="from 1 to 8"):
        SecretChain(KEY, "t1", 1, 8).secret(link)
