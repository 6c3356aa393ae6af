"""Runs clawgit by a clock in a file: `clocked.py CLOCK ARGUMENT…`."""

import sys
from datetime import datetime
from pathlib import Path

import time_machine

if __name__ == "__main__":
    clock = Path(sys.argv.pop(1))
    with time_machine.travel(datetime.fromisoformat(clock.read_text()), tick=True):
        from clawgit.cli.main import main

        code = main()
    sys.exit(code)
