"""The command line."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line. The help and the version are printed without importing anything heavy."""
    from trueodds.cli import interrupts  # noqa: PLC0415

    interrupts.end_on_interrupt()
    try:
        _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        interrupts.discard_output()
        sys.exit(interrupts.CLOSED_PIPE_EXIT_CODE)
    except KeyboardInterrupt:
        sys.exit(interrupts.INTERRUPTED_EXIT_CODE)
    finally:
        interrupts.end_on_interrupt()


def _run(arguments: list[str]) -> None:
    if arguments == ["--help"]:
        from trueodds.cli.command_list import help_text  # noqa: PLC0415

        sys.stdout.write(help_text() + "\n")
    elif arguments == ["--version"]:
        from trueodds import __version__  # noqa: PLC0415

        sys.stdout.write(f"trueodds {__version__}\n")
    else:
        from trueodds.cli.app import app  # noqa: PLC0415

        app()
