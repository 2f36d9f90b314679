"""Split the rule texts into clauses and write the list of each book: python tests/support/rule_texts.py FOLDER

FOLDER holds the five texts, each in a file of any name. Only ids and hashes are written; the words stay outside. Titles
of whole documents, tables of contents, page footers, line numbers, dates of amendments and the statutes that a text
rests on are not clauses. Every other line belongs to a clause, or the script stops.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

from trueodds.rulebook.clause_list import is_sub_clause

LISTS = Path(__file__).parents[2] / "src" / "trueodds" / "rulebook" / "clauses"
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")

TITLE = "# "
"""Begins the first line of a section, which is a title."""

MAX_TITLE_WORDS = 3
MAX_INTRO_WORDS = 16
"""A longer line before a list usually says more than that a list follows."""

Clauses = dict[str, list[str]]
"""The lines of each clause by its id, in the order of the text."""


class LostLineError(ValueError):
    """A line of a text belongs to no clause."""


def add(clauses: Clauses, clause_id: str, text: str) -> None:
    """Begin a clause."""
    if clause_id in clauses:
        raise LostLineError(f"{clause_id} begins twice: {text!r}")
    clauses[clause_id] = [text]


def require_next(labels: Iterable[str], label: str, previous: str | None, text: str) -> None:
    """Raise an error unless a label is the one after the previous label of its kind."""
    order = list(labels)
    expected = order[0] if previous is None else order[order.index(previous) + 1]
    if label != expected:
        raise LostLineError(f"expected {expected}, got {label}: {text!r}")


class Outline:
    """The labels of the clauses around a line. Each level counts on its own, and begins again inside a new clause."""

    def __init__(self, *levels: Iterable[str]) -> None:
        self._orders = [list(level) for level in levels]
        self._labels: list[str | None] = [None] * len(levels)

    def enter(self, level: int, label: str, text: str) -> None:
        """Go on to the next label of a level. Labels may not be skipped."""
        require_next(self._orders[level], label, self._labels[level], text)
        self._labels[level] = label
        self._labels[level + 1 :] = [None] * (len(self._labels) - level - 1)

    def labels(self) -> list[str | None]:
        """Return the labels from the outermost level to the innermost one."""
        return list(self._labels)


LETTERS = [chr(ord("a") + number) for number in range(26)]
NUMBERS = [str(number) for number in range(1, 60)]


def maryland(text: str) -> Clauses:
    """COMAR 36.05.05: pages with numbered lines and amendments in bold or struck out."""
    clauses: Clauses = {}
    outline = Outline(
        [f"{number:02}" for number in range(1, 13)], [a.upper() for a in LETTERS], NUMBERS, LETTERS, ROMAN
    )
    current = ""
    for line in maryland_lines(text):
        if match := re.match(r"06\. - \.11 ", line):
            for number in range(6, 12):
                outline.enter(0, f"{number:02}", line)
                add(clauses, f".{number:02}", line)
            continue
        if match := re.match(r"\.?(\d\d)\.? (?=[A-Z])", line):
            outline.enter(0, match[1], line)
        elif match := re.match(r"I?J?([A-Z])\. ?", line):
            outline.enter(1, match[1], line)
        elif match := re.match(r"\((\d+)\) ?", line):
            outline.enter(2, match[1], line)
        elif match := re.match(r"\((i{1,3})\) ?", line):
            outline.enter(4, match[1], line)
        elif match := re.match(r"\(([a-z])\) ?", line):
            outline.enter(3, match[1], line)
        elif current:
            clauses[current].append(line)
            continue
        else:
            raise LostLineError(line)
        section, letter, *rest = outline.labels()
        current = f".{section}{letter or ''}" + "".join(f"({label})" for label in rest if label)
        add(clauses, current, ("" if letter else TITLE) + line[match.end() :])
    return clauses


def maryland_lines(text: str) -> Iterator[str]:
    """Yield the lines without numbers, marks, struck-out words and footers, from the first section on."""
    body = text[text.index("**01. Definitions.**") :]
    for raw in body.splitlines():
        if re.match(r"For August 2013 Commission\.|The original regulation of Craps rules did not", raw):
            continue
        line = re.sub(r"^(- )?\d{1,2}( |$)", "", raw.strip())
        line = re.sub(r"~~.*?~~ ?", "", line).replace("**", "").strip()
        if line:
            yield line


def new_jersey(text: str) -> Clauses:
    """N.J.A.C. 19:47-1: sections, letters, numbers, small Roman numerals and numbers in parentheses."""
    clauses: Clauses = {}
    outline = Outline(NUMBERS, LETTERS, NUMBERS, ROMAN, NUMBERS)
    current = ""
    for raw in text.splitlines():
        line = raw.strip()
        if not line or re.match(r"SUBCHAPTER 1\.|- 19:47-|(As amended|Adopted), effective:", line):
            continue
        if match := re.match(r"19:47-1\.(\d+) ", line):
            outline.enter(0, match[1], line)
        elif match := re.match(r'"([^"]+)" shall mean ', line):
            current = f"1.1 '{match[1]}'"
            add(clauses, current, line)
            continue
        elif match := re.match(r"\(([a-z])\) ", line):
            outline.enter(1, match[1], line)
        elif match := re.match(r"(\d+)\. ", line):
            outline.enter(2, match[1], line)
        elif match := re.match(r"(i{1,3})\. ", line):
            outline.enter(3, match[1], line)
        elif match := re.match(r"\((\d)\) ", line):
            outline.enter(4, match[1], line)
        elif current:
            clauses[current].append(line)
            continue
        else:
            raise LostLineError(line)
        section, letter, number, roman, last = outline.labels()
        current = f"1.{section}" + (f"({letter})" if letter else "") + (number or "")
        current += (f".{roman}" if roman else "") + (f"({last})" if last else "")
        add(clauses, current, ("" if letter else TITLE) + line[match.end() :])
    return clauses


LATIN = str.maketrans("АВСЕНкКМОРТ0", "ABCEHKKMOPTO")  # noqa: RUF001  Cyrillic letters and a zero in the text's own table


def rws(text: str) -> Clauses:
    """The game rules of Resorts World Sentosa: definitions, rules 2 to 5 and four appendices."""
    clauses: Clauses = {}
    body = text[text.index("#### 1 Definitions") :]
    section, item, current = "", "", ""
    for raw in body.splitlines():
        line = re.sub(r"^(#+|-) ", "", raw.strip()).replace("**", "").strip()
        if not line:
            continue
        if raw.startswith("#") and (match := re.match(r'(?:(\d(?:\.\d)?)\.?|Appendix "([A-D])")(?: |$)', line)):
            section = item = match[1] or f"App.{match[2]}"
            current = section
            add(clauses, current, TITLE + line)
        elif section == "1":
            current = sentosa_definition(clauses, current, line)
        elif section == "App.C" and (match := re.match(r"(\S+)\t", line)) and match[1] != "Туре":  # noqa: RUF001  the head of the table, as printed
            current = f"App.C {match[1].translate(LATIN)}"
            add(clauses, current, line[match.end() :])
        elif section == "App.D" and (match := re.match(r'(\d+)\.? (?=")', line)):
            item = current = f"App.D {match[1]}"
            add(clauses, current, line[match.end() :])
        elif section == "App.D" and re.match(r'For "Place", "Buy"|"Field", "Horn Bet"', line):
            current = f"App.D note after {item.removeprefix('App.D ')}"
            add(clauses, current, line)
        elif match := re.match(r"(\d(?:\.\d+)+) ", line):
            item = current = match[1]
            add(clauses, current, line[match.end() :])
        elif match := re.match(r"\(([a-z]+)\) ", line):
            current = f"{sentosa_parent(match[1], item, current)}({match[1]})"
            add(clauses, current, line[match.end() :])
        elif current:
            # Paragraphs without a number after sub-clauses go on with the item around them.
            clauses[item].append(line)
        else:
            raise LostLineError(line)
    return clauses


def sentosa_definition(clauses: Clauses, current: str, line: str) -> str:
    """Read a line of the definitions, and return the clause that it belongs to."""
    if match := re.match(r"\(([iv]+)\) ", line):
        clause_id = re.sub(r"\([iv]+\)$", "", current) + f"({match[1]})"
    elif match := re.match(r"([A-Z][A-Za-z ]*?) (?:refers to|means|is|are) ", line):
        clause_id = f"1 '{match[1]}'"
    else:
        clauses[current].append(line)
        return current
    add(clauses, clause_id, line)
    return clause_id


def sentosa_parent(label: str, item: str, current: str) -> str:
    """Return the clause that a label in parentheses is directly inside: (a) and the list of 3.10 follow their item."""
    if not item.startswith("App.D") or label not in ROMAN:
        return item
    return re.sub(r"\([iv]+\)$", "", current)


class Paragraphs(HTMLParser):
    """The text of each paragraph of an HTML page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "p":
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data


