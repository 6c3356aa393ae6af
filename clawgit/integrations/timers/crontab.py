"""A block in the user's crontab."""

from collections.abc import Callable

from clawgit.errors import Command, shell_word, timer_damaged, timer_failed
from clawgit.integrations.timers import timer
from clawgit.integrations.timers.timer import Called, Step

_NONE = "no crontab"

Changed = Callable[[bytes, Called], bytes]


class Crontab:
    """One line between two markers; every other byte of the crontab stays."""

    means = "cron"

    def __init__(self, called: Called) -> None:
        self._called = called

    def plan(self) -> tuple[Step, ...]:
        """Return the block."""
        return self._step(_read() or b"", with_block)

    def install(self) -> tuple[Step, ...]:
        """Write the block, in place of one that stands there."""
        before = _read() or b""
        steps = self._step(before, with_block)
        if steps:
            timer.must(("crontab", "-"), with_block(before, self._called), fix=Command("crontab -l"))
        return steps

    def farewell(self) -> tuple[Step, ...]:
        """Return the block that would go."""
        return self._step(_read() or b"", without_block)

    def uninstall(self) -> tuple[Step, ...]:
        """Take the block out; a crontab that held nothing else goes with it."""
        before = _read() or b""
        steps = self._step(before, without_block)
        if steps:
            after = without_block(before, self._called)
            timer.must(("crontab", "-") if after else ("crontab", "-r"), after or None, fix=Command("crontab -e"))
        return steps

    def _step(self, before: bytes, change: Changed) -> tuple[Step, ...]:
        if change(before, self._called) == before:
            return ()
        return (Step("write" if change is with_block else "remove", block(self._called).decode(), "crontab"),)


def block(called: Called) -> bytes:
    """Return the lines of a workspace (crontab(5)); a percent sign would end the command."""
    variables = "".join(f"{key}={shell_word(value)} " for key, value in called.variables.items())
    command = variables + " ".join(shell_word(word) for word in called.words)
    begin, end = _markers(called)
    line = f"*/{called.minutes} * * * * {command} >/dev/null 2>&1".replace("%", "\\%")
    return f"{begin} {called.root}\n{line}\n{end}\n".encode()


def with_block(text: bytes, called: Called) -> bytes:
    """Return a crontab with the block of a workspace: where it stood, else at the end."""
    place = _place(text, called)
    if place is None:
        joint = b"" if not text or text.endswith(b"\n") else b"\n"
        return text + joint + block(called)
    return text[: place.start] + block(called) + text[place.stop :]


def without_block(text: bytes, called: Called) -> bytes:
    """Return a crontab without the block of a workspace."""
    place = _place(text, called)
    return text if place is None else text[: place.start] + text[place.stop :]


def _place(text: bytes, called: Called) -> slice | None:
    """Return where the block stands, None where there is none. Raises ClawgitError for one that does not end."""
    begin, end = (marker.encode() for marker in _markers(called))
    at = 0
    start = None
    for line in text.splitlines(keepends=True):
        if start is None and line.startswith(begin + b" "):
            start = at
        elif start is not None and line.rstrip(b"\r\n") == end:
            return slice(start, at + len(line))
        at += len(line)
    if start is not None:
        raise timer_damaged(f"crontab block {called.name} has no end", fix=Command("crontab -e", note="take it out"))
    return None


def _markers(called: Called) -> tuple[str, str]:
    return f"# {called.name}: begin", f"# {called.name}: end"


def _read() -> bytes | None:
    """Return the crontab, None where there is none."""
    code, output, said = timer.run(("crontab", "-l"))
    if code and _NONE not in said.lower():
        raise timer_failed(f"crontab -l: {said or f'exit code {code}'}", fix=Command("crontab -l"))
    return None if code else output
