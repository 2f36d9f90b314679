"""Names and phrases that were retired do not come back.

They were a private language: readers who knew Python and craps could not guess what they meant. `docs/architecture.md`
has the words to use.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "trueodds"
FRONTEND = ROOT / "frontend" / "src"

RETIRED_MODULES = frozenset(
    """
    absorbing amount arithmetic attention behind box boxman by_engine by_numpy cards chain chance changes closing
    coder coming company compiling damage desk door faces fan feed figures finding fleet floor fold growing guard
    hands heads keeper leaver legality legible lockstep look machine match named news packed part parts past place
    plan player proving rates reading relay rollout running seal seen sentence shape show sitting special standing
    stick stream tally terms tryout visitor walk walker when wire wish words
    """.split()  # noqa: SIM905  a list of words is easier to read
)

RETIRED_NAMES = frozenset(
    """
    AnsweredError Asked Asker AtDesk Attention Boxman CallWager Called CashOut ChainError ChainTooLargeError Changed
    ChangeUp Citer Coming Counted DamagedError Desk DiceMoved Door Doors EndlessError EnginePlayer Everywhere Fate
    Flow FoldError Glance GoAway Granted Growing HandChain HandOdds Held Ints Keeper Known LaterView Lawful
    LimitsGiven Made Maker Marked MarkedView NameGiven NewRow News NoFundsError OneOf PackedFlow PartsRule
    PatientBar Places Ruled Ruling Rulings ServiceRefused SitDown Standing Standings SurveillanceTold Tally
    ThrowRuling Thrown UnfairError Verdict Visitor WagerText Wish Wishes ALONE_MS ASKS ASK_AGAIN AT_ONCE
    BANKROLL_MOST BUY_IN_MOST BY_PAIR BY_TOTAL CALM_BELOW CALM_FROM FOR_EVER GROUPS_MOST GOES_ON HANDS_SEEN HASTE_S
    HIRED HOUSEKEEPING KINDS_OF_ASKS LET_RUN LONG_ENOUGH NOES NOTHING_MARKED NOT_NOW PARKED PASS_OVER PATIENCE_S
    TOGETHER UNBUILT WAITING_MOST WATCHED_BY_ENGINE WENT asks_about behind_odds between_ms by_pair by_phase cash_out
    check_legible coder_of coming_of comings each_shooter easy_stake exact_endings fan_rows go_on hire_all
    hired home_of how_do_i_stand in_dealing_order increase_after_cut keep_company lay_out let_run list_choices
    lawful_words make_plan move_dice move_of named_strategy next_wish not_too_often once_in or_nobody owner_of
    part_of pay_words play_far play_here points_named put_up read_terms read_wish run_until_told say_record show_up
    solve_group somebody stakes_of standing standings states_of tables_with_leavers tags_of take_up tells_seven told
    told_apart told_clearly truth_of up_after verify_coming_and_going view_rows wait_no_longer waiving walk_abreast
    walk_each who_am_i who_asks whom why_over winners_come_down wins_of wire_of wish wishes
    """.split()  # noqa: SIM905  a list of words is easier to read
)

RETIRED_PHRASES = (
    r"\bwhoever\b",
    r"\banew\b",
    r"\bso many\b",
    r"\bnoes\b",
    r"\ba no\b(?! roll)",
    r"(?<!there )\bis no (action|book|bet|house|name|number|option|player|roll|spot|strategy|such|table|wager)\b",
    r"\bwhat is up\b",
    r"\btold apart\b",
    r"\bwhat comes with it\b",
    r"\bthe shelf\b",
    r"\bmore than nothing\b",
    r"\bas one likes\b",
    r"\bgo away\b",
    r"\bwish(es)?\b",
    r"\b(is|are|it is) told\b",
    r"\btell whether\b",
    r'"""(Give (?!up)|Say |Tell )',
    r"\bwho one is\b",
    r"\blet what\b",
    r"\bboxman\b",
    r"\bleavers?\b",
)


def python_identifiers(path: Path) -> set[str]:
    """Return every name that a module defines or uses."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for field in ("id", "attr", "name", "arg", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                names.add(value)
    return names


def frontend_identifiers(path: Path) -> set[str]:
    """Return every word of a file that could be a name, without comments."""
    text = re.sub(r"/\*.*?\*/|<!--.*?-->|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


MODULES = sorted(SOURCE.rglob("*.py"))
PAGES = sorted(
    path for pattern in ("*.ts", "*.svelte") for path in FRONTEND.rglob(pattern) if ".test." not in path.name
)
PROSE = [
    ROOT / "README.md", ROOT / "dev.py", ROOT / "hatch_build.py", *MODULES, *PAGES, *sorted(SOURCE.rglob("*.toml")),
    *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "bench").glob("*.py")),
]  # fmt: skip


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=relative)
def test_no_module_has_a_retired_name(path: Path) -> None:
    assert path.name.split(".")[0].lower() not in RETIRED_MODULES
    assert not {part.lower() for part in path.relative_to(ROOT).parts[:-1]} & RETIRED_MODULES


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_no_retired_identifier_is_used(path: Path) -> None:
    assert not python_identifiers(path) & RETIRED_NAMES


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_no_retired_class_is_used_by_the_page(path: Path) -> None:
    assert not frontend_identifiers(path) & {name for name in RETIRED_NAMES if not name.islower()}


@pytest.mark.parametrize("path", PROSE, ids=relative)
def test_no_retired_phrase_is_written(path: Path) -> None:
    text = path.read_text("utf-8")
    found = [match.group(0) for phrase in RETIRED_PHRASES for match in re.finditer(phrase, text, re.IGNORECASE)]
    assert not found


def test_every_retired_phrase_is_recognized() -> None:
    """The patterns match what they are meant to match."""
    examples = ("Whoever leaves", "made anew", "Pass is no wager", "a no from the server", '"""Tell it."""')
    for example in examples:
        assert any(re.search(phrase, example, re.IGNORECASE) for phrase in RETIRED_PHRASES), example
