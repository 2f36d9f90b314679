"""Frames for a fuzzer: wishes that are in order, and what strangers make of them. One seed, the same frames."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from raw_socket import BINARY, CLOSE, MORE, PING, TEXT, frame

SPOTS = (
    "pass", "dont_pass", "come", "dont_come", "field", "place:6", "place:8", "buy:4", "lay:10", "hard:4", "hard:8",
    "hop:2-5",
    "any_seven", "any_craps", "horn", "pass_odds", "come:6", "fire", "small", "big:6", "place:7", "place", ":",
    "hop:9-9",
    "place:06", "pass:pass", "PASS", " pass",
)  # fmt: skip
NAMES = (
    "id",
    "wish",
    "cents",
    "spot",
    "tag",
    "on",
    "to",
    "call",
    "roll",
    "commitment",
    "seed",
    "player",
    "__class__",
    "",
)
MOST_BYTES = 16_384


class Made(NamedTuple):
    """What is written to the wire, and how many answers it gets; none when the server is to end the socket."""

    octets: bytes
    answers: int = 1
    id: Any = None


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


STRANGE: tuple[str, ...] = (
    "null", "true", "false", "0", "-1", "-0", "1.5", "1e3", "1e999", "-1e999", "NaN", "Infinity", "-Infinity",
    "9007199254740993",
    str(2**63), str(-(2**63) - 1), "1" + "0" * 400, "9" * 5000, "[]", "{}", '""', '" "', '"\\u0000"', '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\ufeff"', '"\\u202eabc"', '"\U0001f3b2"', '"e\u0301"', '"\u0661\u0662"', '"' + "x" * 81 + '"',
    '"' + "\u00e9" * 4000 + '"',
    '"1000"', '"500"', '["pass"]', '{"wish":"roll"}', '[[[[["a"]]]]]', _deep(300), _deep(5000),
    '{"a":' * 200 + "1" + "}" * 200,
    '"on"', '"off"', '"' + "0" * 64 + '"', '"' + "A" * 64 + '"', '"\\n"', "'x'", "undefined", "01", "+1", ".5",
    "0x10", "1_000",
)  # fmt: skip
"""Values as JSON text, or as what only looks like it."""


class FrameMaker:
    """Makes frames for one player at one table. What the player has seen is told by `tags`, `ids` and `due`."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.tags: list[str] = ["1"]
        self.ids: list[str] = []
        self._made = 0

    def make(self, due: dict[str, Any] | None) -> Made:
        """Make the next frame; `due` is a wish of the dice, which would go through now."""
        pick = self.random
        if due is not None and pick.random() < 0.2:
            return self._sent(self._named(due))
        wish = self._named(self._wish() if due is None or pick.random() < 0.9 else due)
        way = pick.random()
        if way < 0.15:
            return self._sent(wish)
        if way < 0.85:
            for _ in range(pick.choice((1, 1, 1, 2, 3))):
                wish = pick.choice(_CHANGES)(self, wish)
            return self._sent(wish)
        return pick.choice(_WIRES)(self, _write(wish).encode("utf-8", "surrogatepass"))

    def _named(self, wish: dict[str, Any]) -> dict[str, str]:
        """Give a wish an id, and write every value as JSON."""
        self._made += 1
        return {"id": f'"f{self._made}"'} | {name: json.dumps(value) for name, value in wish.items()}

    def _wish(self) -> dict[str, Any]:
        pick = self.random
        cents = pick.choice((500, 1000, 1000, 1200, 2500, 1, 10**9, 300_000))
        tag = pick.choice(self.tags)
        wishes: tuple[dict[str, Any], ...] = (
            {"wish": "sit", "cents": cents},
            {"wish": "buy_in", "cents": cents},
            *({"wish": "bet", "spot": pick.choice(SPOTS), "cents": cents} for _ in range(5)),
            {"wish": "bet", "spot": "pass", "cents": 1000},
            {"wish": "bet", "spot": "pass_odds", "cents": cents, "on": tag},
            {"wish": "press", "tag": tag, "to": cents},
            {"wish": "reduce", "tag": tag, "to": cents},
            {"wish": "take_down", "tag": tag},
            {"wish": "call", "tag": tag, "call": pick.choice(("on", "off", "maybe"))},
            *({"wish": name} for name in ("accept_dice", "decline_dice", "pass_dice", "decline_line", "roll", "roll")),
            {"wish": "commit", "roll": pick.randint(1, 9), "commitment": pick.randbytes(32).hex()},
            {"wish": "open", "seed": pick.randbytes(32).hex()},
            {"wish": "leave"},
        )
        return pick.choice(wishes)

    def _sent(self, wish: dict[str, str]) -> Made:
        body = _write(wish).encode("utf-8", "surrogatepass")
        if len(body) > MOST_BYTES or b"\xed\xa0" in body:
            return Made(frame(body), 0)
        return Made(frame(body, self.random.choice((TEXT, TEXT, TEXT, BINARY))), 1, wish.get("id"))


