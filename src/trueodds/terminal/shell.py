"""The command line at a table: a prompt, short commands, completion, and explanations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Final

from rich.console import Console

from trueodds.craps_table import NotEnoughChipsError, NothingToUndoError
from trueodds.dice import ROLLS
from trueodds.explain import explain_wager
from trueodds.money import format_money
from trueodds.rulebook import format_citation
from trueodds.table import (
    AcceptDice,
    Action,
    BetMade,
    BetResized,
    DeclineDice,
    DeclineLine,
    Event,
    OpenTable,
    PassDice,
    Refused,
    RollDice,
    Rolled,
    TakeDown,
)
from trueodds.table.custody import check_shooter
from trueodds.terminal.command_parser import CommandError, is_complete_spot, parse_bet, parse_change, unknown_wager_text
from trueodds.terminal.screen import draw_table, draw_wager_list
from trueodds.terminal.terminal_game import TerminalGame
from trueodds.wagers import Result

HELP: Final = """\
Betting    pass 10 | place 6 12 | hard 8 5 | hop 2-5 1 | horn high 12 5
           odds 20              behind your last bet that takes odds
           odds come 6 30       behind the bet you name
Changing   press place 6 18 | reduce place 6 6 | down place 6 | down all
           off place 6 | on place 6 | off odds
           undo                 your last action, if the rules allow it
Rolling    roll, or just Enter; a single player needs no line bet
           several players: accept, decline, pass dice, decline line, offer
