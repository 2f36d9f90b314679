"""Builds rules: reads the terms of one wager under a house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from trueodds.money import Cents, Odds
from trueodds.rulebook import Book, House, HouseError, Spot, WagerDefinition
from trueodds.rulebook.toml_reader import TomlReader
from trueodds.wagers.wager_rule import NEVER_LOCKED, WINDOW_DESCRIPTIONS, Availability, Lock, Payout

LOCK_OF_VALUE: Final[Mapping[object, Lock]] = {
    NEVER_LOCKED: NEVER_LOCKED,
    "point": "point",
    "placement": "placement",
    True: NEVER_LOCKED,
    False: "placement",
    "allow": NEVER_LOCKED,
    "refuse": "placement",
}
"""What a book or an option may say about changes of a wager, and the lock it stands for."""


class CommonFields(TypedDict):
    """The fields that every rule has, besides its spot."""

    definition: WagerDefinition
    window: str
    availability: Availability
    min_stake: Cents
    max_stake: Cents | None
    stake_unit: int
    reduce_lock: Lock
    remove_lock: Lock
    increase_lock: Lock
    increase_after_point: bool
    increase_after_reduction: bool
    replace_after_removal: bool
    stays_up: bool
    may_be_off: bool
    pay_unit: int


class RuleBuilder:
    """Reads the terms of one wager under a house. Each family builds its rules from one."""

    def __init__(self, house: House, definition: WagerDefinition) -> None:
        self.house = house
        self.book: Book = house.book
        self.definition = definition
        location = self.book.location.child("wager", definition.kind)
        try:
            terms = house.resolve(definition.terms)
        except HouseError as error:
            location.fail(error.problem)
        self.reader = TomlReader(terms, location)
        self.reader.take("family")
        self.reader.take("area")

    def payout(self, key: object, selection: str = "") -> Payout:
        """Return the odds of a row of the pay table, as the house changed them."""
        row = self.book.pay_table.get(key) if isinstance(key, str) else None
        if row is None or not isinstance(key, str):
            self.reader.fail("pays", f"the pay table has no row {key!r}")
        changed = self.house.pay_table_changes.get(key)
        return Payout(Odds.parse(changed) if changed else row.odds, self.definition.cite("pays", selection) or row.cite)

    def read_lock(self, key: str) -> Lock:
        """Read from when on a kind of change is not allowed."""
        value = self.reader.take(key, NEVER_LOCKED)
        lock = LOCK_OF_VALUE.get(value) if isinstance(value, str | bool) else None
        if lock is None:
            self.reader.fail(key, f"expected never_locked, point or placement, got {value!r}")
        return lock

    def common_fields(self, spot: Spot) -> CommonFields:
        """Read what every rule has. Families take the other terms and call `reader.reject_unknown_keys`."""
        reader = self.reader
        min_stake = self.read_limit("min_stake", Cents(0))
        return {
            "definition": self.definition,
            "window": reader.choice("window", WINDOW_DESCRIPTIONS, "any"),
            "availability": self.read_availability(spot),
            "min_stake": self.house.min_bet_cents if min_stake is None else min_stake,
            "max_stake": self.read_limit("max_stake", None),
            "stake_unit": self._read_stake_unit(),
            "reduce_lock": self.read_lock("reduce"),
            "remove_lock": self.read_lock("remove"),
            "increase_lock": self.read_lock("increase"),
            "increase_after_point": reader.boolean("increase_after_point", False),
            "increase_after_reduction": reader.boolean("increase_after_reduction", True),
            "replace_after_removal": reader.choice("replace_after_removal", ("free", "strict"), "free") == "free",
            "stays_up": reader.choice("after_win", ("up", "down"), "down") == "up",
            "may_be_off": reader.boolean("may_be_off", False),
            "pay_unit": self.house.pay_unit_cents,
        }

    def read_availability(self, spot: Spot) -> Availability:
        """Read whether the house offers the wager in its game."""
        games, offered = self.reader.take("games", None), self.reader.take("offered", True)
        if isinstance(games, tuple) and self.house["game"] not in games:
            return Availability(False, self.definition.cite("def", spot.selection))
        is_offered = self.definition.kind in offered if isinstance(offered, tuple) else bool(offered)
        cite = self.definition.cite("offered", spot.selection) or self.book.refusal_cites["not_offered"]
        return Availability(is_offered, cite)

    def read_limit(self, key: str, default: Cents | None) -> Cents | None:
        """Read an amount in cents, or None if there is no limit."""
        value = self.reader.take(key, default)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            self.reader.fail(key, f"expected an amount in cents, got {value!r}")
        return None if value is None else Cents(value)

    def _read_stake_unit(self) -> int:
        if not self.reader.has("unit"):
            return 1
        row = self.reader.table("unit")
        units, unit_cents, applies = row.integer("units"), row.integer("of"), row.boolean("when")
        row.reject_unknown_keys()
        if units < 1:
            self.reader.fail("unit", f"units must be at least 1, got {units}")
        return units * unit_cents if applies else 1
