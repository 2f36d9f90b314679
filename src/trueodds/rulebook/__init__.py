"""Rulebooks as data, and houses: the options an operator chose under a book."""

from trueodds.rulebook.book import Book, CitedValue, CustodyRules, GameVariant, IrregularThrow, PayTableRow, Tender
from trueodds.rulebook.book_files import book_ids, load_book, load_book_file
from trueodds.rulebook.book_parser import TENDER_KINDS, parse_book
from trueodds.rulebook.citation import Citation, Silence, format_citation, is_silence
from trueodds.rulebook.errors import BookError, HouseError, RulebookError, UnknownWagerError
from trueodds.rulebook.house import House, as_house, load_house
from trueodds.rulebook.option import Bound, Option, PlainValue, plain_value
from trueodds.rulebook.option_form import FormChoice, FormField, OptionForm, option_form
from trueodds.rulebook.option_specs import OPTION_GROUPS, OPTION_SPECS
from trueodds.rulebook.spot import Spot, SpotError
from trueodds.rulebook.value_types import OptionValue
from trueodds.rulebook.wager_definition import WagerDefinition
from trueodds.rulebook.written_rules import PROCEDURE_TOPICS, Definition, NotForSoftware, Procedure

__all__ = [
    "OPTION_GROUPS",
    "OPTION_SPECS",
    "PROCEDURE_TOPICS",
    "TENDER_KINDS",
    "Book",
    "BookError",
    "Bound",
    "Citation",
    "CitedValue",
    "CustodyRules",
    "Definition",
    "FormChoice",
    "FormField",
    "GameVariant",
    "House",
    "HouseError",
    "IrregularThrow",
    "NotForSoftware",
    "Option",
    "OptionForm",
    "OptionValue",
    "PayTableRow",
    "PlainValue",
    "Procedure",
    "RulebookError",
    "Silence",
    "Spot",
    "SpotError",
    "Tender",
    "UnknownWagerError",
    "WagerDefinition",
    "as_house",
    "book_ids",
    "format_citation",
    "is_silence",
    "load_book",
    "load_book_file",
    "load_house",
    "option_form",
    "parse_book",
    "plain_value",
]
