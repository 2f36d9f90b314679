"""Rulebooks as data, and the houses that play by them."""

from trueodds.rulebook.book import Book, Game, PayRow, Ruled, Tender, ThrowRuling
from trueodds.rulebook.cite import Cite, Silence, is_silence, say
from trueodds.rulebook.errors import BookError, HouseError, RulebookError
from trueodds.rulebook.form import Form, FormChoice, FormField, form_of
from trueodds.rulebook.house import House, load_house, open_house, read_house
from trueodds.rulebook.library import book_ids, load_book, load_book_file
from trueodds.rulebook.option import OPTION_GROUPS, OPTION_TYPES, Option, plain
from trueodds.rulebook.read import TENDERS, read_book
from trueodds.rulebook.spot import Spot, SpotError
from trueodds.rulebook.wager import WagerText

__all__ = [
    "OPTION_GROUPS",
    "OPTION_TYPES",
    "TENDERS",
    "Book",
    "BookError",
    "Cite",
    "Form",
    "FormChoice",
    "FormField",
    "Game",
    "House",
    "HouseError",
    "Option",
    "PayRow",
    "RulebookError",
    "Ruled",
    "Silence",
    "Spot",
    "SpotError",
    "Tender",
    "ThrowRuling",
    "WagerText",
    "book_ids",
    "form_of",
    "is_silence",
    "load_book",
    "load_book_file",
    "load_house",
    "open_house",
    "plain",
    "read_book",
    "read_house",
    "say",
]
