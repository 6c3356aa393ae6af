"""Every page shows the numbers of the command."""

import json
import os
import subprocess
import sys
from pathlib import Path

from clawgit.cli.ui_command import ask_silently
from clawgit.web.page_server import PAGES
from clawgit.web.web_site import command
from tests.amounts import amount

STATES = {
    "why": {"line": "SOUL.md:5"},
    "search": {"q": "relay port", "story": "1"},
    "context": {"text": "which port?"},
    "soul": {"file": "SOUL.md"},
}
MOVING = ("until", "since", "id", "text", "date")
"""Fields of a digest that say when it was asked."""

SHOWN = [page for page in PAGES if page != "memory/entry"]


def shell(space, words):
    """Return the output of the installed command, as a process of its own."""
    assert words.startswith("clawgit ")
    program = f"{Path(sys.executable).with_name('clawgit')} -C {space}"
    arguments = words.removeprefix("clawgit ")
    before, dashes, after = arguments.partition(" -- ")
    typed = f"{program} {before} --json{dashes}{after}"
    result = subprocess.run(["sh", "-c", typed], capture_output=True, check=False, cwd="/", env={**os.environ})
    return json.loads(result.stdout)


def test_a_page_says_what_the_command_says(browser, full):
    """No second truth: each part is the document that `--json` prints."""
    for page in SHOWN[:: amount(1, 2)]:
        page_json = browser.json(page, **STATES.get(page, {}))
        assert page_json["parts"]
        for name, document in page_json["parts"].items():
            expected = shell(full, page_json["commands"][name])
            if isinstance(expected, dict):
                for key in MOVING if name == "digest" else ():
                    expected.pop(key, None)
                    document.pop(key, None)
            # The index is made by the first search, and its log shrinks when it is closed.
            for part in (expected, document):
                for key in ("search", "bytes") if isinstance(part, dict) else ():
                    part.pop(key, None)
            for row in (*expected, *document) if page == "schedule" else ():
                row.pop("next", None)  # of what runs every few minutes it is now, and that many
            assert document == expected, page_json["commands"][name]


def test_a_page_is_whole_html_and_names_its_commands(browser, full, commands):
    for page in PAGES:
        state = STATES.get(page, {})
        if page == "memory/entry":
            state = {"id": commands("memory list").rows[0]["id"]}
        answer = browser.get(page, **state)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.text.count("<h1>") == 1
        assert answer.text.rstrip().endswith("</html>")
        assert "Undefined" not in answer.text
        parts = browser.json(page, **state)["parts"]
        assert not [document for document in parts.values() if isinstance(document, dict) and "error" in document]
        if parts:
            assert "<code>clawgit " in answer.text


def test_blame_leads_to_why_and_why_to_the_reason(browser, full):
    blame = browser.get("soul/blame").text
    assert browser.site.address("why", line="SOUL.md:11").replace("&", "&amp;") in blame
    text = browser.get("why", line="SOUL.md:11").text
    assert "Be brief." in text
    assert "asked for" in text


def test_an_entry_says_who_found_it_and_when(browser, full, commands, space):
    row = commands("memory list").rows[0]
    ask_silently(space, command("search", "relay port", session="5b0f3c1e"), vouched=True)
    entry = browser.json("memory/entry", id=row["id"])["parts"]["entry"]
    assert [hit["session"] for hit in entry["retrieved"]] == ["5b0f3c1e"]
    page = browser.get("memory/entry", id=row["id"]).text
    assert "5b0f3c1e" in page
    assert entry["retrieved"][0]["at"][:10] in page


def test_looking_at_the_page_counts_as_no_search(browser, full, space, monkeypatch):
    monkeypatch.setenv("CLAWGIT_SESSION", "of-the-terminal")
    for page in PAGES:
        browser.get(page, **STATES.get(page, {}))
    assert not list((space / ".git/clawgit/state").glob("search_hits*"))


def test_what_fails_says_how_to_go_on(browser):
    assert browser.get("nothing").status_code == 404
    assert browser.get("soul", file="nothing.md", as_of="never").status_code == 200
    answer = browser.get("why", line="SOUL.md:999")
    assert answer.status_code == 400
    assert "fix:" in answer.text
    assert browser.get("memory/entry", id="nothing").status_code == 400


QUESTIONS = [
    {"q": "--all-agents"},
    {"q": "\x00\x1b[2J"},
    {"q": "a" * 10_000},
    {"q": "\ud83d\ude00 ümlaut 記憶"},
    {"q": "x", "as_of": "--deleted"},
    {"q": "x", "deleted": "1", "as_of": "HEAD"},
]


def test_no_question_is_taken_for_an_option(browser, full):
    for state in QUESTIONS:
        query = {key: value.encode("utf-8", "replace").decode() for key, value in state.items()}
        answer = browser.get(browser.site.address("search.json", query))
        assert answer.status_code in (200, 400)
        assert "Usage:" not in answer.text
        assert '"agent"' not in answer.text


def test_a_long_list_comes_in_pages(browser, commands, space):
    rows = "".join(f"- Fact number {number} holds.\n" for number in range(120))
    (space / "MEMORY.md").write_text(f"# Memory\n\n## Knowledge\n\n{rows}")
    commands("capture")
    first = browser.get("memory").text
    assert "120 of 120, 1 to 50" in first
    assert 'rel="next"' in first
    last = browser.get("memory", **{"from": "100"}).text
    assert "101 to 120" in last
    assert 'rel="next"' not in last
    for odd in ("-5", "abc", "9" * 30, "٣"):
        assert browser.get("memory", **{"from": odd}).status_code == 200
        assert browser.get("soul", **{"from": odd, "at": odd}).status_code == 200


def test_ours_are_the_commands_of_this_workspace_alone(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAWGIT_WORKSPACE", str(tmp_path))
    assert browser.json("today")["parts"]["status"]["workspace"] == str(browser.site.root)
