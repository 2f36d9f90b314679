"""Every error in a strategy file names its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.houses import default_house_dealer
from trueodds.automaton import Automaton
from trueodds.strategy import (
    StrategyError,
    StrategyFileError,
    StrategyRefusedError,
    builtin_strategy,
    load_strategy,
    parse_strategy,
)

HEAD = """# a comment with [[play]] and "quotes
name = "A line"
about = \"\"\"
Two lines
[[play]]\"\"\"

[[play]]
keep = "pass"       # line 8
stake = 10

[[play]]            # line 11
keep = "place:6"
"""


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ("stake = ", 13, "Invalid value"),
        ("stake = 12\n\nwhen = { puck = 'on'", 15, "Unclosed inline table at the end of the file"),
        ("stake = 12\nstake = 18", 14, "Cannot overwrite a value"),
        (f"stake = {'9' * 5000}", 13, "Exceeds the limit"),
        ("stake = 12\ncolor = 'red'", 14, "play 2: color: unknown key"),
        ("", 12, "play 2: keep: exactly one of stake, ladder, parlay, grind is needed, got none"),
        ("stake = 12\ngrind = { unit = 6, give_up = 60 }", 12, "got stake and grind"),
        ("stake = -12", 13, "play 2: stake must be positive"),
        ("stake = 12.5", 13, "must be a whole number or quoted text"),
        ("stake = 'ten'", 13, "must be a whole number or quoted text such as \"12.50\", got 'ten'"),
        ("stake = 12\nup_to = 30", 14, "up_to must be from 1 to 20"),
        ("ladder = { stakes = [\n  12,   # one\n  18,\n\n  -3,\n], win = 1 }", 17, "must be positive"),
        ("ladder.stakes = [12, 18]\nladder.win = 1\nladder.lose = 'up'", 15, "a ladder moves by"),
        ("[play.ladder]\nstakes = [12]\npast_end = 'top'", 15, "past_end must be"),
        ("[play.ladder]\nstakes = [12]\n'restart_each_shooter' = 1", 15, "expected true or false"),
        ("[play.ladder]\nstakes = [12]\nrungs = 1", 15, "ladder.rungs: unknown key"),
        ("[play.ladder]\nstakes = [12]\nfollow = 'Place'", 15, "a spot must be written like"),
        ("[play.parlay]\nstake = 12\nwins = 1", 15, "wins must be from 2 to 10"),
        ("[play.parlay]\nstake = 12\nride_percent = 101", 15, "ride_percent must be from 1 to 100"),
        ("[play.parlay]\nwins = 2", 13, "parlay.stake: missing"),
        ("[play.grind]\nunit = 12\ngive_up = 0", 15, "must be positive"),
        ("grind = { unit = 12, give_up = 6 }", 13, "from 1 to 1000 units"),
        ("stake = 12\n\nwhen.puck = 'up'", 15, "play 2: when: puck must be"),
        ("stake = 12\n[play.when]\npuck = 'on'\nmoon = 'full'", 16, "when.moon: unknown condition"),
        ("stake = 12\n[play.when]\npuck = 'on'\npoint = 'six'", 16, "expected one or more whole numbers"),
        ("stake = 12\n[play.when.hits]\nplace = 1\n'place:six' = 2", 16, "a spot must be written like"),
        ('stake = 12\n[play.when.hits]\nplace = 1\n"place:6" = 0', 16, "count must be from 1"),
        ("stake = 12\n[play.when.losses]\n\nplace = 'x'", 16, "count must be from 1"),
        ("stake = 12\n[play.when.totals_rolled]\ntotals = [\n2, 13]", 15, "totals must be from 2 to 12"),
        ("stake = 12\n[play.when.totals_rolled]\ntotals = [2]\nat_least = 0", 16, "count must be from 1"),
        ("stake = 12\n[play.when.stopped]\nbets = 'place'\nwin = 0\nlose = 10", 16, "must be positive"),
        ("stake = 12\n[play.when.stopped]\nbets = 'place'\nwin = 10", 14, "stopped.lose: missing"),
        ("stake = 12\n[play.when.ahead]\nbets = ['place', 3]\nby = 1\nlimit = 5", 15, "a spot must be written like"),
        ("stake = 12\n[play.when.ahead]\nbets = ['place']\nby = 10\nlimit = 5", 14, "within the limit"),
        ("stake = 12\nwhen = { any = [\n{ puck = 'on' },\n{ puck = 3 },\n] }", 16, "puck must be"),
        ("stake = 12\n[play.when.not.not]\npuck = 3", 15, "puck must be"),
        ("stake = 12\n[[play]]\n\nstake = 12", 14, "play 3: exactly one of keep, odds"),
        ("stake = 12\n[[play]]\nodds = '2x'\nkeep = 'pass'", 14, "keep and odds"),
        ("stake = 12\n[[play]]\n\nodds = 'lots'", 16, "odds must be"),
        ("stake = 12\n[[play]]\nodds = '2x'\nbehind = ['pass',\n'Come']", 16, "a spot must be written like"),
        (
            "stake = 12\n[[play]]\npress = 'place'\nby = 6\nup_to = 'x'",
            17,
            "up_to must be a whole number or quoted text",
        ),
        ("stake = 12\n[[play]]\n\npress = 'place'", 16, "needs either to or by"),
        ("stake = 12\n[[play]]\ncall = 'place'\nto = 'maybe'", 16, "to: expected one of on, off"),
        ("stake = 12\n[other]\nx = 1", 14, "line 14: other: unknown key"),
        ("stake = 12\n[[play]]\ntake_down = 3", 15, "a spot must be written like"),
    ],
)
def test_line_of_an_error(more: str, line: int, message: str) -> None:
    for text in (HEAD + more, (HEAD + more).replace("\n", "\r\n")):
        with pytest.raises(StrategyFileError, match=message) as error:
            parse_strategy(text, "mine.toml")
        assert error.value.line == line
        assert str(error.value).startswith(f"mine.toml, line {line}: ")


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("play = 3", 1), ("\n\nname = 3", 3), ("name = 'x'\n[play]\nkeep = 'pass'", 2)]
)
def test_line_of_an_error_in_a_file_without_plays(text: str, line: int) -> None:
    with pytest.raises(StrategyFileError) as error:
        parse_strategy(text)
    assert error.value.line == line


def test_error_starts_with_the_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[play]]\nkeep = 'pass'\nstake = 0\n")
    with pytest.raises(StrategyFileError) as error:
        load_strategy(path)
    assert str(error.value).startswith(f"{path}, line 3: play 1: stake must ")


@pytest.mark.parametrize(
    ("book", "text", "line"),
    [
        ("maryland", "[[play]]\nkeep = 'plaec:6'\nstake = 12", 2),
        ("maryland", "[[play]]\nstake = 12\nkeep = 'place:7'", 3),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 5", 2),
        ("win_line", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\nodds = '3-4-5'\nbehind = 'pass'", 5),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[play.when]\npuck = 'off'\nup.plaec = 1", 6),
        (
            "maryland",
            "[[play]]\nkeep = 'pass'\n\nstake = 10\n[play.when]\nany = [{puck = 'off'}, {hits = {put = 1}}]",
            6,
        ),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\nodds = '2x'\nbehind = ['pass', 'field']", 6),
        ("maryland", "[[play]]\nkeep = 'pass'\nladder.stakes = [10, 20]\nladder.follow = 'put'", 4),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\n\ntake_down = 'big6'", 6),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\nwhen.point = 7", 2),
        (
            "maryland",
            "[[play]]\nkeep = 'field'\nstake = 10\n[play.when.ahead]\nbets = ['field', 'put']\nby = 1\nlimit = 5",
            5,
        ),
    ],
)
def test_line_of_something_the_book_does_not_have(book: str, text: str, line: int) -> None:
    strategy = parse_strategy(text, "mine.toml", "Mine")
    with pytest.raises(StrategyError, match=rf"^mine\.toml, line {line}: "):
        Automaton(strategy, default_house_dealer(book).rules.house)


def test_refusal_names_the_line_the_strategy_and_the_action() -> None:
    with pytest.raises(StrategyRefusedError) as error:
        Automaton(builtin_strategy("pass_345"), default_house_dealer("win_line").rules.house)
    assert (error.value.source, error.value.strategy) == ("builtin/pass_345.toml, line 10", "Pass with 3-4-5x odds")
    assert "is refused: player bets 30 on pass_odds behind 1: " in str(error.value)


def test_lines_do_not_affect_equality() -> None:
    one, other = (parse_strategy(f"{blank}[[play]]\nkeep = 'pass'\nstake = 10") for blank in ("", "\n\n"))
    assert one == other
    assert hash(one.plays[0]) == hash(other.plays[0])
    assert [strategy.plays[0].source.line for strategy in (one, other) if strategy.plays[0].source] == [2, 4]


@pytest.mark.parametrize("name", ["molly", "risk_12", "squeeze", "inside"])
def test_builtin_plays_have_lines(name: str) -> None:
    for play in builtin_strategy(name).plays:
        assert play.source is not None
        assert play.source.line > 4
