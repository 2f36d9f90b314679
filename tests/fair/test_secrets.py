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
from fair.evening import KEY, KEY_BYTES, TABLE, committed, dice, opened, seed
from trueodds.fair import FairError, FairRoll, Key, new_key_text, new_seed
from trueodds.fair.chain import Chain

ROOM = Path(trueodds.fair.__file__).parent


def looks(secret: bytes) -> list[str]:
    """Every way a secret could show in text."""
    return [secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret)), str(int.from_bytes(secret))]


def test_nothing_prints_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    thrower = dice()
    roll = committed(FairRoll.first(TABLE), "Ann")
    lock = thrower.lock(roll, b"")
    locked = opened(roll.locked(lock), "Ann")
    chain = Chain(KEY, TABLE, 1, 4)
    chain.secret(2)
    with caplog.at_level(logging.INFO):
        for value in (KEY, thrower, chain, roll, locked, lock, locked.openings):
            logging.getLogger("fair").info("%s %r %s", value, value, f"{value}")
    text = caplog.text + lock.to_json()
    assert "hidden" in text
    for secret in (KEY_BYTES, *(chain.secret(link) for link in (1, 2, 3, 4)), seed("Ann", 1)):
        assert not [look for look in looks(secret) if look in text]


def test_errors_do_not_tell_what_they_were_given() -> None:
    with pytest.raises(FairError) as refused:
        Key(KEY_BYTES[:31])
    assert str(refused.value) == "a key is 32 bytes, not 31"
    for text in (KEY_BYTES.hex()[:-1], KEY_BYTES.hex() + "0", "x" * 64, ""):
        with pytest.raises(FairError) as refused:
            Key.parse(text)
        assert str(refused.value) == "a key file holds 64 hexadecimal digits in lower case on one line"


@pytest.mark.parametrize("value", [KEY, dice(), Chain(KEY, TABLE, 1, 4)])
def test_what_is_secret_is_not_copied(value: object) -> None:
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not copied"):
            take(value)
    with pytest.raises(TypeError):
        vars(value)


def test_keys_are_compared_and_told_apart() -> None:
    other = Key.parse(new_key_text())
    assert Key.parse(KEY_BYTES.hex() + "\n") == KEY != other
    assert hash(KEY) == hash(Key(KEY_BYTES))
    assert KEY.mark != other.mark
    assert KEY.mark not in KEY_BYTES.hex()
    assert KEY != KEY_BYTES


def test_new_seeds_are_new() -> None:
    assert len({new_seed() for _ in range(100)} | {bytes.fromhex(new_key_text()) for _ in range(100)}) == 200
    assert len(new_seed()) == 32


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.name)
def test_the_room_uses_the_standard_library_and_chance_at_one_place(path: Path) -> None:
    used = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            used |= {node.module.split(".")[0]}
    assert used <= sys.stdlib_module_names | {"trueodds"}
    assert not used & {"random", "time", "datetime", "os", "pathlib", "socket", "sqlite3", "logging"}
    assert ("secrets" in used) == (path.name == "entropy.py")
