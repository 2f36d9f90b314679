"""Frames for the fuzzer: valid commands, and altered ones. The same seed makes the same frames."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from support.raw_websocket import BINARY, CLOSE, MORE, PING, TEXT, frame

SPOTS = (
    "pass", "dont_pass", "come", "dont_come", "field", "place:6", "place:8", "buy:4", "lay:10", "hard:4", "hard:8",
    "hop:2-5",
    "any_seven", "any_craps", "horn", "pass_odds", "come:6", "fire", "small", "big:6", "place:7", "place", ":",
    "hop:9-9",
    "place:06", "pass:pass", "PASS", " pass",
)  # fmt: skip
NAMES = (
    "id",
    "command",
    "cents",
    "spot",
    "tag",
    "stake_cents",
    "base_tag",
    "new_stake_cents",
    "call",
    "roll",
    "commitment",
    "seed",
    "player",
    "__class__",
    "",
)
MAX_BYTES = 16_384


class GeneratedFrame(NamedTuple):
    """The bytes to send and the expected number of replies; 0 if the server must close the socket."""

    octets: bytes
    answers: int = 1
    id: Any = None


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


STRANGE_TEXTS: tuple[str, ...] = (
    "null", "true", "false", "0", "-1", "-0", "1.5", "1e3", "1e999", "-1e999", "NaN", "Infinity", "-Infinity",
    "9007199254740993",
    str(2**63), str(-(2**63) - 1), "1" + "0" * 400, "9" * 5000, "[]", "{}", '""', '" "', '"\\u0000"', '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\ufeff"', '"\\u202eabc"', '"\U0001f3b2"', '"e\u0301"', '"\u0661\u0662"', '"' + "x" * 81 + '"',
    '"' + "\u00e9" * 4000 + '"',
    '"1000"', '"500"', '["pass"]', '{"command":"roll"}', '[[[[["a"]]]]]', _deep(300), _deep(5000),
    '{"a":' * 200 + "1" + "}" * 200,
    '"on"', '"off"', '"' + "0" * 64 + '"', '"' + "A" * 64 + '"', '"\\n"', "'x'", "undefined", "01", "+1", ".5",
    "0x10", "1_000",
)  # fmt: skip
"""JSON values, and text that only looks like JSON."""


class FrameGenerator:
    """Generates frames for one player at one table. `tags` and `ids` are those the player has seen."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.tags: list[str] = ["1"]
        self.ids: list[str] = []
        self._count = 0

    def make(self, due: dict[str, Any] | None) -> GeneratedFrame:
        """Return the next frame. `due` is a command that would be accepted now."""
        pick = self.random
        if due is not None and pick.random() < 0.2:
            return self._sent(self._named(due))
        command = self._named(self._command() if due is None or pick.random() < 0.9 else due)
        way = pick.random()
        if way < 0.15:
            return self._sent(command)
        if way < 0.85:
            for _ in range(pick.choice((1, 1, 1, 2, 3))):
                command = pick.choice(_CHANGES)(self, command)
            return self._sent(command)
        return pick.choice(_BYTE_CHANGES)(self, _write(command).encode("utf-8", "surrogatepass"))

    def _named(self, command: dict[str, Any]) -> dict[str, str]:
        """Add an id to a command, and encode every value as JSON."""
        self._count += 1
        return {"id": f'"f{self._count}"'} | {name: json.dumps(value) for name, value in command.items()}

    def _command(self) -> dict[str, Any]:
        pick = self.random
        cents = pick.choice((500, 1000, 1000, 1200, 2500, 1, 10**9, 300_000))
        tag = pick.choice(self.tags)
        commands: tuple[dict[str, Any], ...] = (
            {"command": "join", "cents": cents},
            {"command": "buy_in", "cents": cents},
            *({"command": "bet", "spot": pick.choice(SPOTS), "stake_cents": cents} for _ in range(5)),
            {"command": "bet", "spot": "pass", "stake_cents": 1000},
            {"command": "bet", "spot": "pass_odds", "stake_cents": cents, "base_tag": tag},
            {"command": "press", "tag": tag, "new_stake_cents": cents},
            {"command": "reduce", "tag": tag, "new_stake_cents": cents},
            {"command": "take_down", "tag": tag},
            {"command": "call", "tag": tag, "call": pick.choice(("on", "off", "maybe"))},
            *(
                {"command": name}
                for name in ("accept_dice", "decline_dice", "pass_dice", "decline_line", "roll", "roll")
            ),
            {"command": "commit_seed", "roll": pick.randint(1, 9), "commitment": pick.randbytes(32).hex()},
            {"command": "open_seed", "seed": pick.randbytes(32).hex()},
            {"command": "leave"},
        )
        return pick.choice(commands)

    def _sent(self, command: dict[str, str]) -> GeneratedFrame:
        body = _write(command).encode("utf-8", "surrogatepass")
        if len(body) > MAX_BYTES or b"\xed\xa0" in body:
            return GeneratedFrame(frame(body), 0)
        return GeneratedFrame(frame(body, self.random.choice((TEXT, TEXT, TEXT, BINARY))), 1, command.get("id"))


