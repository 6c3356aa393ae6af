"""Ends or fails this process at the N-th call."""

import contextlib
import ctypes
import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path


def build(folder: Path) -> Path:
    """Return the library that counts and breaks the calls which change files, made in `folder`."""
    library = folder / "shim.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(Path(__file__).with_name("shim.c")), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return library


class Shim:
    """The counter that is preloaded into this process."""

    def __init__(self, library: str) -> None:
        self._library = ctypes.CDLL(library)
        self._library.fault_disarm.restype = ctypes.c_long

    def arm(self, folder: Path, number: int, kind: str, diary: int = -1) -> None:
        mode, code = KINDS[kind]
        self._library.fault_arm(os.fsencode(f"{folder}/"), ctypes.c_long(number), mode, code, diary)

    def disarm(self) -> int:
        return self._library.fault_disarm()


KINDS = {
    "count": (0, 0),
    "die": (1, 0),
    "ENOSPC": (2, errno.ENOSPC),
    "EIO": (2, errno.EIO),
    "EACCES": (2, errno.EACCES),
    "tear and die": (3, 0),
    "tear and ENOSPC": (4, errno.ENOSPC),
}


def in_child(act: Callable[[], str]) -> tuple[int, str]:
    """Run `act` in a fork; return the signal that ended it, and its result."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            answer = act()
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the parent shall see it
            answer = f"raised {type(exc).__name__}: {exc}"
        with contextlib.suppress(OSError):
            os.write(write, answer.encode()[:60000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), answer
