"""Notes which functions a process enters; see entered.py."""

import os
import sys
import threading
from types import CodeType, FrameType

PACKAGE = f"{os.path.realpath(__file__).removesuffix('tests/ratchets/profiling.py')}clawgit/"


def begin(folder: str) -> None:
    """Note each function on its first call from here on, in this process and its threads; a kill loses nothing."""
    seen: dict[int, CodeType] = {}  # to hash a code takes long

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and id(code) not in seen:
            seen[id(code)] = code
            if code.co_filename.startswith(PACKAGE):
                name = f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname.replace('.<locals>', '')}"
                notes = os.open(f"{folder}/{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
                os.write(notes, f"{name}\n".encode())
                os.close(notes)

    threading.setprofile(note)
    sys.setprofile(note)
