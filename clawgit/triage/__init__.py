"""Tells at once what a message is a sign of."""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.triage.triage import Triage


class _Room(ModuleType):
    """This room, which is also read as the function `clawgit.triage`."""

    def __call__(self, text: str, *, origin: str = "operator") -> Triage:
        """Return what the patterns that clawgit brings say of a message."""
        from clawgit.triage.patterns import BUILT_IN  # noqa: PLC0415 - importing clawgit costs nothing
        from clawgit.triage.triage import triage  # noqa: PLC0415

        return triage(text, BUILT_IN, origin=origin)


sys.modules[__name__].__class__ = _Room
