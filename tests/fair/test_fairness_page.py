"""docs/fairness.md says what the code does: vectors, codes, and a verifier written from the page alone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support import independent_verifier as independent
from support.fair_rolls import KEY, TABLE, dice, format_vectors, make_rolls
from trueodds.fair import FaultCode, parse_proofs, verify_rolls
from trueodds.fair.strict_json import format_json

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fairness.md").read_text("utf-8")
EVENING = (ROOT / "tests" / "fair" / "six_rolls.json").read_text("utf-8")
BEFORE_THE_LOCK_IS_OUT = list(FaultCode)[: list(FaultCode).index(FaultCode.WRONG_LINK)]


def test_the_vectors_of_the_page_are_those_of_the_code() -> None:
    assert f"```\n{format_vectors()}```\n" in PAGE


def test_the_stored_rolls_match_the_vectors() -> None:
    assert parse_proofs(EVENING) == tuple(make_rolls())
    assert verify_rolls(parse_proofs(EVENING), dice().anchor) == ()


@pytest.mark.parametrize("code", [code for code in FaultCode if code not in BEFORE_THE_LOCK_IS_OUT])
def test_every_fault_is_on_the_page(code: FaultCode) -> None:
    assert f"`{code}`" in PAGE


def test_the_other_verifier_imports_nothing_of_ours() -> None:
    source = Path(independent.__file__ or "").read_text("utf-8")
    names = [alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names]
    assert set(names) == {"hashlib", "hmac", "json"}
    assert not re.search(r"^\s*from (?!__future__|typing)", source, re.MULTILINE)


def test_both_verifiers_agree_on_many_rolls() -> None:
    proofs = make_rolls(300, dice(length=64))
    text = format_json([proof.to_data() for proof in proofs])
    assert independent.check(text, dice(length=64).anchor.hex()) is None
    assert verify_rolls(proofs, dice(length=64).anchor) == ()


def test_the_other_verifier_makes_the_same_chain() -> None:
    """It cannot know the key; given the top secret of the page it walks to the anchor of the page."""
    vectors = dict(
        re.split(r"\s{2,}|(?<=\w) (?=[0-9a-f]{64}$)", line, maxsplit=1) for line in format_vectors().splitlines()
    )
    secret = bytes.fromhex(vectors["secret 4"])
    assert secret == KEY.sign("chain", TABLE, 1, 4)
    for link in range(4, 0, -1):
        secret = independent.H("link", TABLE, 1, link, secret)
    assert secret.hex() == vectors["anchor"]
