"""Slow answers: kept while nothing moves, asked anew as soon as something does."""

import os
import threading
from datetime import date

from clawgit.web.web_site import Answer, Site


def test_the_same_question_is_asked_once_until_a_file_or_the_day_changes(tmp_path):
    asked, days = [], [date(2026, 1, 20)]
    memory, index = tmp_path / "MEMORY.md", tmp_path / ".git/clawgit/cache/index.db"
    memory.write_text("- one\n")
    index.parent.mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")

    def ask(words):
        asked.append(words)
        return Answer(words, 0, len(asked))

    site = Site(ask, tmp_path, [tmp_path], "127.0.0.1:8642", None, lambda: days[0], 5)

    def write(place, text):
        before = place.stat() if place.exists() else None
        place.write_text(text)
        if before:
            os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))

    changes = (
        (lambda: None, 1),
        (lambda: write(index, "x"), 1),  # it can be made again
        (lambda: write(memory, "- two\n"), 2),  # as long and as old as before
        (lambda: write(tmp_path / "new.md", "- new\n"), 3),
        (lambda: write(tmp_path / ".git/HEAD", "ref: refs/heads/side\n"), 4),
        (lambda: days.append(days.pop().replace(day=21)), 5),
    )
    for change, number in changes:
        change()
        assert [site.ask_slow(("audit",)).document for _ in range(2)] == [number] * 2
    site.close()


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
