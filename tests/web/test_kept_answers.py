"""Slow answers: kept while nothing moves, asked anew as soon as something does."""

import os
from datetime import date

import pytest

from clawgit.web.command_answers import Answer
from clawgit.web.web_site import KeptAnswers


class Slow:
    """Commands that count how often they are asked."""

    def __init__(self):
        self.asked = []

    def ask(self, words, *, vouched=False):
        self.asked.append(words)
        return Answer(words, 0, len(self.asked))


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def place(tmp_path):
    (tmp_path / "MEMORY.md").write_text("- one\n")
    (tmp_path / ".git/objects").mkdir(parents=True)
    (tmp_path / ".git/clawgit/cache").mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return tmp_path


@pytest.fixture
def kept(slow, place):
    return KeptAnswers(slow.ask, [place], today=lambda: date(2026, 1, 20))


def test_the_same_question_is_asked_once(kept, slow):
    assert [kept.ask(("audit",)).document for _ in range(3)] == [1, 1, 1]
    kept.ask(("audit", "--all"))
    assert slow.asked == [("audit",), ("audit", "--all")]


@pytest.mark.parametrize("path", ["MEMORY.md", "new.md", ".git/HEAD", ".git/clawgit/state.json"])
def test_any_change_makes_it_ask_again(kept, slow, place, path):
    kept.ask(("audit",))
    (place / path).write_text("changed\n")
    assert kept.ask(("audit",)).document == 2


def test_a_change_that_keeps_size_and_time_is_seen(kept, place):
    kept.ask(("audit",))
    known = (place / "MEMORY.md").stat()
    (place / "MEMORY.md").write_text("- two\n")
    os.utime(place / "MEMORY.md", ns=(known.st_atime_ns, known.st_mtime_ns))
    assert kept.ask(("audit",)).document == 2


@pytest.mark.parametrize("path", [".git/objects/ab", ".git/clawgit/cache/index.db"])
def test_what_can_be_made_again_is_no_change(kept, place, path):
    kept.ask(("audit",))
    (place / path).write_text("x")
    assert kept.ask(("audit",)).document == 1


def test_a_new_day_is_a_change(slow, place):
    days = iter([date(2026, 1, 20), date(2026, 1, 21)])
    kept = KeptAnswers(slow.ask, [place], today=lambda: next(days))
    assert [kept.ask(("audit",)).document for _ in range(2)] == [1, 2]
