"""How a command ends on Ctrl-C and when nobody reads its output any more: quietly, with the exit code of the shell.

Python turns Ctrl-C into a KeyboardInterrupt at any moment, also while modules are imported, where C code can turn it
into other errors or print it. Most commands only compute and print, so Ctrl-C ends their process at once. A command
that has something to clean up or to report calls `catch_interrupts` first.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

INTERRUPTED_EXIT_CODE: Final = 130
CLOSED_PIPE_EXIT_CODE: Final = 141


def end_on_interrupt() -> None:
    """Let Ctrl-C end the process at once, without a traceback. If Ctrl-C is ignored, it stays ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def catch_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from now on, after `end_on_interrupt`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def discard_output() -> None:
    """Send the rest of standard output nowhere, so that Python does not fail to write it when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