Showing    why | table | layout | rules place | history | help
Players    done                 next player; or: player NAME
Leaving    save FILE | quit
"""
_CHANGE_VERBS: Final = ("down", "off", "on", "press", "reduce")
_COMMAND_WORDS: Final = (
    *_CHANGE_VERBS, "accept", "decline", "done", "help", "history", "layout", "odds", "player", "quit", "roll", "rules",
    "save", "table", "undo", "why",
)  # fmt: skip


class Shell:
    """Reads commands from the players and prints what happens.

    After `run`, `save_succeeded` tells whether the history was saved, if that was asked for.
    """

    def __init__(
        self, game: TerminalGame, console: Console, read: Callable[[str], str], save: Path | None = None
    ) -> None:
        self.game = game
        self.console = console
        self._read = read
        self._save = save
        self._players = list(game.table.players)
        self.player = self._players[0]
        self._last_sentences: list[str] = []
        self._decisive_sentences: list[str] = []
        self._finished = False
        self.save_succeeded = True

    def run(self) -> None:
        """Play until a player quits, the input ends or there are no more rolls. Then print the racks."""
        self.console.print(draw_table(self.game, self.player, self.console.width))
        self.console.print("Type help for the commands, Enter to roll, quit to leave.")
        try:
            while not self._finished:
                self.run_line(self._read(f"{self.player}> "))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self._print_results()

    def run_line(self, text: str) -> None:
        """Run one command and print the answer."""
        words = text.split()
        try:
            self._dispatch(words)
        except (CommandError, NotEnoughChipsError, NothingToUndoError, Refused) as error:
            self._print_refusal(str(error))

    def _dispatch(self, words: list[str]) -> None:
        verb = words[0].lower() if words else "roll"
        if verb in ("quit", "exit", "q", "why"):
            words = words[:1]
        simple: dict[str, Callable[[], None]] = {
            "roll": self._roll, "help": self._print_help, "why": self._print_why, "undo": self._undo,
            "done": self._next_player, "quit": self._quit, "exit": self._quit, "q": self._quit,
            "table": self._draw,
            "layout": self._print_layout, "history": self._print_history,
        }  # fmt: skip
        dice: dict[tuple[str, ...], Action] = {
            ("accept",): AcceptDice(self.player), ("decline",): DeclineDice(self.player),
            ("pass", "dice"): PassDice(self.player), ("decline", "line"): DeclineLine(self.player),
            ("offer",): OpenTable(),
        }  # fmt: skip
        lowered = tuple(word.lower() for word in words)
        if lowered in dice:
            self._do(dice[lowered])
        elif len(words) <= 1 and verb in simple:
            simple[verb]()
        elif verb == "rules":
            self._print_rules(" ".join(words[1:]))
        elif verb in ("save", "player"):
            self._run_with_name(verb, words[1:])
        elif lowered == ("down", "all"):
            self._take_down_all()
        elif verb in _CHANGE_VERBS:
            position = self.game.table.position
            self._do(parse_change(self.game.table.rules, position, self.player, verb, words[1:]))
        else:
            self._bet(words)

    def _run_with_name(self, verb: str, names: list[str]) -> None:
        if len(names) != 1:
            raise CommandError(f"{verb} needs a name: {verb} {'FILE' if verb == 'save' else 'NAME'}")
        if verb == "save":
            self._save_history(Path(names[0]))
        else:
            self._switch_player(names[0])

    def _bet(self, words: list[str]) -> None:
        rules = self.game.table.rules
        if words[0].lower() == "odds" and len(words) == 1:
            raise CommandError("How much? For example: odds 20")
        if is_complete_spot(rules, words):
            raise CommandError(f"How much? For example: {' '.join(words)} 12")
        if len(words) == 1:
            raise CommandError(f"Unknown command {words[0]!r}. Type help to see the commands.")
        self._do(parse_bet(self.game.table.rules, self.game.table.position, self.player, words))

    def _do(self, action: Action) -> None:
        self._print_events(self.game.do(action))

    def _print_events(self, events: tuple[Event, ...]) -> None:
        self._last_sentences = [event.sentence for event in events]
        self._decisive_sentences = list(self._last_sentences)
        for event in events:
            self._print(event.sentence)
        if any(isinstance(event, BetMade | BetResized) for event in events):
            self._print_rack()

    def _print(self, text: str, style: str = "") -> None:
        """Print a sentence. Its second and further lines are indented."""
        width = max(40, self.console.width)
        lines = fill(text, width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)
        self.console.print(lines, markup=False, style=style, soft_wrap=True)

    def _print_rack(self) -> None:
        rack = self.game.table.racks_cents[self.player]
        self.console.print(f"  Rack {format_money(rack, self.game.currency)}.", markup=False)

    def _print_refusal(self, sentence: str) -> None:
        self._last_sentences = self._decisive_sentences = [sentence]
        self._print(f"No: {sentence}", "yellow")

    def _roll(self) -> None:
        custody = self.game.table.position.custody
        if custody is not None and custody.shooter is None:
            offered = f"the dice are offered to {custody.offered_to}; type accept or decline"
            next_step = offered if custody.offered_to else "type offer to offer the dice"
            raise CommandError(f"Nobody can roll yet: {next_step}.")
        no_roll = check_shooter(self.game.table.rules, self.game.table.position, RollDice(ROLLS[0]))
        if no_roll is not None and custody is not None:
            clause = format_citation(no_roll.cite)
            raise CommandError(f"{custody.shooter} needs a line bet first, or: pass dice, decline line ({clause}).")
        roll = self.game.next_roll()
        if roll is None:
            self.console.print("  There are no more rolls.")
            self._finished = True
            return
        events = self.game.do(RollDice(roll))
        self._last_sentences, self._decisive_sentences = [], []
        for event in events:
            self._print_roll(event)
        self._draw()
        after = self.game.table.position.custody
        if after is not None and after.offered_to:
            self.player = after.offered_to

    def _print_roll(self, event: Event) -> None:
        self.console.print(event.sentence, markup=False, style="bold" if isinstance(event, Rolled) else "")
        self._last_sentences.append(event.sentence)
        for settled in event.settled if isinstance(event, Rolled) else ():
            sentence = f"{settled.player}: {settled.sentence}"
            self._last_sentences.append(sentence)
            if settled.settlement.result not in (Result.NO_ACTION, Result.OFF):
                self._decisive_sentences.append(sentence)
                self._print(sentence)

    def _draw(self) -> None:
        self.console.print(draw_table(self.game, self.player, self.console.width))

    def _print_layout(self) -> None:
        table = draw_wager_list(self.game, self.player, self.console.width)
        self.console.print(table, soft_wrap=True)

    def _print_help(self) -> None:
        self.console.print(HELP, markup=False)

    def _print_history(self) -> None:
        self.console.print(str(self.game.table), markup=False, soft_wrap=True)

    def _print_why(self) -> None:
        for sentence in self._last_sentences or ["Nothing has happened yet."]:
            self._print(sentence)
        for silence in self._silence_texts():
            self._print(silence, "dim")

    def _silence_texts(self) -> list[str]:
        """Return an explanation of each silence of the book that the last sentences cite."""
        sentences = " ".join(self._decisive_sentences)
        return [
            f"{silence.id} {silence.about}: {silence.says} We do: {silence.we_do} {silence.why}"
            for silence in self.game.table.rules.book.silences.values()
            if silence.id in sentences
        ]

    def _undo(self) -> None:
        self._print_events(self.game.undo(self.player))

    def _take_down_all(self) -> None:
        tags = [action.tag for action in self.game.table.legal_actions(self.player) if action.verb == "take_down"]
        if not tags:
            raise CommandError("You have no bet that can be taken down.")
        for tag in tags:
            # Odds come down with their wager, so a later tag may be gone.
            if tag is not None and self.game.table.position.find_owner(tag) is not None:
                self._do(TakeDown(self.player, tag))

    def _print_rules(self, name: str) -> None:
        rules = self.game.table.rules
        kind = rules.book.find_kind(name)
        if kind is None:
            if not name:
                raise CommandError("The rules of which wager? For example: rules place")
            raise CommandError(unknown_wager_text(rules, name))
        for statement in explain_wager(rules, kind).statements:
            self._print(f"{statement.topic}: {statement.text} ({format_citation(statement.cite)})")

    def _next_player(self) -> None:
        index = self._players.index(self.player)
        self.player = self._players[(index + 1) % len(self._players)]
        self.console.print(f"  {self.player}'s turn.")

    def _switch_player(self, name: str) -> None:
        if name not in self._players:
            raise CommandError(f"{name} is not playing. The players are {', '.join(self._players)}.")
        self.player = name

    def _save_history(self, path: Path) -> None:
        try:
            path.write_text(str(self.game.table), "utf-8")
        except OSError as error:
            raise CommandError(f"Cannot write {path}: {error.strerror}") from None
        self.console.print(f"  Saved to {path}.", markup=False)

    def _quit(self) -> None:
        self._finished = True

    def _print_results(self) -> None:
        """Save the history if asked to, and print what each player leaves with."""
        if self._save is not None:
            try:
                self._save_history(self._save)
            except CommandError as error:
                self.save_succeeded = False
                self._print_refusal(str(error))
        currency, racks = self.game.currency, self.game.table.racks_cents
        for seat in self.game.table.position.seats:
            rack, on_layout = racks[seat.player], sum(tagged.wager.total_stake for tagged in seat.wagers)
            net = rack + on_layout - self.game.buy_in_cents
            bets = f", {format_money(on_layout, currency)} still on the layout" if on_layout else ""
            result = f"{'+' if net >= 0 else ''}{format_money(net, currency)}"
            self.console.print(
                f"{seat.player} leaves with {format_money(rack, currency)}{bets} ({result}).", markup=False
            )

    def complete(self, text: str, line: str) -> list[str]:
        """Return completions of `text`: commands, wagers, and numbers after a wager that has them."""
        words_before = line.split()[: -1 if text else None]
        rules = self.game.table.rules
        if not words_before:
            words = [*_COMMAND_WORDS, *rules.book.wagers]
        elif words_before[0] in (*_CHANGE_VERBS, "rules", "odds") and len(words_before) == 1:
            words = [*rules.book.wagers, "odds", "all"]
        else:
            kind = rules.book.find_kind(" ".join(words_before[-1:]))
            words = [spot.selection for spot in rules.book.wagers[kind].spots() if spot.pick] if kind else []
        return sorted(word for word in words if word.startswith(text))
