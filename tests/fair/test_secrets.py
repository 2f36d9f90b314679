"""What is secret is not printed, logged or copied, and chance comes in at one place only."""

from __future__ import annotations

import ast
import copy
import logging
import pickle
import sys
from pathlib import Path

import pytest

import trueodds.fair
from support.fair_rolls import KEY, KEY_BYTES, TABLE, dice, seed, with_commitments, with_openings
from trueodds.fair import FairError, FairRoll, ServerKey, new_key_text, new_seed
from trueodds.fair.secret_chain import SecretChain

ROOM = Path(trueodds.fair.__file__).parent


def looks(secret: bytes) -> list[str]:
    """Every way a secret could show in text."""
    return [secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret)), str(int.from_bytes(secret))]


def test_nothing_prints_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    thrower = dice()
    roll = with_commitments(FairRoll.first(TABLE), "Ann")
    lock = thrower.lock(roll, b"")
    locked = with_openings(roll.with_lock(lock), "Ann")
    chain = SecretChain(KEY, TABLE, 1, 4)
    chain.secret(2)
    with caplog.at_level(logging.INFO):
        for value in (KEY, thrower, chain, roll, locked, lock, locked.openings):
            logging.getLogger("fair").info("%s %r %s", value, value, f"{value}")
    text = caplog.text + lock.to_json()
    assert "hidden" in text
    for secret in (KEY_BYTES, *(chain.secret(link) for link in (1, 2, 3, 4)), seed("Ann", 1)):
        assert not [look for look in looks(secret) if look in text]


def test_errors_do_not_contain_secrets() -> None:
    with pytest.raises(FairError) as refused:
        ServerKey(KEY_BYTES[:31])
    assert str(refused.value) == "key must be 32 bytes, got 31"
    for text in (KEY_BYTES.hex()[:-1], KEY_BYTES.hex() + "0", "x" * 64, ""):
        with pytest.raises(FairError) as refused:
            ServerKey.parse(text)
        assert str(refused.value) == "a key file must hold 64 lowercase hexadecimal digits on one line"


@pytest.mark.parametrize("value", [KEY, dice(), SecretChain(KEY, TABLE, 1, 4)])
def test_secrets_cannot_be_pickled(value: object) -> None:
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            take(value)
    with pytest.raises(TypeError):
        vars(value)


def test_keys_compare_by_value() -> None:
    other = ServerKey.parse(new_key_text())
    assert ServerKey.parse(KEY_BYTES.hex() + "\n") == KEY != other
    assert hash(KEY) == hash(ServerKey(KEY_BYTES))
    assert KEY.fingerprint != other.fingerprint
    assert KEY.fingerprint not in KEY_BYTES.hex()
    assert KEY != KEY_BYTES


def test_new_seeds_are_new() -> None:
    assert len({new_seed() for _ in range(100)} | {bytes.fromhex(new_key_text()) for _ in range(100)}) == 200
    assert len(new_seed()) == 32


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.name)
def test_only_the_entropy_module_draws_random_bytes(path: Path) -> None:
    used = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            used |= {node.module.split(".")[0]}
    assert used <= sys.stdlib_module_names | {"trueodds"}
    assert not used & {"random", "time", "datetime", "os", "pathlib", "socket", "sqlite3", "logging"}
    assert ("secrets" in used) == (path.name == "entropy.py")
