"""Chains of secrets: what leads where, and what it costs."""

from __future__ import annotations

import pytest

from fair.evening import KEY
from trueodds.fair import FairError, Fault, Key
from trueodds.fair import chain as chain_module
from trueodds.fair.chain import Chain, Place, lead_down, place_of, walk_down


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 15, 16, 17, 63, 100, 4096])
def test_every_link_leads_down_to_the_one_before_and_to_the_anchor(length: int) -> None:
    chain = Chain(KEY, "t1", 3, length)
    for link in range(1, length + 1):
        assert lead_down("t1", Place(3, link), chain.secret(link)) == chain.secret(link - 1)
    assert chain.secret(0) == chain.anchor == walk_down("t1", Place(3, length), chain.secret(length))


def test_links_may_be_asked_for_in_any_order() -> None:
    one, other = Chain(KEY, "t1", 1, 100), Chain(KEY, "t1", 1, 100)
    upwards = [one.secret(link) for link in range(101)]
    assert [other.secret(link) for link in range(100, -1, -1)] == upwards[::-1]
    assert len(set(upwards)) == 101


def test_a_roll_does_not_walk_the_whole_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    chain, steps = Chain(KEY, "t1", 1, 4096), 0

    def counted(table: str, place: Place, secret: bytes) -> bytes:
        nonlocal steps
        steps += 1
        return lead_down(table, place, secret)

    monkeypatch.setattr(chain_module, "lead_down", counted)
    for link in range(1, 4097):
        before = steps
        chain.secret(link)
        assert steps - before <= 64
    assert steps <= 4096


def test_tables_chains_lengths_and_keys_have_nothing_in_common() -> None:
    chains = [
        Chain(KEY, "t1", 1, 8), Chain(KEY, "t2", 1, 8), Chain(KEY, "t1", 2, 8), Chain(KEY, "t1", 1, 9),
        Chain(Key(bytes(32)), "t1", 1, 8),
    ]  # fmt: skip
    secrets = [chain.secret(link) for chain in chains for link in range(chain.length + 1)]
    assert len(set(secrets)) == len(secrets)


@pytest.mark.parametrize("length", [1, 2, 7, 4096])
def test_the_roll_number_decides_the_link(length: int) -> None:
    places = [place_of(roll, length) for roll in range(1, 3 * length + 1)]
    assert places == [Place(chain, link) for chain in (1, 2, 3) for link in range(1, length + 1)]


@pytest.mark.parametrize("length", [0, -1, 65537, True, 4.0, None])
def test_a_length_that_is_none_is_refused(length: int) -> None:
    with pytest.raises(FairError) as refused:
        Chain(KEY, "t1", 1, length)
    assert refused.value.code == Fault.MALFORMED


@pytest.mark.parametrize("link", [-1, 9])
def test_a_link_that_is_not_there_is_refused(link: int) -> None:
    with pytest.raises(FairError, match="has links 1 to 8"):
        Chain(KEY, "t1", 1, 8).secret(link)
