"""The positions of the perft corpus. `python -m support.perft_positions` in tests/ prints the corpus."""

from __future__ import annotations

from support.perft import Perft, perft
from trueodds.notation import parse_position
from trueodds.rulebook import House, load_book
from trueodds.table import Dealer
from trueodds.wagers import TableRules

POSITIONS: list[tuple[str, str, str]] = [
    ("come-out with a line bet each way", "new_jersey", "puck off new | A: pass 10 as 1, dont_pass 10 as 2"),
    ("two line", "win_line", "puck off new | A: pass 10 as 1, dont_pass 10 as 2"),
    ("twelve stays up", "rws", "puck off under_way | A: dont_pass 10 as 1, place:6 12 as 2, hard:8 1 on as 3"),
    (
        "molly", "new_jersey",
        "puck 6 under_way | A: pass 10 as 1 with pass_odds 50 as 2, come:5 10 as 3 with come_odds 40 as 4, come 10 as 5",
    ),
    (
        "dark side with lay odds", "maryland",
        "puck 4 under_way | A: dont_pass 10 as 1 with dont_pass_odds 60 as 2, dont_come 10 as 3, lay:10 40 vig 2 as 4",
    ),
    (
        "everything one-roll", "south_dakota",
        "puck 9 under_way | A: field 5 as 1, any7 1 as 2, horn 4 as 3, whirl 5 as 4, horn_high:12 5 as 5, "
        "hop:2-2 1 as 6, hop:1-6 1 as 7, ce 2 as 8",
    ),
    ("iron cross", "maryland", "puck 8 under_way | A: place:5 10 as 1, place:6 12 as 2, place:8 12 as 3, field 5 as 4"),
    (
        "fire with three points made", "new_jersey",
        "puck 10 under_way | A: fire 5 marks 4+5+6 as 1, pass 10 as 2 | fire 4+5+6",
    ),
    (
        "small, tall and all, four short", "maryland",
        "puck off under_way | A: small 1 marks 2+3 as 1, tall 1 marks 8+9+11+12 as 2, all 1 marks 2+3+8+9+11+12 as 3 "
        "| bonus 2+3+8+9+11+12",
    ),
    ("put with odds and the big ones", "south_dakota", "puck off new | A: put:4 10 as 1 with put_odds 30 as 2, big6 5 as 3"),
    (
        "buys under a whole-dollar house", "rws",
        "puck 5 under_way | A: buy:4 20 vig 1 as 1, buy:9 21 vig 1 as 2, lay:6 24 vig 1 as 3, place:6 13 as 4",
    ),
    ("two players off and on", "maryland", "puck 6 under_way | A: come:9 10 as 1, come 10 as 2 | B: come:9 5 as 3, come 5 as 4"),
]  # fmt: skip
DEPTH = 4


def corpus_totals(book: str, line: str, depth: int = DEPTH) -> list[Perft]:
    dealer = Dealer(TableRules(House(load_book(book))))
    return [perft(dealer, parse_position(line), rolls) for rolls in range(1, depth + 1)]


def main() -> None:
    print("; name; book; position; then for each number of rolls: paid wins losses returned moves seven_outs positions")
    for name, book, line in POSITIONS:
        totals = [" ".join(map(str, total[1:])) for total in corpus_totals(book, line)]
        print("; ".join([name, book, line, *totals]))


if __name__ == "__main__":
    main()
