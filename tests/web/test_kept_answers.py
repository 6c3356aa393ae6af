"""Slow answers: kept while nothing moves, asked anew as soon as something does."""

import os
import threading


def test_a_page_follows_a_file_of_the_same_size_and_time(browser, space):
    def count_entries(text):
        (space / "MEMORY.md").write_text(text)
        os.utime(space / "MEMORY.md", (1, 1))
        return browser.json("audit")["parts"]["audit"]["entries"]

    assert count_entries("# Memory\n\n- Tea.\n") == count_entries("# Memory\n\n# Tea.\n") + 1


def test_a_page_that_is_not_there_yet_says_so_and_looks_again(open_page, monkeypatch):
    browser = open_page(patience=0)
    gate = threading.Event()
    ask = browser.site.ask
    monkeypatch.setattr(browser.site, "ask", lambda *words, **options: gate.wait(20) and ask(*words, **options))
    page = browser.get("audit").text
    assert "Still being read" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert 'hx-trigger="load' in page
    assert "of 100" not in page
    gate.set()
    assert browser.json("audit")["parts"]["audit"]["score"] >= 0  # programs wait
    assert "of 100" in browser.get("audit").text
