"""A workspace whose agent is talked to, and its soul keeper."""

from pathlib import Path

from clawgit.agents import running
from clawgit.agents.running import Result
from clawgit.agents.soul_keeper import SoulKeeper
from clawgit.sessions import chat_store_choice

from ..talk import DAY, NOON, Talk  # noqa: TID252 - the tests' own workspace

STOP = "Please stop ending every answer with a question."
LINE = f"- {STOP}"


def keep(talk: Talk, *, path: str = "SOUL.md", start: float | None = None) -> Result:
    """Run the soul keeper, and keep what it proposes."""
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        return running.apply(SoulKeeper(store, path=path, start=start), talk.workspace)


def preview(talk: Talk) -> Result:
    """Return what the soul keeper would do."""
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        return running.preview(SoulKeeper(store), talk.workspace)


def soul(talk: Talk) -> list[str]:
    """Return the bullets of the soul."""
    return talk.bullets("SOUL.md")


def adopt(talk: Talk, text: str, path: str = "SOUL.md") -> None:
    """Put another soul in place, as the operator."""
    talk.write(path, text)
    talk.git("add", "--", path)
    talk.git("commit", "--quiet", "-m", "a soul")
    talk.workspace.close()
    talk.workspace = talk.opened()


def exchange(talk: Talk, said: str, day: int, *, answer: str = "Here you are. " * 40, session: str = "") -> str:
    """Have the agent answer at length, and the operator remark on it, on a day; return the event of the remark."""
    name, at = session or f"d{day}", NOON + day * DAY
    talk.say(answer, session=name, at=at, origin="agent")
    return talk.say(said, session=name, at=at + 60)


def state(talk: Talk) -> Path:
    """Return the folder of what is not tracked."""
    return talk.workspace.store
