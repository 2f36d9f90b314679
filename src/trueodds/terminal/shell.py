"""The conversation: a prompt, short commands, completion, and the reason for every answer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Final

from rich.console import Console

from trueodds.dice import ROLLS
from trueodds.explain import find_kind, sheet_of
from trueodds.money import money
from trueodds.rulebook import say
from trueodds.table import (
    AcceptDice,
    Action,
    Changed,
    DeclineDice,
    DeclineLine,
    Event,
    Made,
    OpenTable,
    PassDice,
    Refused,
    Rolled,
    Throw,
)
from trueodds.table.custody import judge_shooter
from trueodds.terminal.commands import CommandError, names_a_spot, parse_bet, parse_change
from trueodds.terminal.game import Game, NoFundsError, NothingToUndoError
from trueodds.terminal.screen import draw, draw_spots
from trueodds.wagers import Result

HELP: Final = """\
Betting    pass 10 | place 6 12 | hard 8 5 | hop 2-5 1 | horn high 12 5
           odds 20              behind your last bet that can have them
           odds come 6 30       behind the bet you name
Changing   press place 6 18 | reduce place 6 6 | down place 6 | down all
           off place 6 | on place 6 | off odds
           undo                 your last action, by its lawful opposite
Throwing   roll, or just Enter; alone you need no line bet
           with others: accept, decline, pass dice, decline line, offer
