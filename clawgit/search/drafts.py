"""Drafts questions from what commits added."""

import re
from collections.abc import Iterator

from clawgit.git import churn, history
from clawgit.git.churn import Touch
from clawgit.search import corpus, index, words
from clawgit.search.trial import Question, Span
from clawgit.workspace.workspace import Workspace

_PREFIX = re.compile(r"^[\w()/-]{1,30}:\s+")
_EMPTY = re.compile(
    r"^(?:capture|merge|revert|wip|update|sync|backup|auto|initial|init|adopt|checkpoint)\b", re.IGNORECASE
)
_FEWEST, _MOST_LINES = 2, 8
_LONGEST = 2_000


def drafts(workspace: Workspace) -> Iterator[Question]:
    """Yield a question for each commit whose subject says something and whose lines still stand, newest first.

    A subject is what somebody called the matter, seldom in the words of the lines: that makes it a fair question.
    """
    if workspace.head is None:
        return
    more = index.memory_files(workspace)
    standing = _standing(workspace)
    subjects = {commit.id: commit.subject for commit in history.log(workspace.repo, limit=_LONGEST, named=False)}
    given: dict[str, list[Span]] = {}
    for _, touch in churn.churn(workspace.repo, list(subjects), "*.md"):
        if isinstance(touch, Touch) and len(touch.parents) < 2 and corpus.wanted(touch.path, more):  # noqa: PLR2004 - a merge
            lines = (line for hunk in touch.hunks for line in hunk.given if line not in hunk.taken)
            found = (standing.get((touch.path, line.decode("utf-8", "replace").strip())) for line in lines)
            given.setdefault(touch.commit, []).extend((touch.path, at, at) for at in found if at)
    asked: set[str] = set()
    for commit, subject in subjects.items():
        question = _PREFIX.sub("", subject).strip()
        good = (
            not (_EMPTY.match(subject) or _EMPTY.match(question))
            and len(words.content(question)) >= _FEWEST
            and question not in asked
        )
        if good and 0 < len(given.get(commit, ())) <= _MOST_LINES:
            asked.add(question)
            yield Question(question, tuple(dict.fromkeys(given[commit])))


def _standing(workspace: Workspace) -> dict[tuple[str, str], int]:
    """Return where each line stands that stands once in its file, and is no heading."""
    found: dict[tuple[str, str], int] = {}
    twice: set[tuple[str, str]] = set()
    for source in corpus.sources(workspace.root, index.memory_files(workspace)):
        data = source.read()
        for number, line in enumerate(corpus.text(data[0]).split("\n") if data else (), 1):
            key = (source.path, line.strip())
            if line.strip() and not line.startswith("#"):
                twice |= {key} if key in found else set()
                found[key] = number
    return {key: number for key, number in found.items() if key not in twice}
