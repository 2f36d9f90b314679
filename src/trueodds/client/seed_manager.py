"""The client seeds of one seat: a commitment for every roll, opened if the lock is correct, and the roll verified.

It does no I/O: events go in, and commands for the seat come out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trueodds.client.errors import UnfairServerError
from trueodds.client.table_event import TableEvent
from trueodds.fair import (
    NO_PREVIOUS_SEAL,
    FairError,
    Lock,
    Proof,
    make_commitment,
    new_seed,
    verify_roll,
    verify_rolls,
)


class SeedManager:
    """Follows the log of a table from its first event. `proofs` contains every roll, verified.

    A seat has one seed per roll. If another connection of the same player committed first, this one opens nothing.
    """

    def __init__(self, table: str, seat: str, new_seed: Callable[[], bytes] = new_seed) -> None:
        self.table = table
        self.seat = seat
        self.proofs: list[Proof] = []
        self.lock: Lock | None = None
        self.is_seated = False
        self._new_seed = new_seed
        self._seeds: dict[int, bytes] = {}
        self._anchor: bytes | None = None
        self._chain_length = 0
        self._has_committed = self._has_opened = self._is_departing = False
        self._committed_roll = 0
        self._requested: set[tuple[str, int]] = set()

    def __repr__(self) -> str:
        return f"SeedManager({self.table!r}, {self.seat!r}, next roll {self.next_roll})"

    @property
    def next_roll(self) -> int:
        """The number of the next roll."""
        return len(self.proofs) + 1

    def on_event(self, event: TableEvent) -> None:
        """Process an event. Raise `UnfairServerError` if a lock or a roll is wrong."""
        body, is_mine = event.body, event.body.get("player") == self.seat
        match event.kind:
            case "anchor_published" if self._anchor is None:
                self._anchor, self._chain_length = bytes.fromhex(body["anchor"]), body["chain_length"]
            case "player_joined" if is_mine:
                self.is_seated = True
                self._requested.discard(("commit_seed", self.next_roll))
            case "player_left" if is_mine:
                self.is_seated = self._is_departing = False
            case "departure_requested" if is_mine:
                self._is_departing = True
            case "seed_committed" if is_mine:
                self._has_committed = True
                self.commitment_accepted(body["commitment"])
            case "seed_withdrawn" if is_mine:
                self._has_committed, self._committed_roll = False, 0
                self._seeds.pop(self.next_roll, None)
            case "roll_locked":
                self._accept_lock(body["lock"])
            case "seed_opened" if is_mine:
                self._has_opened = True
            case "secret_revealed":
                self._verify_proof(body["proof"])
            case "rolled" if not self.proofs or body["dice"] != str(self.proofs[-1].dice):
                raise UnfairServerError(self.next_roll, [f"the dice {body['dice']} are not those of the proof"])

    def next_command(self) -> dict[str, Any] | None:
        """Return the command that the seat must send now, or None. Each command is returned once."""
        seed = self._seeds.get(self.next_roll)
        if self.lock is not None:
            is_committed = self.seat in self.lock.seats and self._committed_roll == self.next_roll
            must_open = is_committed and not self._has_opened
            if not must_open or seed is None or not self._request_once("open_seed"):
                return None
            return {"command": "open_seed", "seed": seed.hex()}
        must_commit = self.is_seated and not self._is_departing and not self._has_committed
        if not must_commit or not self._request_once("commit_seed"):
            return None
        seed = self._seeds[self.next_roll] = self._new_seed()
        return {"command": "commit_seed", "roll": self.next_roll, "commitment": self._commitment(seed).hex()}

    def commitment_accepted(self, commitment: str) -> None:
        """Note that the server accepted a commitment, so that the lock of the next roll must contain it.

        The reply may arrive after the commitment was withdrawn or replaced. Then it has no effect.
        """
        seed = self._seeds.get(self.next_roll)
        if seed is not None and commitment == self._commitment(seed).hex():
            self._committed_roll = self.next_roll

    def is_current(self, command: Mapping[str, Any]) -> bool:
        """Return whether a command of `next_command` is still valid: its seed is the one for the next roll."""
        seed = self._seeds.get(self.next_roll)
        if seed is None or self._has_opened:
            return False
        if command["command"] == "open_seed":
            return self.lock is not None and bool(command["seed"] == seed.hex())
        return self.lock is None and bool(command["commitment"] == self._commitment(seed).hex())

    def _request_once(self, command: str) -> bool:
        key = (command, self.next_roll)
        is_new = key not in self._requested
        self._requested.add(key)
        return is_new

    def _commitment(self, seed: bytes) -> bytes:
        return make_commitment(self.table, self.next_roll, self.seat, seed)

    def _accept_lock(self, data: Mapping[str, Any]) -> None:
        try:
            lock = Lock.from_data(dict(data))
        except FairError as error:
            raise UnfairServerError(self.next_roll, [str(error)]) from None
        faults = [message for is_wrong, message in self._lock_checks(lock) if is_wrong]
        if faults:
            raise UnfairServerError(self.next_roll, faults)
        self.lock = lock

    def _lock_checks(self, lock: Lock) -> list[tuple[bool, str]]:
        """Return the checks that docs/fairness.md requires before a seed is opened."""
        previous = self.proofs[-1] if self.proofs else None
        starts_chain = lock.link == 1
        if previous is None:
            anchor = self._anchor
        else:
            anchor = previous.lock.next_anchor if starts_chain else previous.lock.anchor
        previous_secret = anchor if previous is None or starts_chain else previous.secret
        previous_seal = NO_PREVIOUS_SEAL if previous is None else previous.seal
        is_expected_link = lock.chain_length == self._chain_length and lock.named_link == lock.expected_link
        seed = self._seeds.get(self.next_roll)
        has_committed = self._committed_roll == self.next_roll and seed is not None
        return [
            (lock.table != self.table, f"the lock belongs to table {lock.table}"),
            (lock.roll != self.next_roll, f"the lock is for roll {lock.roll}"),
            (not is_expected_link, "the lock names a link that the roll must not use"),
            (lock.anchor != anchor, "the anchor in the lock was not announced"),
            (lock.previous_secret != previous_secret, "the previous_secret in the lock is wrong"),
            (lock.previous_seal != previous_seal, "the previous_seal in the lock is wrong"),
            (
                has_committed and lock.commitment_of(self.seat) != self._commitment(seed or b""),
                "the lock does not contain this seat's commitment",
            ),
        ]

    def _verify_proof(self, data: Mapping[str, Any]) -> None:
        try:
            proof = Proof.from_data(dict(data))
            known_locks = [] if self.lock is None else [self.lock]
            if self.proofs:
                found = verify_rolls([self.proofs[-1], proof], None, known_locks)
            else:
                found = verify_roll(proof, self._anchor, known_locks)
        except FairError as error:
            raise UnfairServerError(self.next_roll, [str(error)]) from None
        faults = [fault.description for fault in found]
        if self.lock is None or proof.lock != self.lock:
            faults.append("the proof has another lock than the one that was sent")
        if self._has_opened and self.seat in proof.missing:
            faults.append("this seat opened its seed, but the proof lists it as missing")
        if faults:
            raise UnfairServerError(self.next_roll, faults)
        self._seeds.pop(self.next_roll, None)
        self._requested = {(command, roll) for command, roll in self._requested if roll > self.next_roll}
        self.proofs.append(proof)
        self.lock, self._has_committed, self._has_opened = None, False, False
