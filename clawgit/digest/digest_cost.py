"""What the agents did, and what it cost."""

import math
import re
from collections.abc import Iterator
from datetime import datetime

from clawgit.agents import audit
from clawgit.digest.digest_text import COST, Item, Part
from clawgit.workspace import run_ledger
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.workspace import Workspace

_NAME = re.compile(r"[a-z][a-z-]{0,30}")


def cost_part(workspace: Workspace, since: datetime, until: datetime) -> Part:
    """Return the runs that ended in a period, one line for each agent that committed or asked something."""
    told = (_told(name, some) for name, some in _ran(workspace, since, until).items())
    return Part(COST, tuple(Item(words) for words in told if words), look="clawgit run --list")


def failed(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield the agents whose last run of a period failed; why is not repeated, for it may be words of a model."""
    for name, some in _ran(workspace, since, until).items():
        if some[-1].error:
            yield Item(
                f"{name} failed at its last run, {some[-1].ended[:16].replace('T', ' ')}", (), "clawgit run --list"
            )


def audited(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what the last audit of a period came to, beside the one before."""
    past = audit.history(workspace)
    if past and since.date().isoformat() <= past[-1].day <= until.date().isoformat():
        last = past[-1]
        before = f", {past[-2].score} on {past[-2].day}" if past[1:] else ""
        many = _counted(last.found, "line")
        yield Item(
            f"audit of memory on {last.day}: {last.score} of 100{before}; {many} to look at", (), "clawgit audit"
        )


def _ran(workspace: Workspace, since: datetime, until: datetime) -> dict[str, list[Ran]]:
    found: dict[str, list[Ran]] = {}
    for ran in run_ledger.ledger(workspace.state):
        ended = _moment(ran.ended)
        if ended and since < ended <= until and _NAME.fullmatch(ran.agent):
            found.setdefault(ran.agent, []).append(ran)
    return found


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _told(name: str, some: list[Ran]) -> str:
    commits = sum(len(ran.committed) for ran in some)
    read = sum(ran.read for ran in some)
    parts = [*([f"{read:,} read"] if read else ()), *([_counted(commits, "commit")] if commits else ())]
    calls, tokens = _used(some, "calls"), _used(some, "read", "written")
    if calls:
        about = "about " if any(_number(ran, "estimated") for ran in some) else ""
        parts += [
            _counted(calls, "request"),
            f"{about}{_counted(tokens, 'token')}",
            f"{_used(some, 'seconds'):,} s",
        ]
    return f"{name}: {', '.join((_counted(len(some), 'run'), *parts))}" if commits or calls else ""


def _used(some: list[Ran], *names: str) -> int:
    return round(sum(_number(ran, name) for ran in some for name in names))


def _number(ran: Ran, name: str) -> float:
    """Return a number of the ledger, 0 for what is none."""
    usage: object = ran.usage
    value = usage.get(name) if isinstance(usage, dict) else None
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else 0.0


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
