"""Run the command line with `python -m trueodds`."""

from trueodds.cli import main

if __name__ == "__main__":
    main()
