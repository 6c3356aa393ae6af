"""Notes that lie twice: in the repository, beside the approvals.

Whatever only writes to the workspace can take away the first, and so hide what was told; not the second.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from clawgit.git import regular_file
from clawgit.store.database import StateStore


class KeptNotes(Struct, frozen=True):
    """Where the notes of a workspace are: in its `store`, and in the folder `beside`, with its approvals.

    `keep(name, data)` writes there, as well as it can.
    """

    store: StateStore
    beside: Path
    keep: Callable[[str, bytes], None]

    def here(self, name: str) -> bytes | None:
        """Return what a note says in the store, None where there is none. Raises ClawgitError."""
        text = self.store.read_document(name, str)
        return None if text is None else text.encode()

    def apart(self, name: str) -> bytes | None:
        """Return what it says beside the approvals, None where there is none, or none that can be read."""
        with contextlib.suppress(OSError):
            return regular_file.read_state(self.beside / name)
        return None

    def known(self, name: str) -> bytes | None:
        """Return what is beside the approvals, else in the store, None where there is neither. Raises ClawgitError.

        Whoever puts something there could note it in the repository, too.
        """
        return self.apart(name) or self.here(name)

    def write(self, name: str, data: bytes) -> None:
        """Write it to both places; beside the approvals best effort. Raises ClawgitError."""
        self.store.save_document(name, data.decode("utf-8", "replace"))
        self.keep(name, data)
