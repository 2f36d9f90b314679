"""What a book says about one kind of wager, before a house is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

from trueodds.dice import TOTALS
from trueodds.rulebook.citation import Citation, CitationParser
from trueodds.rulebook.spot import Spot, SpotError
from trueodds.rulebook.toml_reader import Location, TomlReader, TomlTable, freeze_table

FAMILIES: Final = ("line", "odds", "number", "hardway", "one_roll", "combination", "side_bet")
"""The families of wagers; each has its own rule class in `trueodds.wagers`."""

REQUIRED_FACETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "area": ("def",),
        "family": ("def",),
        "window": ("def",),
        "games": ("def",),
        "number": ("def",),
        "numbers": ("def",),
        "pairs": ("def", "selection"),
        "high": ("def",),
        "travels": ("def",),
        "base": ("def",),
        "first": ("first_win", "first_lose"),
        "then": ("then_win", "then_lose"),
        "wins": ("win", "lose"),
        "shares": ("win", "lose", "pays"),
        "collect": ("win", "lose", "surrender"),
        "table": ("def",),
        "tables": ("def",),
        "pays": ("def",),
        "may_be_off": ("working",),
        "offered": ("offered",),
        "cap": ("cap", "win", "lose", "returned"),
        "vig": ("vig",),
        "unit": ("unit",),
        "box": ("box",),
        "no_box": ("box",),
        "min_stake": ("limits",),
        "max_stake": ("limits",),
        "reduce": ("change",),
        "remove": ("change",),
        "increase": ("increase",),
        "increase_after_point": ("increase",),
        "increase_after_reduction": ("increase",),
        "replace_after_removal": ("increase",),
        "after_win": ("after_win",),
    }
)
"""The citations that each key of a wager needs. A key that is not listed here is misspelled.

`title` and `facts` are not rules: the first is the text's own name, the second are known results for a test to check.
"""

CitationsByFacet = Mapping[str, Citation | Mapping[str, Citation]]
"""Citations by facet ("win", "pays"), and by selection where the book has a clause for each number or pair."""


@dataclass(frozen=True)
class WagerDefinition:
    """One `[wager.kind]` table of a book: its names, its citations, and its terms as they are in the file."""

    kind: str
    title: str
    spot_titles: Mapping[str, str]
    short_name: str
    aliases: tuple[str, ...]
    terms: TomlTable
    cites: CitationsByFacet
    facts: TomlTable

    @property
    def family(self) -> str:
        """The family of wagers it belongs to."""
        return str(self.terms["family"])

    @property
    def area(self) -> str:
        """The area of the layout it is drawn in."""
        return str(self.terms["area"])

    def cite(self, facet: str, selection: str = "") -> Citation:
        """Return where the book states a facet of the wager, for one number or pair if the book distinguishes them."""
        found = self.cites.get(facet, ())
        return found if isinstance(found, tuple) else found.get(selection, ())

    def option(self, *path: str) -> str | None:
        """Return the house option that a term refers to ("$min_bet" is min_bet), or None if the book fixes it.

        >>> from trueodds.rulebook import load_book
        >>> load_book("NJ").wagers["horn"].option("unit", "of")
        'prop_unit'
        """
        value: object = self.terms
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value[1:] if isinstance(value, str) and value.startswith("$") else None

    def spot_title(self, selection: str = "") -> str:
        """Return the name of a spot in the text of the book."""
        return self.spot_titles.get(selection) or f"{self.title} {selection}".strip()

    def spot_name(self, selection: str = "") -> str:
        """Return the name of a spot as a dealer says it."""
        return f"{self.short_name} {selection}".strip()

    def spots(self) -> tuple[Spot, ...]:
        """Return the spots a player can bet this wager on."""
        return self._spots

    @cached_property
    def _spots(self) -> tuple[Spot, ...]:
        for key in ("numbers", "pairs", "high"):
            selections = self.terms.get(key)
            if isinstance(selections, tuple | Mapping):
                return tuple(Spot.parse(f"{self.kind}:{selection}") for selection in selections)
        return (Spot(self.kind),)


def read_wager(
    kind: str, reader: TomlReader, common: TomlTable, common_cites: CitationsByFacet, citations: CitationParser
) -> WagerDefinition:
    """Read one wager: the common terms with its own over them. Raise BookError if a facet has no citation."""
    title, short_name = reader.string("title"), reader.string("short")
    spot_titles = {key: str(value) for key, value in reader.table("titles", {}).take_all().items()}
    aliases = reader.strings("aliases", ())
    cites = {**common_cites, **read_citations(reader.table("cite"), citations)}
    facts = reader.table("facts", {}).take_all()
    own_terms = reader.take_all()
    if own_terms.get("family") not in FAMILIES:
        reader.fail("family", f"expected one of {', '.join(FAMILIES)}, got {own_terms.get('family')!r}")
    if own_terms["family"] == "odds":
        common = {key: value for key, value in common.items() if key not in ("min_stake", "max_stake")}
    terms = {**common, **own_terms}
    wager = WagerDefinition(
        kind,
        title,
        MappingProxyType(spot_titles),
        short_name,
        aliases,
        freeze_table(terms),
        MappingProxyType(cites),
        freeze_table(facts),
    )
    with reader.location.errors_located_here(SpotError):
        wager.spots()
    _check_citations(wager, reader.location)
    return wager


def read_citations(reader: TomlReader, citations: CitationParser) -> dict[str, Citation | Mapping[str, Citation]]:
    """Read citations by facet. Each is a citation, "def" for that of the definition, or a table by selection."""
    values = reader.take_all()
    cites: dict[str, Citation | Mapping[str, Citation]] = {}
    for facet in sorted(values, key=lambda name: name != "def"):
        value, location = values[facet], reader.location_of(facet)
        if value == "def" and "def" in cites:
            cites[facet] = cites["def"]
        elif isinstance(value, Mapping):
            cites[facet] = MappingProxyType(
                {selection: citations.parse(item, location.child(selection)) for selection, item in value.items()}
            )
        else:
            cites[facet] = citations.parse(value, location)
    return cites


def read_totals(reader: TomlReader, key: str) -> tuple[int, ...]:
    """Take a list of totals of two dice."""
    totals = reader.integers(key)
    if not set(totals) <= set(TOTALS):
        reader.fail(key, f"totals of two dice must be 2 to 12, got {list(totals)}")
    return totals


def _check_citations(wager: WagerDefinition, location: Location) -> None:
    for key, value in wager.terms.items():
        facets = REQUIRED_FACETS.get(key)
        if facets is None:
            location.child(key).fail("unknown key")
        if key == "first" and isinstance(value, Mapping) and "bar" in value:
            facets = (*facets, "push")
        for facet in facets:
            for spot in wager.spots():
                if not wager.cite(facet, spot.selection):
                    location.child("cite", facet).fail(f"no clause or silence for {key!r} of {spot}")