def _write(command: dict[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in command.items()) + "}"


# ------------------------------------------------------------------------------------- changes to a command


def _other_value(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    name = maker.random.choice(list(command) or ["id"])
    return command | {name: maker.random.choice(STRANGE_TEXTS)}


def _number(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    pick = maker.random
    value = pick.choice((pick.randint(-(2**70), 2**70), pick.uniform(-1e6, 1e6), 10 ** pick.randint(0, 30)))
    return command | {pick.choice(("cents", "stake_cents", "new_stake_cents", "roll")): str(value)}


def _less(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    gone = maker.random.choice(list(command) or [""])
    return {name: value for name, value in command.items() if name != gone}


def _more(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    return command | {maker.random.choice(NAMES): maker.random.choice(STRANGE_TEXTS)}


def _again(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    return command | {"id": json.dumps(maker.random.choice(maker.ids))} if maker.ids else command


def _twice(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    """Repeat a key in one object."""
    name = maker.random.choice(list(command) or ["id"])
    value = command.get(name, "1")
    return command | {name: f"{maker.random.choice(STRANGE_TEXTS)},{json.dumps(name)}:{value}"}


def _letters(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    name = maker.random.choice(list(command) or ["id"])
    text = "".join(chr(maker.random.choice((9, 32, 127, 233, 0x200B, 0x3042, 0x1F600, 65))) for _ in range(5))
    return command | {name: json.dumps(text)}


def _others_tag(maker: FrameGenerator, command: dict[str, str]) -> dict[str, str]:
    return command | {"tag": json.dumps(str(maker.random.randint(0, 40)))}


_CHANGES: tuple[Callable[[FrameGenerator, dict[str, str]], dict[str, str]], ...] = (
    _other_value, _other_value, _number, _less, _more, _again, _twice, _letters, _others_tag,
)  # fmt: skip

# ---------------------------------------------------------------------------------- changes to the bytes


def _cut(maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    return GeneratedFrame(frame(body[: maker.random.randrange(len(body))], BINARY))


def _noise(maker: FrameGenerator, _body: bytes) -> GeneratedFrame:
    return GeneratedFrame(frame(maker.random.randbytes(maker.random.randint(0, 200)), BINARY))


def _flip(maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    altered = bytearray(body)
    altered[maker.random.randrange(len(body))] ^= 1 << maker.random.randrange(8)
    return GeneratedFrame(frame(bytes(altered), BINARY))


def _pieces(maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    """Send one message in pieces, with a ping in between."""
    at = sorted(maker.random.randrange(len(body) + 1) for _ in range(3))
    parts = [body[: at[0]], body[at[0] : at[1]], body[at[1] : at[2]], body[at[2] :]]
    frames = [frame(part, BINARY if number == 0 else MORE, last=number == 3) for number, part in enumerate(parts)]
    return GeneratedFrame(frames[0] + frame(b"?", PING) + b"".join(frames[1:]))


def _together(_maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    """Send the same message twice at once: it runs once and gets two replies."""
    return GeneratedFrame(frame(body, BINARY) * 2, 2)


def _padded(_maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    room = MAX_BYTES - len(body)
    return GeneratedFrame(frame(body + b" " * room if room >= 0 else body, BINARY), 1 if room >= 0 else 0)


def _closes(octets: Callable[[bytes], bytes]) -> Callable[[FrameGenerator, bytes], GeneratedFrame]:
    """Return a generator of frames after which the server must close the socket."""
    return lambda _maker, body: GeneratedFrame(octets(body), 0)


_CLOSING_FRAMES = tuple(
    _closes(octets)
    for octets in (
        lambda _body: frame(b" " * (MAX_BYTES + 1)),
        lambda _body: frame(b"\xff\xfe"),
        lambda body: frame(body, MORE),
        lambda body: frame(body, last=False) + frame(body),
        lambda body: frame(body, 3),
        lambda body: frame(body, extra_bits=0x40),
        lambda body: frame(body, masked=False),
        lambda _body: b"\x81\xff" + b"\xff" * 8,
        lambda _body: frame(b"x" * 126, PING),
        lambda _body: frame(b"\x00", CLOSE),
        lambda _body: frame(b"\x03\xe8", CLOSE),
    )
)


def _closing_frame(maker: FrameGenerator, body: bytes) -> GeneratedFrame:
    return maker.random.choice(_CLOSING_FRAMES)(maker, body)


_BYTE_CHANGES: tuple[Callable[[FrameGenerator, bytes], GeneratedFrame], ...] = (
    _cut, _cut, _noise, _noise, _flip, _flip, _flip, _pieces, _pieces, _together, _padded, _closing_frame,
)  # fmt: skip
