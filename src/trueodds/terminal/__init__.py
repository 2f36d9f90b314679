"""Playing craps in the terminal."""

from trueodds.terminal.shell import Shell
from trueodds.terminal.terminal_game import TerminalGame

__all__ = ["Shell", "TerminalGame"]
