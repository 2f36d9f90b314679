"""A table to play at in the terminal."""

from trueodds.terminal.game import Game, NoFundsError
from trueodds.terminal.shell import Shell

__all__ = ["Game", "NoFundsError", "Shell"]
