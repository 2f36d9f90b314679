"""What a book says about one kind of wager, before any house is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from trueodds.rulebook.cite import Cite, Citer
from trueodds.rulebook.errors import BookError
from trueodds.rulebook.reader import Reader, frozen
from trueodds.rulebook.spot import Spot, SpotError

FAMILIES: Final = ("line", "odds", "number", "hardway", "one_roll", "parts", "hand")

# Which facets of a wager must be cited for a key to stand in its table. A key that is not here is a typing
# error. `title` and `facts` are not rules: the first is the text's own name, the second our cross-check.
FACETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
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
        "parts": ("win", "lose", "pays"),
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
        "least": ("limits",),
        "most": ("limits",),
        "reduce": ("change",),
        "remove": ("change",),
        "increase": ("increase",),
        "increase_after_point": ("increase",),
        "increase_after_cut": ("increase",),
        "after_win": ("after_win",),
    }
)

CiteMap = Mapping[str, Cite | Mapping[str, Cite]]


@dataclass(frozen=True)
class WagerText:
    """One `[wager.kind]` table: its names, its citations, and its terms as they stand in the file."""

    kind: str
    title: str
    titles: Mapping[str, str]
    short: str
    aliases: tuple[str, ...]
    terms: Mapping[str, Any]
    cites: CiteMap
    facts: Mapping[str, Any]

    @property
    def family(self) -> str:
        """Which family of code gives the wager its life."""
        return str(self.terms["family"])

    def cite(self, facet: str, selection: str = "") -> Cite:
        """Where the book says this about the wager (for this number or pair, where it distinguishes)."""
        found = self.cites.get(facet, ())
        return found if isinstance(found, tuple) else found.get(selection, ())

    def title_of(self, selection: str = "") -> str:
        """Give the text's own name of a spot."""
        return self.titles.get(selection) or f"{self.title} {selection}".strip()

    def short_of(self, selection: str = "") -> str:
        """Say what a dealer would call a spot."""
        return f"{self.short} {selection}".strip()

    def spots(self) -> tuple[Spot, ...]:
        """List the places a player can put this wager."""
        terms = self.terms
        if "numbers" in terms:
            return tuple(Spot(self.kind, (number,)) for number in terms["numbers"])
        if "pairs" in terms:
            return tuple(Spot.parse(f"{self.kind}:{pair}") for pair in terms["pairs"])
        if "high" in terms:
            return tuple(Spot(self.kind, (int(number),)) for number in terms["high"])
        return (Spot(self.kind),)


def read_wager(kind: str, table: object, common: Mapping[str, Any], common_cites: CiteMap, citer: Citer) -> WagerText:
    """Read one wager, laying its own terms over the common ones, and demand a citation for every facet."""
    reader = Reader(table, f"wager.{kind}")
    title, short = reader.text("title"), reader.text("short")
    titles = {key: str(value) for key, value in reader.table("titles", {}).items()}
    aliases = reader.texts("aliases", ())
    cites = {**common_cites, **read_cites(reader.table("cite"), citer)}
    facts = dict(reader.table("facts", {}).items())
    terms = {**common, **dict(reader.items())}
    if terms.get("family") not in FAMILIES:
        reader.fail("family", f"expected one of {', '.join(FAMILIES)}, not {terms.get('family')!r}")
    if terms["family"] == "odds":
        terms.pop("least", None)
        terms.pop("most", None)
    wager = WagerText(
        kind,
        title,
        MappingProxyType(titles),
        short,
        aliases,
        frozen(terms),
        MappingProxyType(cites),
        frozen(facts),
    )
    try:
        wager.spots()
    except (SpotError, TypeError, ValueError) as error:
        raise BookError(reader.where, f"a selection is wrong: {error}") from None
    _demand_citations(wager)
    return wager


def read_cites(reader: Reader, citer: Citer) -> dict[str, Cite | Mapping[str, Cite]]:
    """Read citations by facet: one each, "def" for the definition's, or a table by selection."""
    cites: dict[str, Cite | Mapping[str, Cite]] = {}
    for facet, value in sorted(reader.items(), key=lambda item: item[0] != "def"):
        if value == "def" and "def" in cites:
            cites[facet] = cites["def"]
        elif isinstance(value, Mapping):
            cites[facet] = MappingProxyType(
                {key: citer.read(one, reader.at(f"{facet}.{key}")) for key, one in value.items()}
            )
        else:
            cites[facet] = citer.read(value, reader.at(facet))
    return cites


def _demand_citations(wager: WagerText) -> None:
    where = f"wager.{wager.kind}"
    for key, value in wager.terms.items():
        facets = FACETS.get(key)
        if facets is None:
            raise BookError(f"{where}.{key}", "unknown key")
        if key == "first" and isinstance(value, Mapping) and "bar" in value:
            facets = (*facets, "push")
        for facet in facets:
            for spot in wager.spots():
                if not wager.cite(facet, spot.selection):
                    raise BookError(f"{where}.cite.{facet}", f"no clause or silence for {key!r} of {spot}")
