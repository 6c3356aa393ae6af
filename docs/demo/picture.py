"""Draws README's picture from what the demonstration really prints.

    python docs/demo/picture.py

It plays the demonstration on a terminal of its own and keeps three of its scenes as docs/demo/screen.svg.
"""

import io
import os
import pty
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
SCENES = ("What changed", "Lost and found")
_CUT = re.compile(r"\n(?=\x1b\[[0-9;]*m== )")


def played() -> str:
    """Return what the demonstration prints on a terminal, colours included."""
    told = io.BytesIO()

    def keep(handle: int) -> bytes:
        data = os.read(handle, 1 << 16)
        told.write(data)
        return data

    os.environ["TERM"] = "xterm-256color"
    quiet = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        status = pty.spawn([sys.executable, str(HERE / "demo.py")], keep)
        os.dup2(quiet, 1)
    if status:
        raise SystemExit("the demonstration failed; no picture was drawn")
    return told.getvalue().decode().replace("\r\n", "\n")


def drawn(told: str) -> str:
    """Return the picture of the wanted scenes."""
    scenes = [scene for scene in _CUT.split(told) if any(f"== {title}" in scene for title in SCENES)]
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi("\n".join(scene.rstrip("\n") + "\n" for scene in scenes).rstrip("\n")))
    return console.export_svg(title="clawgit")


if __name__ == "__main__":
    (HERE / "screen.svg").write_text(drawn(played()), "utf-8")
