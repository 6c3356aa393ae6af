"""Tells when those who write have paused."""

from collections.abc import Mapping

from msgspec import Struct, field

Signature = tuple[int, ...] | None


class Quiet(Struct):
    """Since when each file has stood as it stands; times are seconds of a clock that never goes back.

    A file's own times are only compared with each other: a clock that somebody set back must not hold a file up.
    """

    seconds: float
    patience: float = 15.0
    _since: dict[str, tuple[Signature, float, float]] = field(default_factory=dict)

    def look(self, files: Mapping[str, Signature], now: float) -> frozenset[str]:
        """Return the files that may be captured, given how all uncommitted ones stand `now`.

        As long as somebody still writes one of them the group is not complete; after `patience` seconds those that
        are quiet no longer wait for the others.
        """
        self._since = {path: self._seen(path, signature, now) for path, signature in files.items()}
        quiet = frozenset(path for path, (_, still, _) in self._since.items() if now - still >= self.seconds)
        waited = max((now - first for _, _, first in self._since.values()), default=0.0)
        return quiet if len(quiet) == len(files) or waited >= self.patience else frozenset()

    def _seen(self, path: str, signature: Signature, now: float) -> tuple[Signature, float, float]:
        before, still, first = self._since.get(path, (signature, now, now))
        return signature, still if before == signature else now, first
