"""Proofs: written and read without loss; any altered byte is found and named; what is no proof is said to be none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import independent_verifier as independent
from support.fair_rolls import layout, make_rolls
from trueodds.fair import (
    FairDice,
    FairError,
    FairRoll,
    FaultCode,
    Lock,
    Proof,
    ServerKey,
    make_commitment,
    parse_locks,
    parse_proofs,
    verify_roll,
    verify_rolls,
)

CONTROLS = [chr(code) for code in (*range(32), *range(127, 160))]
NAMES = st.text(st.characters(codec="utf-8", exclude_characters=CONTROLS), min_size=1, max_size=60)
OCTETS = st.binary(min_size=32, max_size=32)
EVENING = make_rolls()
HAS_BOTH = EVENING[1]


@st.composite
def tables(draw: st.DrawFn) -> list[Proof]:
    """Some rolls of a table with any seats and seeds, of which some open."""
    dice = FairDice(ServerKey(draw(OCTETS)), draw(NAMES), draw(st.integers(1, 9)))
    roll, proofs = FairRoll.first(dice.table), []
    for _ in range(draw(st.integers(1, 5))):
        seeds = draw(st.dictionaries(NAMES, OCTETS, max_size=4))
        for seat, seed in seeds.items():
            roll = roll.commit(seat, make_commitment(dice.table, roll.number, seat, seed), roll.number)
        roll = roll.with_lock(dice.lock(roll, draw(st.binary(max_size=50))))
        for seat, seed in seeds.items():
            if draw(st.booleans()):
                roll = roll.open_seed(seat, seed)
        proofs.append(dice.roll(roll))
        roll = FairRoll.after(proofs[-1])
    return proofs


def written(proofs: list[Proof]) -> str:
    return json.dumps([proof.to_data() for proof in proofs])


@given(tables())
def test_any_table_is_fair_and_reads_back(proofs: list[Proof]) -> None:
    assert verify_rolls(proofs, proofs[0].lock.anchor, [proof.lock for proof in proofs]) == ()
    assert independent.check(written(proofs), proofs[0].lock.anchor.hex()) is None
    for proof in proofs:
        assert Proof.from_json(proof.to_json()) == proof
        assert Proof.from_json(proof.to_json()).to_json() == proof.to_json()
        assert Lock.from_json(proof.lock.to_json()) == proof.lock
        assert verify_roll(proof) == ()
    assert parse_proofs(written(proofs)) == tuple(proofs)


def wrong_with(octets: bytes) -> FaultCode | None:
    """The first thing that is wrong with the bytes of a file of one proof."""
    try:
        findings = verify_roll(Proof.from_json(octets.decode()))
    except UnicodeDecodeError:
        return FaultCode.MALFORMED
    except FairError as error:
        return error.code
    return findings[0].code if findings else None


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def altered(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    copied = json.loads(json.dumps(data))
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copied


@pytest.mark.parametrize("bit", range(8))
def test_any_flipped_bit_of_a_proof_is_found(bit: int) -> None:
    text = HAS_BOTH.to_json().encode()
    assert wrong_with(text) is None
    for index in range(len(text)):
        flipped = bytes([*text[:index], text[index] ^ 1 << bit, *text[index + 1 :]])
        assert wrong_with(flipped), flipped[index - 20 : index + 20]


@settings(max_examples=300)
@given(tables(), st.data())
def test_any_other_byte_anywhere_is_found_by_both_verifiers(proofs: list[Proof], data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(proofs)).to_json().encode()
    index = data.draw(st.integers(0, len(text) - 1))
    octet = data.draw(st.integers(0, 255).filter(lambda octet: octet != text[index]))
    other = bytes([*text[:index], octet, *text[index + 1 :]])
    assert wrong_with(other)
    assert independent.check(other.decode("utf-8", "surrogateescape"))


EXPECTED = {
    "format": "malformed", "table": "lock_altered", "roll": "wrong_link", "chain_length": "lock_altered",
    "chain": "wrong_link", "link": "wrong_link", "anchor": "lock_altered", "next_anchor": "lock_altered",
    "previous_secret": "lock_altered", "previous_seal": "lock_altered", "layout_digest": "lock_altered",
    "commitment": "lock_altered",
    "lock": "lock_altered", "lock_digest": "lock_altered", "secret": "broken_link", "openings": "wrong_seats",
    "seed": "wrong_seed", "missing": "wrong_seats", "client_seeds": "malformed", "seal": "wrong_seal",
}  # fmt: skip


@pytest.mark.parametrize(
    "path", [path for path, _ in leaves(HAS_BOTH.to_data())], ids=lambda path: "/".join(map(str, path))
)
def test_what_was_altered_is_named(path: tuple[Any, ...]) -> None:
    data = HAS_BOTH.to_data()
    value = dict(leaves(data))[path]
    other: str | int
    if path == ("dice",):
        other, expected = "6-6", "wrong_dice"
    elif isinstance(value, int):
        other, expected = 3, EXPECTED[path[-1]]
    elif len(value) == 64:
        other, expected = ("0" if value[0] != "0" else "1") + value[1:], EXPECTED[path[-1]]
    else:
        name = path[0] if path[-1] in ("seat", 0) else path[-1]  # a seat is named by the list it stands in
        other = value + "a"
        expected = EXPECTED[name]
    text = json.dumps(altered(data, path, other))
    assert wrong_with(text.encode()) == expected
    assert independent.check(text) == expected


def test_several_things_are_all_named() -> None:
    data = altered(EVENING[0].to_data(), ("openings", 0, "seed"), "00" * 32)
    data = altered(data, ("openings", 1, "seed"), "00" * 32)
    findings = verify_roll(Proof.from_data(data))
    assert [one.description for one in findings] == [
        "roll 1: the seed of Ann does not match its commitment",
        "roll 1: the seed of Bob does not match its commitment",
    ]


GOOD = HAS_BOTH.to_data()
WORDS = st.sampled_from([*GOOD, *GOOD["lock"]]) | st.text()
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("9" * 5000, "not valid JSON"),
        ("NaN", "NaN is not a JSON number"),
        ("3", "proof must be an object with format"),
        ("null", "proof must be an object"),
        ('{"format": 1, "format": 2}', "duplicate key 'format'"),
        ("{}", "format is missing"),
        (json.dumps(GOOD | {"more": 1}), "unknown key 'more'"),
        (json.dumps(GOOD | {"format": "dice 2"}), "format must be 'trueodds fair roll 1'"),
        (json.dumps(GOOD | {"openings": {}}), "openings must be a list"),
        (json.dumps(GOOD | {"openings": [1]}), "opening 1 must be an object"),
        (json.dumps(GOOD | {"missing": "Bob"}), "missing must be a list"),
        (json.dumps(GOOD | {"missing": [1]}), "missing seat must be 1 to 255 bytes of text"),
        (json.dumps(GOOD | {"missing": ["Bob", "Bob"]}), "missing must be sorted"),
        (json.dumps(GOOD | {"missing": ["\ud800"]}), "missing seat must be 1 to 255 bytes of text"),
        (json.dumps(GOOD | {"missing": ["\x1b[2J"]}), "without control characters"),
        (json.dumps(GOOD | {"client_seeds": True}), "client_seeds must be the number of openings"),
        (json.dumps(GOOD | {"dice": "7-1"}), "a roll must be written like 3-4"),
        (json.dumps(GOOD | {"dice": " 1-6"}), "must be written '1-6', got ' 1-6'"),
        (json.dumps(GOOD | {"dice": None}), "a roll must be written like 3-4"),
        (json.dumps(GOOD | {"secret": "AB" * 32}), "secret must be 64 lowercase hexadecimal digits"),
        (json.dumps(GOOD | {"secret": 5}), "secret must be 64 lowercase hexadecimal digits"),
        (json.dumps(GOOD | {"lock": []}), "lock must be an object"),
        (json.dumps(altered(GOOD, ("lock", "roll"), 0)), "roll must be an integer"),
        (json.dumps(altered(GOOD, ("lock", "roll"), 2.0)), "roll must be an integer"),
        (json.dumps(altered(GOOD, ("lock", "roll"), 2**53)), "roll must be an integer"),
        (json.dumps(altered(GOOD, ("lock", "roll"), 10**4000)), "a very large number"),
        (json.dumps(altered(GOOD, ("lock", "chain_length"), 10**6)), "at most 65536, got 1000000"),
        (json.dumps(altered(GOOD, ("lock", "table"), "t" * 256)), "table must be 1 to 255 bytes"),
        (json.dumps(altered(GOOD, ("lock", "commitments"), GOOD["lock"]["commitments"][::-1])), "sorted by seat"),
        (json.dumps(altered(GOOD, ("openings",), GOOD["openings"] * 2) | {"client_seeds": 2}), "sorted by seat"),
    ],
)  # fmt: skip
def test_malformed_proofs_have_one_line_errors(text: str, message: str) -> None:
    with pytest.raises(FairError) as refused:
        Proof.from_json(text)
    assert refused.value.code == FaultCode.MALFORMED
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    assert independent.check(text) is not None


@settings(max_examples=200)
@given(ANY_JSON)
def test_no_json_breaks_the_parser(data: object) -> None:
    text = json.dumps(data)
    for read in (parse_proofs, parse_locks):
        if data != []:
            with pytest.raises(FairError):
                read(text)


def test_a_proof_in_a_list_is_named_by_its_place() -> None:
    with pytest.raises(FairError, match=r"^proof 2: seal must be 64 lowercase hexadecimal digits"):
        parse_proofs(json.dumps([GOOD, GOOD | {"seal": ""}]))
    with pytest.raises(FairError, match=r"^lock 1: commitment 2: seat is missing"):
        parse_locks(json.dumps([altered(GOOD["lock"], ("commitments", 1), {})]))


def test_a_lock_is_its_fields_in_order_and_nothing_runs_together() -> None:
    """Moving a letter from one name to the next changes the digest: every field has its length before it."""
    dice = FairDice(ServerKey(bytes(32)), "t", 4)
    first, second = (
        FairRoll.first("t").commit(one, bytes(32), 1).commit(other, bytes(32), 1)
        for one, other in (("a", "bc"), ("ab", "c"))
    )
    assert dice.lock(first, layout(1)).digest != dice.lock(second, layout(1)).digest
