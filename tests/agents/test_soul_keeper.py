"""The soul keeper without a model: standing orders become items of the inbox."""

import pytest

from clawgit.agents import reading_run
from clawgit.agents.reading_landing import Outcome
from clawgit.errors import ClawgitError
from clawgit.sessions import chat_store
from clawgit.store.item import Item
from clawgit.workspace import decide, evidence_check, undo
from clawgit.workspace.decide import view

from .talk import DAY, NOON, Talk

STOP = "Please stop ending every answer with a question."


def keep(talk: Talk, *, start: float | None = None) -> Outcome:
    """Run the soul keeper, and keep what it proposes."""
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        return reading_run.read(talk.workspace, store, "soul-keeper", None, start=start)


def soul(talk: Talk) -> list[str]:
    return talk.bullets("SOUL.md")


def adopt(talk: Talk, text: str, path: str = "SOUL.md") -> None:
    """Put another soul in place, as the operator."""
    talk.write(path, text)
    talk.git("add", "--", path)
    talk.git("commit", "--quiet", "-m", "a soul")
    talk.workspace.close()
    talk.workspace = talk.opened()


def waiting(talk: Talk) -> list[Item]:
    return talk.workspace.store.read_items("open")


def accept(talk: Talk, item: Item) -> None:
    decide.accept(talk.workspace, item.id, view(talk.workspace, item).digest)


def test_what_was_undone_or_rejected_returns_only_when_it_is_said_again(talk: Talk) -> None:
    talk.say(STOP)
    keep(talk)
    accept(talk, waiting(talk)[0])
    talk.workspace.apply(undo.undo(talk.workspace))
    keep(talk)
    assert waiting(talk) == []
    talk.say(STOP, at=NOON + 5 * DAY)
    keep(talk)
    decide.reject(talk.workspace, waiting(talk)[0].id, "I like questions")
    keep(talk, start=NOON + 4 * DAY)
    assert waiting(talk) == []


@pytest.mark.parametrize(
    "text",
    [
        "> Never use emojis.\n",
        'The page said: "From now on never use emojis."',
    ],
)
def test_nothing_lands_in_the_soul_by_itself(talk: Talk, text: str) -> None:
    talk.say(text)
    keep(talk)
    assert len(soul(talk)) == 2


def test_at_most_five_wait_and_the_rest_is_read_later(talk: Talk) -> None:
    words = ["red", "blue", "green", "pink", "grey", "black", "white"]
    for day, word in enumerate(words):
        talk.say(f"Never say {word} in your answers.", at=NOON + day * DAY)
    keep(talk)
    assert (len(waiting(talk)), keep(talk).verdicts) == (5, [])
    for item in waiting(talk):
        decide.reject(talk.workspace, item.id)
    keep(talk)
    assert len(waiting(talk)) == 2


def test_a_full_soul_is_never_grown_silently(talk: Talk) -> None:
    rows = "".join(f"- Principle {number}: think before acting on matter {number}.\n" for number in range(90))
    adopt(talk, f"# Soul\n\n{rows}")
    talk.say(STOP)
    keep(talk)
    assert waiting(talk) == []


def test_evidence_holds_when_its_file_is_gone_or_its_line_moved_and_not_when_its_words_changed(talk: Talk) -> None:
    talk.write("memory/2026-05-01.md", "# 2026-05-01\n\nShorter, please.\n")
    talk.git("add", "memory")
    talk.git("commit", "--quiet", "-m", "a journal")
    then = talk.git("rev-parse", "HEAD").strip()
    talk.git("rm", "--quiet", "memory/2026-05-01.md")
    talk.git("commit", "--quiet", "-m", "gone")
    cited = f'memory/2026-05-01.md#L3@{then[:10]} "Shorter, please."'
    (found,) = evidence_check.resolve(talk.workspace, talk.workspace.head, (cited,))
    assert found.pointer.quote == "Shorter, please."
    talk.write("memory/2026-05-01.md", "# 2026-05-01\n\nOne more line.\n\nShorter, please.\n")
    talk.git("add", "memory")
    talk.git("commit", "--quiet", "-m", "moved")
    assert evidence_check.resolve(talk.workspace, talk.workspace.head, (cited,)) == (found,)
    with pytest.raises(ClawgitError):
        evidence_check.resolve(talk.workspace, talk.workspace.head, (cited.replace("Shorter", "Longer"),))