def _write(wish: dict[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in wish.items()) + "}"


# ------------------------------------------------------------------------------------- changes to a wish


def _other_value(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    name = maker.random.choice(list(wish) or ["id"])
    return wish | {name: maker.random.choice(STRANGE)}


def _number(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    pick = maker.random
    value = pick.choice((pick.randint(-(2**70), 2**70), pick.uniform(-1e6, 1e6), 10 ** pick.randint(0, 30)))
    return wish | {pick.choice(("cents", "to", "roll")): str(value)}


def _less(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    gone = maker.random.choice(list(wish) or [""])
    return {name: value for name, value in wish.items() if name != gone}


def _more(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    return wish | {maker.random.choice(NAMES): maker.random.choice(STRANGE)}


def _again(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    return wish | {"id": json.dumps(maker.random.choice(maker.ids))} if maker.ids else wish


def _twice(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    """Say a key twice in one object."""
    name = maker.random.choice(list(wish) or ["id"])
    value = wish.get(name, "1")
    return wish | {name: f"{maker.random.choice(STRANGE)},{json.dumps(name)}:{value}"}


def _letters(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    name = maker.random.choice(list(wish) or ["id"])
    text = "".join(chr(maker.random.choice((9, 32, 127, 233, 0x200B, 0x3042, 0x1F600, 65))) for _ in range(5))
    return wish | {name: json.dumps(text)}


def _others_tag(maker: FrameMaker, wish: dict[str, str]) -> dict[str, str]:
    return wish | {"tag": json.dumps(str(maker.random.randint(0, 40)))}


_CHANGES: tuple[Callable[[FrameMaker, dict[str, str]], dict[str, str]], ...] = (
    _other_value, _other_value, _number, _less, _more, _again, _twice, _letters, _others_tag,
)  # fmt: skip

# ---------------------------------------------------------------------------------- changes to the wire


def _cut(maker: FrameMaker, body: bytes) -> Made:
    return Made(frame(body[: maker.random.randrange(len(body))], BINARY))


def _noise(maker: FrameMaker, _body: bytes) -> Made:
    return Made(frame(maker.random.randbytes(maker.random.randint(0, 200)), BINARY))


def _flip(maker: FrameMaker, body: bytes) -> Made:
    altered = bytearray(body)
    altered[maker.random.randrange(len(body))] ^= 1 << maker.random.randrange(8)
    return Made(frame(bytes(altered), BINARY))


def _pieces(maker: FrameMaker, body: bytes) -> Made:
    """Send one message in pieces, with a ping in between."""
    at = sorted(maker.random.randrange(len(body) + 1) for _ in range(3))
    parts = [body[: at[0]], body[at[0] : at[1]], body[at[1] : at[2]], body[at[2] :]]
    frames = [frame(part, BINARY if number == 0 else MORE, last=number == 3) for number, part in enumerate(parts)]
    return Made(frames[0] + frame(b"?", PING) + b"".join(frames[1:]))


def _together(_maker: FrameMaker, body: bytes) -> Made:
    """Send the same message twice in one go: done once, answered twice."""
    return Made(frame(body, BINARY) * 2, 2)


def _padded(_maker: FrameMaker, body: bytes) -> Made:
    room = MOST_BYTES - len(body)
    return Made(frame(body + b" " * room if room >= 0 else body, BINARY), 1 if room >= 0 else 0)


def _ended(octets: Callable[[bytes], bytes]) -> Callable[[FrameMaker, bytes], Made]:
    """Make what no socket survives."""
    return lambda _maker, body: Made(octets(body), 0)


_ENDS = tuple(
    _ended(octets)
    for octets in (
        lambda _body: frame(b" " * (MOST_BYTES + 1)),
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


def _any_end(maker: FrameMaker, body: bytes) -> Made:
    return maker.random.choice(_ENDS)(maker, body)


_WIRES: tuple[Callable[[FrameMaker, bytes], Made], ...] = (
    _cut, _cut, _noise, _noise, _flip, _flip, _flip, _pieces, _pieces, _together, _padded, _any_end,
)  # fmt: skip
