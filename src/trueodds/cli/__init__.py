"""The command line."""

from trueodds.cli.app import main

__all__ = ["main"]
