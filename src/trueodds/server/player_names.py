"""Names, looked up at the edge: the journal has opaque ids, and only what goes to a client has names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from trueodds.journal import People

PERSON_ID: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
GONE: Final = "somebody who left"
_KNOWN_MS: Final = 60_000
MOST_MS: Final = 2**63
_REMEMBERED: Final = 10_000


class Names:
    """Knows names for a minute. Looking up asks the database, so it is never done on the event loop.

    `edition` grows when a name is forgotten: what was written with names of before is to be written again.
    """

    def __init__(self, people: People, clock: Callable[[], int]) -> None:
        self._people = people
        self._clock = clock
        self._known: dict[str, tuple[str | None, int]] = {}
        self.edition = 0

    def of(self, ids: Iterable[str]) -> dict[str, str]:
        """Give the names of people; an id of nobody has none, and whoever was deleted is only somebody."""
        found = {one: self._name(one) for one in ids}
        return {one: name for one, name in found.items() if name is not None}

    def within(self, text: str) -> dict[str, str]:
        """Give the names of everybody whose id stands in a text."""
        return self.of(ids_within(text))

    def recall(self, ids: Iterable[str]) -> dict[str, str] | None:
        """Give names without looking anybody up; None when somebody has to be."""
        now = self._clock()
        found = {one: self._known.get(one, (None, 0)) for one in ids}
        if any(until <= now for _, until in found.values()):
            return None
        return {one: name for one, (name, _) in found.items() if name is not None}

    def forget(self, person_id: str) -> None:
        """Look again next time: the name changed."""
        self._known.pop(person_id, None)
        self.edition += 1

    def until_ms(self, ids: Iterable[str]) -> int:
        """Say how long the names of some people are known; nobody has no end."""
        return min((self._known.get(one, (None, 0))[1] for one in ids), default=MOST_MS)

    def _name(self, person_id: str) -> str | None:
        name, until = self._known.get(person_id, (None, 0))
        if self._clock() < until:
            return name
        person = self._people.find(person_id)
        name = None if person is None else person.name or GONE
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[person_id] = (name, self._clock() + _KNOWN_MS)
        return name


def ids_within(text: str) -> tuple[str, ...]:
    """Find the ids in a text, each once and in order.

    >>> ids_within("0123456789abcdef0123456789abcdef leaves the table")
    ('0123456789abcdef0123456789abcdef',)
    """
    return tuple(sorted(set(PERSON_ID.findall(text))))


def put_names(text: str, names: dict[str, str]) -> str:
    """Put names where ids stand in a sentence.

    >>> put_names("0123456789abcdef0123456789abcdef leaves the table", {"0123456789abcdef0123456789abcdef": "Ann"})
    'Ann leaves the table'
    """
    return PERSON_ID.sub(lambda found: names.get(found[0], found[0]), text)
