"""The dice of one table: they hold its secret chains, make its locks and roll."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex

from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_name
from trueodds.fair.proof import Proof
from trueodds.fair.roll_in_progress import FairRoll
from trueodds.fair.roll_lock import Lock, layout_digest
from trueodds.fair.secret_chain import CHAIN_LENGTH, SecretChain, check_chain_length, link_of
from trueodds.fair.server_key import ServerKey


class FairDice:
    """The server's side of the dice of one table. The same key makes the same dice in every process.

    >>> from trueodds.fair import make_commitment
    >>> dice = FairDice(ServerKey(bytes(32)), "t1", chain_length=16)
    >>> dice
    FairDice('t1', chain_length=16, secrets hidden)
    >>> roll = FairRoll.first("t1").commit("Ann", make_commitment("t1", 1, "Ann", bytes(32)), 1)
    >>> lock = dice.lock(roll, b"Ann: pass 10")
    >>> proof = dice.roll(roll.with_lock(lock).open_seed("Ann", bytes(32)))
    >>> proof.dice, proof.missing, proof.has_client_seed
    (Roll(2, 2), (), True)
    """

    __slots__ = ("_chains", "_key", "chain_length", "table")

    def __init__(self, key: ServerKey, table: str, chain_length: int = CHAIN_LENGTH) -> None:
        self._key = key
        self.table = check_name(table, "table")
        self.chain_length = check_chain_length(chain_length)
        self._chains: dict[int, SecretChain] = {}

    @property
    def anchor(self) -> bytes:
        """The anchor of the first chain. Publish it when the table opens, before any commitment is accepted."""
        return self._chain(1).anchor

    def lock(self, roll: FairRoll, layout: bytes) -> Lock:
        """Return the lock of a roll. The same roll always gets the same lock.

        Record the lock before any client seed is accepted.
        """
        if roll.table != self.table:
            raise FairError(FaultCode.TABLE_MISMATCH, f"these dice belong to {self.table}, got a roll of {roll.table}")
        if roll.lock is not None:
            raise FairError(FaultCode.ALREADY_LOCKED, f"roll {roll.number} of {roll.table} is already locked")
        link = link_of(roll.number, self.chain_length)
        chain = self._chain(link.chain)
        return Lock(
            table=self.table, roll=roll.number, chain_length=self.chain_length, chain=link.chain, link=link.number,
            anchor=chain.anchor, next_anchor=self._chain(link.chain + 1).anchor,
            previous_secret=chain.secret(link.number - 1), previous_seal=roll.previous_seal,
            layout_digest=layout_digest(layout), commitments=roll.commitments,
        )  # fmt: skip

    def roll(self, roll: FairRoll) -> Proof:
        """Reveal the secret of the locked link and return the proof of the roll.

        Record the proof before anybody sees it.
        """
        lock = roll.lock
        if lock is None:
            raise FairError(FaultCode.NOT_LOCKED, f"roll {roll.number} of {roll.table} is not locked yet")
        self._check_lock(lock)
        return Proof.create(roll, lock, self._chain(lock.chain).secret(lock.link))

    def _check_lock(self, lock: Lock) -> None:
        """Raise `FairError` if a lock was not made with these dice, so that no other secret is revealed."""
        if lock.table != self.table:
            raise FairError(FaultCode.TABLE_MISMATCH, f"these dice belong to {self.table}, got a lock of {lock.table}")
        if lock.chain_length != self.chain_length or lock.named_link != lock.expected_link:
            expected = lock.expected_link
            raise FairError(
                FaultCode.WRONG_LINK,
                f"the lock of roll {lock.roll} must name link {expected.number} of chain {expected.chain} "
                f"of {self.chain_length} links, got link {lock.link} of chain {lock.chain} of {lock.chain_length}",
            )
        chain, next_chain = self._chain(lock.chain), self._chain(lock.chain + 1)
        expected_secrets = (chain.anchor, next_chain.anchor, chain.secret(lock.link - 1))
        if (lock.anchor, lock.next_anchor, lock.previous_secret) != expected_secrets:
            raise FairError(
                FaultCode.WRONG_KEY, f"the lock of roll {lock.roll} of {lock.table} was made with another key"
            )

    def _chain(self, number: int) -> SecretChain:
        """Return a chain. The current chain and its neighbor stay in memory."""
        if number not in self._chains:
            neighbors = {other: chain for other, chain in self._chains.items() if abs(other - number) == 1}
            self._chains = neighbors | {number: SecretChain(self._key, self.table, number, self.chain_length)}
        return self._chains[number]

    def __repr__(self) -> str:
        return f"FairDice({self.table!r}, chain_length={self.chain_length}, secrets hidden)"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to pickle: the secrets must not leave the process that has the key."""
        raise TypeError("FairDice cannot be pickled: its secrets must not leave the process")