Asking     why | table | layout | rules place | history | help
Leaving    save FILE | quit
Others     done                 the next player's turn; or: player NAME
"""
_CHANGES: Final = ("down", "off", "on", "press", "reduce")
_WORDS: Final = (
    *_CHANGES, "accept", "decline", "done", "help", "history", "layout", "odds", "player", "quit", "roll", "rules",
    "save", "table", "undo", "why",
)  # fmt: skip


class Shell:
    """Talks to the people at a table until they leave."""

    def __init__(self, game: Game, console: Console, read: Callable[[str], str], save: Path | None = None) -> None:
        self.game = game
        self.console = console
        self._read = read
        self._save = save
        self._players = list(game.racks)
        self.player = self._players[0]
        self._why: list[str] = []
        self._reasons: list[str] = []
        self._over = False
        self.saved = True

    def run(self) -> None:
        """Play until somebody quits, the input ends or the dice run out; the racks are told in any case.

        Whether the history was kept as asked is left in `saved`.
        """
        self.console.print(draw(self.game, self.player))
        self.console.print("Type help for the commands, Enter to roll, quit to leave.")
        try:
            while not self._over:
                self.answer(self._read(f"{self.player}> "))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self._leave()

    def answer(self, text: str) -> None:
        """Answer one line."""
        words = text.split()
        try:
            self._answer(words)
        except (CommandError, NoFundsError, NothingToUndoError) as error:
            self._tell_no(str(error))
        except Refused as refused:
            self._tell_no(str(refused))

    def _answer(self, words: list[str]) -> None:
        verb = words[0].lower() if words else "roll"
        if verb in ("quit", "exit", "q", "why"):
            words = words[:1]
        simple: dict[str, Callable[[], None]] = {
            "roll": self._roll, "help": self._help, "why": self._tell_why, "undo": self._undo,
            "done": self._next_player, "quit": self._quit, "exit": self._quit, "q": self._quit,
            "table": self._draw,
            "layout": self._layout, "history": self._history,
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
            self._rules(" ".join(words[1:]))
        elif verb in ("save", "player"):
            self._named(verb, words[1:])
        elif lowered == ("down", "all"):
            self._down_all()
        elif verb in _CHANGES:
            position = self.game.table.position
            self._do(parse_change(self.game.table.rules, position, self.player, verb, words[1:]))
        else:
            self._bet(words)

    def _named(self, verb: str, names: list[str]) -> None:
        if len(names) != 1:
            msg = f"{verb} what? Say: {verb} {'FILE' if verb == 'save' else 'NAME'}"
            raise CommandError(msg)
        if verb == "save":
            self._write(Path(names[0]))
        else:
            self._switch(names[0])

    def _bet(self, words: list[str]) -> None:
        rules = self.game.table.rules
        if words[0].lower() == "odds" and len(words) == 1:
            raise CommandError("How much? Say for example: odds 20")
        if names_a_spot(rules, words):
            msg = f"How much? Say for example: {' '.join(words)} 12"
            raise CommandError(msg)
        if len(words) == 1:
            msg = f"{words[0]!r} is no command; type help to see the commands."
            raise CommandError(msg)
        self._do(parse_bet(self.game.table.rules, self.game.table.position, self.player, words))

    def _do(self, action: Action) -> None:
        self._tell(self.game.do(action))

    def _tell(self, events: tuple[Event, ...]) -> None:
        self._why = [event.sentence for event in events]
        self._reasons = list(self._why)
        for event in events:
            self._say(event.sentence)
        if any(isinstance(event, Made | Changed) for event in events):
            self._tell_rack()

    def _say(self, text: str, style: str = "") -> None:
        """Print a sentence, its further lines set in from the first."""
        wide = max(40, self.console.width)
        told = fill(text, wide, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)
        self.console.print(told, markup=False, style=style, soft_wrap=True)

    def _tell_rack(self) -> None:
        self.console.print(f"  Rack {money(self.game.racks[self.player], self.game.currency)}.", markup=False)

    def _tell_no(self, sentence: str) -> None:
        self._why = self._reasons = [sentence]
        self._say(f"No: {sentence}", "yellow")

    def _roll(self) -> None:
        custody = self.game.table.position.custody
        if custody is not None and custody.shooter is None:
            offered = f"the dice are offered to {custody.offer_to}; type accept or decline"
            waits = offered if custody.offer_to else "type offer to offer the dice"
            msg = f"Nobody can roll yet: {waits}."
            raise CommandError(msg)
        barred = judge_shooter(self.game.table.rules, self.game.table.position, Throw(ROLLS[0]))
        if barred is not None and custody is not None:
            msg = f"{custody.shooter} needs a line bet first, or: pass dice, decline line ({say(barred.cite)})."
            raise CommandError(msg)
        roll = self.game.next_roll()
        if roll is None:
            self.console.print("  There are no more rolls.")
            self._over = True
            return
        events = self.game.do(Throw(roll))
        self._why, self._reasons = [], []
        for event in events:
            self._tell_throw(event)
        self._draw()
        after = self.game.table.position.custody
        if after is not None and after.offer_to:
            self.player = after.offer_to

    def _tell_throw(self, event: Event) -> None:
        self.console.print(event.sentence, markup=False, style="bold" if isinstance(event, Rolled) else "")
        self._why.append(event.sentence)
        for one in event.settled if isinstance(event, Rolled) else ():
            told = f"{one.player}: {one.sentence}"
            self._why.append(told)
            if one.ruling.result not in (Result.NO_ACTION, Result.OFF):
                self._reasons.append(told)
                self._say(told)

    def _draw(self) -> None:
        self.console.print(draw(self.game, self.player))

    def _layout(self) -> None:
        self.console.print(draw_spots(self.game, self.player))

    def _help(self) -> None:
        self.console.print(HELP, markup=False)

    def _history(self) -> None:
        self.console.print(self.game.history, markup=False, soft_wrap=True)

    def _tell_why(self) -> None:
        for sentence in self._why or ["Nothing has happened yet."]:
            self._say(sentence)
        for silence in self._silences():
            self._say(silence, "dim")

    def _silences(self) -> list[str]:
        """Explain the silences that the last answers rest on."""
        silences = self.game.table.rules.book.silences.values()
        told = " ".join(self._reasons)
        return [f"{one.id} {one.about}: {one.says} We do: {one.we_do} {one.why}" for one in silences if one.id in told]

    def _undo(self) -> None:
        self._tell(self.game.undo(self.player))

    def _down_all(self) -> None:
        rules, down = self.game.table.rules, 0
        for choice in self.game.table.legal_actions(self.player):
            with contextlib.suppress(CommandError):
                if choice.do == "take_down":
                    position = self.game.table.position
                    self._do(parse_change(rules, position, self.player, "down", [f"#{choice.tag}"]))
                    down += 1
        if not down:
            raise CommandError("There is nothing of yours that can be taken down.")

    def _rules(self, name: str) -> None:
        rules = self.game.table.rules
        kind = find_kind(rules, name)
        if kind is None:
            wanted = f"There is no wager called {name!r}" if name else "The rules of which wager?"
            msg = f"{wanted}; type layout to see them all." if name else f"{wanted} For example: rules place"
            raise CommandError(msg)
        for one in sheet_of(rules, kind).statements:
            self._say(f"{one.topic}: {one.text} ({say(one.cite)})")

    def _next_player(self) -> None:
        here = self._players.index(self.player)
        self.player = self._players[(here + 1) % len(self._players)]
        self.console.print(f"  {self.player}'s turn.")

    def _switch(self, name: str) -> None:
        if name not in self._players:
            msg = f"{name} is not playing; there are {', '.join(self._players)}."
            raise CommandError(msg)
        self.player = name

    def _write(self, path: Path) -> None:
        try:
            path.write_text(self.game.history, "utf-8")
        except OSError as error:
            msg = f"{path} cannot be written: {error.strerror}"
            raise CommandError(msg) from None
        self.console.print(f"  Saved to {path}.", markup=False)

    def _quit(self) -> None:
        self._over = True

    def _leave(self) -> None:
        """Tell every rack, and keep the history if asked to."""
        if self._save is not None:
            try:
                self._write(self._save)
            except CommandError as error:
                self.saved = False
                self._tell_no(str(error))
        up = {seat.player: sum(entry.wager.up for entry in seat.entries) for seat in self.game.table.position.seats}
        for player, cents in self.game.racks.items():
            currency = self.game.currency
            net = cents + up.get(player, 0) - self.game.bought_in[player]
            left = f", {money(up[player], currency)} still on the layout" if up.get(player) else ""
            sign = "+" if net >= 0 else ""
            told = f"{player} leaves with {money(cents, currency)}{left} ({sign}{money(net, currency)})."
            self.console.print(told, markup=False)

    def complete(self, text: str, line: str) -> list[str]:
        """Offer words that can go on: commands, wagers, and numbers after a wager that takes one."""
        before = line.split()[: -1 if text else None]
        rules = self.game.table.rules
        if not before:
            words = [*_WORDS, *rules.book.wagers]
        elif before[0] in (*_CHANGES, "rules", "odds") and len(before) == 1:
            words = [*rules.book.wagers, "odds", "all"]
        else:
            kind = find_kind(rules, " ".join(before[-1:]))
            words = [spot.selection for spot in rules.book.wagers[kind].spots() if spot.pick] if kind else []
        return sorted(word for word in words if word.startswith(text))
