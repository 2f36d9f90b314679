"""A verifier of fair rolls, written from docs/fairness.md alone: it imports nothing of trueodds."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any


def message(purpose: str, *fields: Any) -> bytes:
    row = b""
    for field in ("trueodds/fair/1/" + purpose, *fields):
        if isinstance(field, int):
            octets = field.to_bytes(8, "big")
        elif isinstance(field, str):
            octets = field.encode("utf-8")
        else:
            octets = field
        row += len(octets).to_bytes(4, "big") + octets
    return row


def H(purpose: str, *fields: Any) -> bytes:  # noqa: N802  as the page calls it
    return hashlib.sha256(message(purpose, *fields)).digest()


def unhex(text: Any) -> bytes:
    if not isinstance(text, str) or len(text) != 64 or any(char not in "0123456789abcdef" for char in text):
        raise ValueError("malformed")
    return bytes.fromhex(text)


def number(value: Any) -> int:
    if type(value) is not int or not 1 <= value < 2**53:
        raise ValueError("malformed")
    return value


def exactly(data: Any, keys: str) -> Any:
    if not isinstance(data, dict) or set(data) != set(keys.split()):
        raise ValueError("malformed")
    return data


def name(text: Any) -> str:
    good = isinstance(text, str) and not any(
        ord(c) < 32 or 127 <= ord(c) <= 159 or 0xD800 <= ord(c) <= 0xDFFF for c in text
    )
    if not good or not 1 <= len(text.encode("utf-8")) <= 255:
        raise ValueError("malformed")
    return str(text)


def sorted_once(seats: list[str]) -> None:
    row = [seat.encode("utf-8") for seat in seats]
    if row != sorted(set(row)):
        raise ValueError("malformed")


def pairs(entries: Any, what: str) -> dict[str, bytes]:
    if not isinstance(entries, list):
        raise ValueError("malformed")
    rows = [exactly(entry, f"seat {what}") for entry in entries]
    sorted_once([name(row["seat"]) for row in rows])
    return {row["seat"]: unhex(row[what]) for row in rows}


def check_one(proof: Any) -> str | None:
    """Give the first code that fits, or none when the proof is right."""
    exactly(proof, "format lock lock_digest secret openings missing client_seeds dice seal")
    lock = exactly(
        proof["lock"],
        "table roll chain_length chain link anchor next_anchor previous_secret previous_seal layout_digest commitments",
    )
    table = name(lock["table"])
    roll, length, chain, link = (number(lock[key]) for key in ("roll", "chain_length", "chain", "link"))
    hashes = [
        unhex(lock[key]) for key in ("anchor", "next_anchor", "previous_secret", "previous_seal", "layout_digest")
    ]
    anchor, _, previous_secret, previous_seal, _ = hashes
    committed, opened = pairs(lock["commitments"], "commitment"), pairs(proof["openings"], "seed")
    missing = [name(seat) for seat in proof["missing"]]
    sorted_once(missing)
    secret, lock_digest, seal = (unhex(proof[key]) for key in ("secret", "lock_digest", "seal"))
    count = proof["client_seeds"]
    is_counted = type(count) is int and count == len(opened)
    if proof["format"] != "trueodds fair roll 1" or length > 65536 or not is_counted:
        raise ValueError("malformed")

    if (chain, link) != ((roll - 1) // length + 1, (roll - 1) % length + 1):
        return "wrong_link"
    row = [part for seat, commitment in committed.items() for part in (seat, commitment)]
    if H("lock", table, roll, length, chain, link, *hashes, len(committed), *row) != lock_digest:
        return "lock_altered"
    if roll == 1 and previous_seal != bytes(32):
        return "wrong_previous_seal"
    down = H("link", table, chain, link, secret)
    if down != previous_secret:
        return "broken_link"
    for k in range(link - 1, 0, -1):
        down = H("link", table, chain, k, down)
    if down != anchor:
        return "wrong_anchor"
    if set(opened) & set(missing) or set(opened) | set(missing) != set(committed):
        return "wrong_seats"
    for seat, seed in opened.items():
        if H("commitment", table, roll, seat, seed) != committed[seat]:
            return "wrong_seed"
    seats = [part for seat in committed for part in (seat, opened.get(seat, b""))]
    dice = roll_dice(secret, lock_digest, len(committed), seats)
    if dice != proof["dice"]:
        return "wrong_dice"
    if H("seal", lock_digest, secret, len(committed), *seats, dice) != seal:
        return "wrong_seal"
    return None


def roll_dice(secret: bytes, lock_digest: bytes, count: int, seats: list[Any]) -> str:
    i = 0
    while True:
        for byte in hmac.new(secret, message("roll", lock_digest, count, *seats, i), hashlib.sha256).digest():
            if byte < 252:
                return f"{byte % 36 // 6 + 1}-{byte % 36 % 6 + 1}"
        i += 1


def check_two(before: Any, proof: Any) -> str | None:
    old, new = before["lock"], proof["lock"]
    if old["table"] != new["table"]:
        return "table_mismatch"
    if new["roll"] != old["roll"] + 1:
        return "repeated_roll" if new["roll"] <= old["roll"] else "skipped_roll"
    if new["chain_length"] != old["chain_length"]:
        return "wrong_link"
    if new["previous_seal"] != before["seal"]:
        return "wrong_previous_seal"
    if new["chain"] == old["chain"]:
        if (new["anchor"], new["next_anchor"]) != (old["anchor"], old["next_anchor"]):
            return "unannounced_anchor"
        return None if new["previous_secret"] == before["secret"] else "broken_link"
    return None if new["anchor"] == old["next_anchor"] else "unannounced_anchor"


def no_key_twice(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in entries}) != len(entries):
        raise ValueError("malformed")
    return dict(entries)


def check(text: str, anchor: str | None = None) -> str | None:
    """Give the first code that fits, ``malformed`` for what is no proof, or none when everything is right."""
    try:
        data = json.loads(text, object_pairs_hook=no_key_twice)
        proofs = data if isinstance(data, list) else [data]
        for index, proof in enumerate(proofs):
            wrong = check_one(proof)
            if index == 0 and anchor not in (None, proof["lock"]["anchor"]):
                return "wrong_anchor"
            if index:
                wrong = check_two(proofs[index - 1], proof) or wrong
            if wrong:
                return wrong
    except (ValueError, TypeError, RecursionError):
        return "malformed"
    return None
