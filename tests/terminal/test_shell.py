"""The shell: every command, undo, chips, several players, completion."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from support.houses import BOOKS
from trueodds.notation import parse_history, replay
from trueodds.roll_sources import scripted_rolls
from trueodds.rulebook import House, load_book
from trueodds.terminal import Shell, TerminalGame


class ShellSession:
    """A shell with typed input and captured output."""

    def __init__(self, book: str = "new_jersey", dice: str = "", players: str = "Ann", buy_in: int = 500) -> None:
        self.screen = StringIO()
        console = Console(file=self.screen, width=200, highlight=False)
        rolls = scripted_rolls(dice.split()) if dice else iter(())
        self.game = TerminalGame(House(load_book(book)), players.split(), buy_in, rolls)
        self.shell = Shell(self.game, console, lambda _prompt: "quit")

    def type(self, *lines: str) -> str:
        """Type lines and return the output of the last one."""
        for line in lines:
            self.screen.seek(0)
            self.screen.truncate()
            self.shell.run_line(line)
        return self.screen.getvalue()


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("pass 10", "Pass for $10"),
        ("PASS $10", "Pass for $10"),
        ("pass line 12.00", "Pass for $12"),
        ("don't pass 10", "Don't Pass for $10"),
        ("dont pass 10", "Don't Pass for $10"),
        ("place 6 12", "Place 6 for $12"),
        ("buy 4 20", "Buy 4 for $20, vigorish $1"),
        ("lay 10 40", "Lay 10 for $40, vigorish $2"),
        ("place to lose 4 11", "Place to Lose 4 for $11"),
        ("hard 8 5", "Hard 8 for $5"),
        ("hardway 8 5", "Hard 8 for $5"),
        ("field 10", "Field for $10"),
        ("hop 5-2 1", "Hop 2-5 for $1"),
        ("horn high 12 5", "Horn High 12 for $5"),
        ("horn_high 12 5", "Horn High 12 for $5"),
        ("c&e 2", "C and E for $2"),
        ("yo 1", "Eleven for $1"),
        ("any seven 1", "Any Seven for $1"),
        ("boxcars 1", "Craps Twelve for $1"),
        ("world 5", "Horn for $4"),
        ("fire 5", "Fire for $5"),
        ("pass", "How much?"),
        ("odds", "How much?"),
        ("dance", "Unknown command 'dance'"),
        ("dance 5", "no wager called 'dance'"),
        ("5", "Unknown command '5'"),
        ("pass ten", "The amount must be written like 12 or 12.50, got 'ten'."),
        ("pass -5", "The amount must be positive, got -5."),
        ("pass 99999999999999999", "must be at most"),
        ("odds 5", "You have no bet that takes odds"),
        ("come 10", "No: Come cannot be made with the puck off"),
        ("place 7 10", "No: Place Bet to Win on 7 is not on the layout"),
        ("pass 501", "No: Ann is $1 short of chips"),
        ("down", "down which bet?"),
        ("down place 6", "You have no place 6 bet on the layout"),
        ("press", "press which bet"),
        ("undo", "nothing to undo"),
        ("place 6", "How much?"),
        ("hop 2-5", "How much?"),
        ("press place 8", "To how much?"),
        ("save", "save needs a name: save FILE"),
        ("player", "player needs a name: player NAME"),
        ("why place 6", "Nothing has happened yet"),
        ("down all", "no bet that can be taken down"),
        ("pass 12.5", "not a multiple of the $1 chip"),
        ("rules", "The rules of which wager?"),
        ("rules place", "9 to 5 on 4, 10"),
        ("rules dance", "no wager called 'dance'"),
        ("help", "Betting"),
        ("why", "Nothing has happened yet"),
        ("layout", "Wagers at this table"),
        ("history", "trueodds history 1"),
        ("table", "Puck OFF"),
        ("save /nowhere/at/all", "Cannot write"),
        ("player Bob", "Bob is not playing"),
    ],
)
def test_commands_and_their_output(line: str, output: str) -> None:
    assert output in ShellSession().type(line)


def test_big_six_and_put_in_south_dakota() -> None:
    play = ShellSession("south_dakota")
    assert "Big 6 for $10" in play.type("big 6 10")
    assert "for $10" in play.type("put 4 10")
    assert "for $20" in play.type("odds 20")


def test_a_hand_with_reasons() -> None:
    play = ShellSession(dice="4-4 3-3 2-6 3-4")
    play.type("pass 10", "roll", "odds 20", "come 10", "place 6 12")
    output = play.type("roll")
    assert "Ann: Place 6 wins $14 on $12 at 7 to 6, and stays up" in output
    assert "Ann: Come travels to 6" in output
    play.type("odds come 50", "off place 6")
    output = play.type("roll")
    assert "the point is made" in output
    assert "Ann: Pass Odds 8 wins $24 on $20 at 6 to 5" in output
    output = play.type("why")
    assert "Ann: Place 6 is off" in output
    assert "A-08" not in output.replace("our choice A-08", ""), "only silences that decided something are explained"
    output = play.type("")
    assert "Ann: Come Odds 6 was off, $50 returned" in output
    assert "A-06 Odds that are off" in play.type("why")
    assert "No more" not in output
    assert "There are no more rolls." in play.type("roll")


def test_undo_does_the_opposite_action_or_is_refused_with_a_clause() -> None:
    play = ShellSession(dice="4-4")
    play.type("pass 10")
    assert "Pass for $10 comes down" in play.type("undo")
    assert play.game.table.racks_cents == {"Ann": 50_000}
    play.type("place 6 12", "press place 6 18")
    assert "from $18 to $12" in play.type("undo")
    assert "for $12 comes down" in play.type("undo")
    play.type("place 6 18", "reduce place 6 12")
    assert "from $12 to $18" in play.type("undo")
    play.type("down place 6")
    assert "Place 6 for $18" in play.type("undo")
    play.type("on place 6")
    assert "Place 6 is off" in play.type("undo")
    play.type("don't pass 20", "reduce don't pass 10")
    assert "No: Don't Pass cannot be increased after it was reduced: N.J.A.C. 19:47-1.3(d)" in play.type("undo")
    play.type("fire 5")
    assert "No: Fire cannot be taken down once it is made: N.J.A.C. 19:47-1.3(c)2" in play.type("undo")
    play.type("roll")
    assert "A roll cannot be undone" in play.type("undo")


def test_undo_puts_odds_and_broken_down_bets_back() -> None:
    play = ShellSession(dice="2-2")
    play.type("world 5")
    play.type("undo")
    assert play.game.table.racks_cents == {"Ann": 50_000}
    play.type("don't pass 10", "roll", "odds 20", "down odds")
    assert "Don't Pass Odds" in play.type("undo")
    before = play.game.table.position.seats
    play.type("down don't pass")
    assert play.game.table.racks_cents == {"Ann": 50_000}
    assert "No: " in play.type("undo")
    assert play.game.table.position.seats != before


def test_down_all_takes_what_the_book_lets_go() -> None:
    play = ShellSession(dice="2-2")
    play.type("pass 10", "roll", "place 6 12", "field 10", "odds 20", "down all")
    (seat,) = play.game.table.position.seats
    assert [str(entry.wager.spot) for entry in seat.wagers] == ["pass"]
    assert not seat.wagers[0].odds_tags


def test_wagers_by_number() -> None:
    play = ShellSession()
    play.type("place 6 12", "place 6 18")
    assert "Place 6 for $12 comes down" in play.type("down #1")
    assert "You have no #9 bet on the layout" in play.type("down #9")


def test_the_layout_says_where_a_player_has_the_maximum() -> None:
    play = ShellSession()
    assert "$1 to $5" in play.type("layout")
    assert "you have the maximum there" in play.type("fire 5", "layout")


def test_several_players_in_turn() -> None:
    play = ShellSession(players="Ann Bob", dice="4-4 3-4 5-6 1-1")
    assert "the dice are offered to Ann" in play.type("roll")
    play.type("accept")
    assert "Ann needs a line bet first, or: pass dice, decline line" in play.type("roll")
    play.type("pass 10", "done")
    assert play.shell.player == "Bob"
    play.type("field 10", "player Ann")
    assert "the point is 8" in play.type("roll")
    assert "Ann passes the dice, the dice are offered to Bob" in play.type("pass dice")
    play.type("player Bob")
    assert "Bob declines" in play.type("decline")
    assert play.game.table.position.custody is not None


def test_leaving_prints_the_racks_and_saves_the_history(tmp_path: Path) -> None:
    screen = StringIO()
    lines: Iterator[str] = iter(["pass 10", "roll", "quit"])
    game = TerminalGame(House(load_book("rws")), ["Ann"], 500, scripted_rolls(["2-4"]))
    saved = tmp_path / "evening.txt"
    Shell(game, Console(file=screen, width=200), lambda _prompt: next(lines), saved).run()
    assert "Ann leaves with S$490, S$10 still on the layout (+S$0)." in screen.getvalue()
    assert len(list(replay(parse_history(saved.read_text("utf-8"))))) == 2


@pytest.mark.parametrize("way_out", [EOFError, KeyboardInterrupt])
def test_the_end_of_input_and_ctrl_c_leave_cleanly(way_out: type[BaseException]) -> None:
    def read(_prompt: str) -> str:
        raise way_out

    screen = StringIO()
    game = TerminalGame(House(load_book("rws")), ["Ann"], 500, iter(()))
    Shell(game, Console(file=screen, width=200), read).run()
    assert "Ann leaves with S$500" in screen.getvalue()


@pytest.mark.parametrize("book", BOOKS)
def test_every_spot_of_every_book_can_be_typed_as_the_layout_says_it(book: str) -> None:
    """The first column of `layout` is what a player types."""
    for spot in ShellSession(book).game.table.layout("Ann").spots:
        if spot.refusal is not None or spot.stake_range is None:
            continue
        play = ShellSession(book, buy_in=100_000)
        output = play.type(f"{spot.spot.kind} {spot.spot.selection} {spot.stake_range.min_cents // 100}")
        assert "No: " not in output, (spot.spot, output)


def test_completion() -> None:
    shell = ShellSession().shell
    assert "place" in shell.complete("pl", "pl")
    assert shell.complete("", "place ") == ["10", "4", "5", "6", "8", "9"]
    assert shell.complete("2", "hop 2") == ["2-2", "2-3", "2-4", "2-5", "2-6"]
    assert "place" in shell.complete("pla", "down pla")
    assert shell.complete("zz", "zz") == []
