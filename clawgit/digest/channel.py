"""Where a digest goes."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from clawgit.outside import address, command, retry, webhook
from clawgit.outside.address import Address
from clawgit.outside.command import Bounds
from clawgit.outside.error import BrokenError, OutsideError
from clawgit.outside.retry import AgainError, Patience

URL = "CLAWGIT_WEBHOOK_URL"
ID = "CLAWGIT_DIGEST_ID"
TEXT = "{text}"

PATIENCE = Patience(90.0, tries=4, pause=1.0)
"""For how long a channel that says no is asked again."""
EACH = 20.0
"""For how many seconds an answer is waited for."""

_PASSED = ("CLAWGIT_DIGEST_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")


class Tries(Struct, frozen=True):
    """What surrounds each try: what is called before it, what after one that was refused, and how to pause."""

    admit: Callable[[], None]
    refused: Callable[[], None]
    sleep: Callable[[float], None] = time.sleep


class Webhook(Struct, frozen=True):
    """An address that takes `{"text": …}`, as most chats do."""

    to: Address

    @property
    def name(self) -> str:
        """What it is called in notes; the address may hold a key."""
        return f"webhook {self.to.host}"

    def deliver(self, text: str, mark: str, tries: Tries) -> None:
        """Post a text. Raises OutsideError, BrokenError where nobody knows whether it arrived."""
        what = {"text": text}
        webhook.hand(
            self.to, what, mark, PATIENCE, each=EACH, admit=tries.admit, refused=tries.refused, sleep=tries.sleep
        )


class Command(Struct, frozen=True):
    """An argument list: the text on its stdin, and in place of `{text}` among the arguments."""

    words: Sequence[str]
    environ: Mapping[str, str]

    @property
    def name(self) -> str:
        """What it is called in notes."""
        return f"command {Path(self.words[0]).name}"

    def deliver(self, text: str, mark: str, tries: Tries) -> None:
        """Run the command. Raises OutsideError, BrokenError where nobody knows whether it arrived."""
        words = [word.replace(TEXT, text) for word in self.words]

        def once(seconds: float) -> None:
            tries.admit()
            try:
                self._run(words, text, mark, min(seconds, EACH))
            except (AgainError, OutsideError) as exc:
                if not isinstance(exc, BrokenError):
                    tries.refused()
                raise

        retry.patiently(once, PATIENCE, tries.sleep)

    def _run(self, words: Sequence[str], text: str, mark: str, seconds: float) -> None:
        fix = "clawgit config get digest_command"
        try:
            bounds = Bounds(seconds, passed=_PASSED)
            ran = command.run(words, text, bounds, {**self.environ, ID: mark}, _NEUTRAL)
        except OutsideError as exc:
            started = not isinstance(exc.__cause__, (OSError, ValueError, IndexError))
            raise (BrokenError if started else OutsideError)(exc.message, fix=fix) from None
        if ran.code < 0:
            raise BrokenError(f"{self.name} was killed by signal {-ran.code}; it may have sent it", fix=fix)
        if ran.code:
            raise AgainError(OutsideError(f"{self.name} ended with exit code {ran.code}", fix=fix))


Channel = Webhook | Command


def channel(words: Sequence[str], environ: Mapping[str, str]) -> Channel | None:
    """Return where digests go: a command before a webhook; None where neither is set.

    `words` is the key `digest_command` of CONFIG.md. Raises OutsideError for an address that is none.
    """
    if words:
        return Command(words, environ)
    url = environ.get(URL, "").strip()
    return Webhook(address.whole(URL, url)) if url else None