def south_dakota(text: str) -> Clauses:
    """ARSD 20:18:33:02: an HTML page with numbers and letters in parentheses."""
    parser = Paragraphs()
    parser.feed(text)
    clauses: Clauses = {}
    outline = Outline(NUMBERS, LETTERS)
    for paragraph in parser.texts:
        line = paragraph.replace("\xa0", " ").strip()
        if not line or re.match(r"(Source|General Authority|Law Implemented):", line):
            continue
        if line.startswith("20:18:33:02."):
            add(clauses, "(intro)", line)
            continue
        if match := re.match(r"\((\d+)\) +", line):
            outline.enter(0, match[1], line)
        elif match := re.match(r"\(([a-z])\) +", line):
            outline.enter(1, match[1], line)
        else:
            raise LostLineError(line)
        add(clauses, "".join(f"({label})" for label in outline.labels() if label), line[match.end() :])
    return clauses


def win_line(text: str) -> Clauses:
    """Rule 6.1 of the Win Line text: cells of a table, each with its number."""
    clauses: Clauses = {}
    current = ""
    for raw in text.splitlines():
        line = raw.strip().strip("|").strip()
        if not line:
            continue
        if match := re.fullmatch(r"6(\.\d)+", line):
            current = match[0]
            clauses[current] = []
        elif current:
            clauses[current].append(line)
        else:
            raise LostLineError(line)
    return clauses


