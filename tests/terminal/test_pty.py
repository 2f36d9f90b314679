"""The `trueodds table` command in a pseudo-terminal, for each book."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from codecs import getincrementaldecoder
from pathlib import Path

import pytest

from support.houses import BOOKS
from trueodds.rulebook import load_book

TRUEODDS = Path(sys.executable).parent / "trueodds"
PATIENCE = 60.0


class Keyboard:
    """A child process with its own terminal."""

    def __init__(self, *words: str) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "COLUMNS": "120", "LINES": "50", "TERM": "xterm", "NO_COLOR": "1"}
        self._child = subprocess.Popen(
            [str(TRUEODDS), *words], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._waiting = ""
        self.seen = ""

    def read_until(self, wanted: str) -> str:
        """Read until a text appears, and return everything up to it. The rest is left for the next call."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self._waiting:
            if time.monotonic() > deadline:
                pytest.fail(f"waited for {wanted!r}, saw {self._waiting[-500:]!r}")
            ready, _, _ = select.select([self._master], [], [], 0.2)
            try:
                got = os.read(self._master, 65536) if ready else b""
            except OSError:
                pytest.fail(f"ended before {wanted!r}, saw {self._waiting[-500:]!r}")
            self._waiting += _plain(self._decode(got))
        found, wanted, self._waiting = self._waiting.partition(wanted)
        self.seen += found + wanted
        return found + wanted

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, and again if the child did not wait for a key yet."""
        for _ in range(20):
            if self._child.poll() is not None or select.select([self._master], [], [], 0)[0]:
                return
            os.killpg(self._child.pid, signal.SIGINT)
            select.select([self._master], [], [], 1.0)

    def leave(self) -> int:
        code = self._child.wait(timeout=PATIENCE)
        os.close(self._master)
        return code


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


@pytest.mark.parametrize("book", BOOKS)
def test_a_hand_at_the_keyboard(book: str, tmp_path: Path) -> None:
    line = load_book(book).wagers["pass"].short_name
    keyboard = Keyboard("table", "--book", book, "--dice", "2-4,3-3,3-4", "--save", str(tmp_path / "h.txt"))
    keyboard.read_until("Player> ")
    keyboard.type("pass 10\n")
    assert f"{line} for" in keyboard.read_until("Rack")
    keyboard.read_until("Player> ")
    keyboard.type("roll\n")
    keyboard.read_until("the point is 6")
    keyboard.read_until("Player> ")
    keyboard.type("come 10\n")
    keyboard.read_until("Rack")
    keyboard.read_until("Player> ")
    keyboard.type("rol\t\n")
    assert f"{line} wins" in keyboard.read_until("Puck OFF")
    keyboard.read_until("Player> ")
    keyboard.type("why\n")
    keyboard.read_until("travels to 6")
    keyboard.read_until("Player> ")
    keyboard.type("quit\n")
    keyboard.read_until("Player leaves with")
    assert keyboard.leave() == 0
    assert "Traceback" not in keyboard.seen
    assert (tmp_path / "h.txt").read_text("utf-8").startswith("trueodds history 1")


def test_end_of_input_leaves_cleanly() -> None:
    keyboard = Keyboard("table", "--seed", "1")
    keyboard.read_until("Player> ")
    keyboard.type("\x04")
    keyboard.read_until("Player leaves with")
    assert keyboard.leave() == 0
    assert "Traceback" not in keyboard.seen


def test_ctrl_c_prints_the_rack_and_leaves() -> None:
    keyboard = Keyboard("table", "--seed", "1")
    keyboard.read_until("Player> ")
    keyboard.type("pass 10\n")
    keyboard.read_until("Rack")
    keyboard.read_until("Player> ")
    keyboard.interrupt()
    keyboard.read_until("Player leaves with")
    assert keyboard.leave() == 0
    assert "Traceback" not in keyboard.seen
