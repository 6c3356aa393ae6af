"""Notes that lie twice: in the repository, beside the approvals.

Whatever only writes to the workspace can take away the first, and so hide what was told; not the second.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from clawgit.git import regular_file


class KeptNotes(Struct, frozen=True):
    """Where the notes of a workspace lie: in its repository, in the folder `state`, and in `beside`, its approvals'.

    `keep(name, data)` writes there, as well as it can.
    """

    state: Path
    beside: Path
    keep: Callable[[str, bytes], None]

    def here(self, name: str) -> bytes | None:
        """Return what a note says in the repository, None where there is none. Raises OSError."""
        try:
            return regular_file.read_state(self.state / name)
        except FileNotFoundError:
            return None

    def apart(self, name: str) -> bytes | None:
        """Return what it says beside the approvals, None where there is none, or none that can be read."""
        with contextlib.suppress(OSError):
            return regular_file.read_state(self.beside / name)
        return None

    def known(self, name: str) -> bytes | None:
        """Return what lies beside the approvals, else in the repository, None where there is neither. Raises OSError.

        Whoever puts something there could note it in the repository, too.
        """
        return self.apart(name) or self.here(name)

    def write(self, name: str, data: bytes) -> None:
        """Write it to both places; beside the approvals best effort. Raises OSError."""
        regular_file.replace_state(self.state / name, data)
        self.keep(name, data)