TEXTS: dict[str, tuple[str, Callable[[str], Clauses]]] = {
    "maryland": ("Chapter .05 Craps Rules", maryland),
    "new_jersey": ("19:47-1.1 Definitions", new_jersey),
    "rws": ("(RWS) Game Rules", rws),
    "south_dakota": ("20:18:33:02", south_dakota),
    "win_line": ('"Win Line" bet means', win_line),
}
"""For each book, words by which its text is recognized, and its parser."""


def read_texts(folder: Path) -> dict[str, Clauses]:
    """Return the clauses of each book, from the texts in a folder."""
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]
    found: dict[str, Clauses] = {}
    for book, (words, parse) in TEXTS.items():
        matching = [text for text in texts if words in text]
        if len(matching) != 1:
            raise LostLineError(f"expected one text with {words!r} in {folder}, got {len(matching)}")
        found[book] = parse(matching[0])
    return found


def normalized(lines: Iterable[str]) -> str:
    """Return the words of a clause without line breaks, marks and typographic quotes."""
    text = re.sub(r"</?u>", "", " ".join(lines).removeprefix(TITLE))
    text = text.translate(str.maketrans("“”’", '""\''))  # noqa: RUF001  the texts use both kinds of quotes
    return re.sub(r"\s+", " ", text).strip()


def kind_of(clause_id: str, clauses: Clauses) -> str:
    """Return the kind of a clause: a section is a title over others, an intro a short line before its sub-clauses."""
    if not any(is_sub_clause(other, clause_id) for other in clauses):
        return "clause"
    if clauses[clause_id][0].startswith(TITLE):
        return "section"
    words = normalized(clauses[clause_id])
    if len(words.split()) <= MAX_TITLE_WORDS:
        return "intro"
    short = len(words.split()) <= MAX_INTRO_WORDS and not re.search(r"\. [A-Z]", words)
    return "intro" if short and words.endswith((":", ",")) else "clause"


def clause_list(clauses: Clauses) -> str:
    """Return the file of a book: the id, kind and hash of each clause."""
    return "".join(
        f"{clause_id}\t{kind_of(clause_id, clauses)}\t{hashlib.sha256(normalized(lines).encode()).hexdigest()}\n"
        for clause_id, lines in clauses.items()
    )


def main() -> None:
    """Write the lists."""
    for book, clauses in read_texts(Path(sys.argv[1])).items():
        (LISTS / f"{book}.txt").write_text(clause_list(clauses), "utf-8")
        print(f"{book}: {len(clauses)} clauses")


if __name__ == "__main__":
    main()
