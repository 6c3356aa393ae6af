"""Slow answers: kept while nothing moves, asked anew as soon as something does."""

import os
import threading
from datetime import date

import pytest

from clawgit.web.web_site import Answer, Site


class Slow:
    """Commands that count how often they are asked, and wait until they may answer."""

    def __init__(self):
        self.asked = []
        self.may = threading.Event()
        self.may.set()

    def ask(self, words, *, vouched=False):
        self.asked.append(words)
        self.may.wait(20)
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


def made(slow, place, patience=5, today=lambda: date(2026, 1, 20)):
    return Site(slow.ask, place, [place], "127.0.0.1:8642", None, today, patience)


@pytest.fixture
def kept(slow, place):
    found = made(slow, place)
    yield found
    found.close()


def test_the_same_question_is_asked_once(kept, slow):
    assert [kept.ask_slow(("audit",)).document for _ in range(3)] == [1, 1, 1]
    kept.ask_slow(("audit", "--all"))
    assert slow.asked == [("audit",), ("audit", "--all")]


@pytest.mark.parametrize("path", ["MEMORY.md", "new.md", ".git/HEAD", ".git/clawgit/state.json"])
def test_any_change_makes_it_ask_again(kept, slow, place, path):
    kept.ask_slow(("audit",))
    (place / path).write_text("changed\n")
    assert kept.ask_slow(("audit",)).document == 2


def test_a_change_that_keeps_size_and_time_is_seen(kept, place):
    kept.ask_slow(("audit",))
    known = (place / "MEMORY.md").stat()
    (place / "MEMORY.md").write_text("- two\n")
    os.utime(place / "MEMORY.md", ns=(known.st_atime_ns, known.st_mtime_ns))
    assert kept.ask_slow(("audit",)).document == 2


@pytest.mark.parametrize("path", [".git/objects/ab", ".git/clawgit/cache/index.db"])
def test_what_can_be_made_again_is_no_change(kept, place, path):
    kept.ask_slow(("audit",))
    (place / path).write_text("x")
    assert kept.ask_slow(("audit",)).document == 1


def test_a_new_day_is_a_change(slow, place):
    days = iter([date(2026, 1, 20), date(2026, 1, 21)])
    kept = made(slow, place, today=lambda: next(days))
    assert [kept.ask_slow(("audit",)).document for _ in range(2)] == [1, 2]
    kept.close()


def test_what_takes_long_is_unknown_until_it_is_there(slow, place):
    kept = made(slow, place, patience=0.01)
    slow.may.clear()
    early = kept.ask_slow(("audit",))
    assert early.pending
    assert not early.fine
    assert early.document is None
    assert early.rows == []
    assert early.record == {}
    assert early.error == ""
    slow.may.set()
    assert kept.ask_slow(("audit",), patiently=True).document == 1
    assert len(slow.asked) == 1
    kept.close()


def test_a_page_that_is_not_there_yet_says_so_and_looks_again(opened, monkeypatch):
    browser = opened(patience=0)
    gate = threading.Event()
    ask = browser.site.ask
    monkeypatch.setattr(browser.site, "ask", lambda *words, **more: gate.wait(20) and ask(*words, **more))
    page = browser.get("audit").text
    assert "Still being read" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert 'hx-trigger="load' in page
    assert "of 100" not in page
    gate.set()
    assert browser.json("audit")["parts"]["audit"]["score"] >= 0  # programs wait
    assert "of 100" in browser.get("audit").text
