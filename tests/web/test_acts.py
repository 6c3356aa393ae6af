"""Acts on the page: shown first, with the code for important ones, and only as shown."""

import subprocess

import pytest

from clawgit.web import web_site
from clawgit.web.page_acts import ACTS

LINE = "Be kind."


@pytest.fixture
def proposal(commands):
    """One that waits."""
    answer = commands("soul edit", LINE, add=True, section="Vibe", why="asked for", propose=True)
    return answer.record["proposal"]["id"]


def soul(space):
    return (space / "SOUL.md").read_text()


def commands_hash(browser, name):
    return browser.json("inbox", item=name)["parts"]["item"]["hash"]


def head(space):
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=space, capture_output=True, text=True, check=True).stdout


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_a_code_is_for_one_act_as_it_was_shown_and_good_once(browser, space, proposal, commands):
    other = commands("soul edit", "Be quick.", add=True, section="Vibe", why="x", propose=True).record["proposal"]["id"]
    shown_of_other = browser.hidden(browser.act("accept", id=other), "shown")
    digest = browser.hidden(browser.act("accept", id=proposal), "shown")
    for digest_given, status in ((digest, 409), (shown_of_other, 403)):
        assert browser.act("accept", id=other, shown=digest_given, code=browser.code).status_code == status
        browser.act("accept", id=proposal)
    code = browser.code
    commands("soul edit", "Loud and plain.", replace="Calm and plain.", why="x")
    late = browser.act("accept", id=proposal, shown=digest, code=code)
    assert (late.status_code, "has changed since" in late.text) == (409, True)
    assert "Be quick." not in soul(space)
    assert LINE not in soul(space)
    repeated = browser.act("accept", id=proposal, shown=browser.hidden(late, "shown"), code=browser.code)
    assert "Done." in repeated.text
    assert f"- {LINE}" in soul(space)
    assert f"{proposal} is accepted already" in browser.act("accept", id=proposal).text


def test_a_wrong_code_does_nothing_and_after_twenty_there_are_none(browser, space, proposal):
    before = head(space)
    for _ in range(4):
        digest = browser.hidden(browser.act("accept", id=proposal), "shown")
        for left in (4, 3, 2, 1, 0):
            answer = browser.act("accept", id=proposal, shown=digest, code=wrong(browser.code))
            assert (answer.status_code, f"({left} tries left)" in answer.text) == (403, left > 0)
    assert browser.act("accept", id=proposal, shown=digest, code=browser.code).status_code == 403
    assert browser.act("accept", id=proposal).status_code == 403
    assert head(space) == before


def test_a_code_ends_after_ten_minutes(browser, proposal, monkeypatch):
    digest, now = browser.hidden(browser.act("accept", id=proposal), "shown"), web_site.time.monotonic()
    code = browser.code
    monkeypatch.setattr(web_site.time, "monotonic", lambda: now + 601)
    assert browser.act("accept", id=proposal, shown=digest, code=code).status_code == 403


def test_an_identity_change_is_not_accepted_without_the_code(browser, space, proposal):
    """The act without a code takes no change that needs one, for any spelling of the browser."""
    before = head(space)
    digest = browser.hidden(browser.get("inbox"), "shown")
    for fields in (
        {},
        {"only": "1"},
        {"text": "# Soul"},
        {"shown": digest},
        {"hash": commands_hash(browser, proposal)},
    ):
        answer = browser.act("accept-one", id=proposal, **fields)
        assert answer.status_code == 409
    assert head(space) == before


def test_a_text_that_is_too_long_is_refused_and_not_cut(browser, space, commands):
    row = commands("memory add", "The relay listens on port 8080.").record
    refusal = browser.act("correct", id=row["id"], text="word " * 2_000)
    assert refusal.status_code == 413
    assert "port 8080" in (space / "MEMORY.md").read_text()


def test_read_only_does_nothing_and_offers_nothing(open_page, space, proposal):
    browser = open_page(read_only=True)
    before = head(space)
    page = browser.get("inbox").text
    assert "<button" not in page.partition("<main")[2]
    for name in ACTS:
        assert browser.act(name, id=proposal, why="x", text="x").status_code == 403
    assert head(space) == before


def test_without_a_terminal_what_counts_cannot_be_done(open_page, space, proposal):
    browser = open_page(terminal=False)
    before = head(space)
    answer = browser.act("accept", id=proposal)
    assert answer.status_code == 403
    assert "nobody sits at a terminal" in answer.text
    page = browser.get("inbox").text
    assert "disabled title" in page.partition("<main")[2]
    assert "no terminal" in page
    assert browser.act("accept", id=proposal, shown=browser.hidden(answer, "shown"), code="000000").status_code in (
        403,
        409,
    )
    assert head(space) == before


def test_a_change_of_several_files_is_taken_back(browser, space, commands):
    row = commands("memory add", "The relay listens on port 8080.").record
    answer = browser.act("correct", id=row["id"], text="The relay listens on port 9090.")
    fields = {name: browser.hidden(answer, name).replace("\n", "\r\n") for name in ("change", "files")}
    assert fields["files"] == "CORRECTIONS.md\r\nMEMORY.md"
    assert "Done." in browser.guarded("undo", **fields).text
    assert "port 8080" in (space / "MEMORY.md").read_text()


def test_every_guarded_act_asks_before_it_does(browser, space, proposal):
    """Nothing that changes identity, trust or policy is done by one request, for any content of it."""
    before = head(space)
    guarded = {name for name, act in ACTS.items() if act.guarded}
    assert guarded == {"accept", "trust", "undo", "restore", "run", "taint"}
    for name in guarded:
        fields = {
            "id": proposal,
            "change": "HEAD",
            "what": "SOUL.md",
            "job": "capture",
            "source": "SOUL.md",
            "path": "SOUL.md",
            "files": "SOUL.md",
        }
        assert browser.act(name, **fields).status_code == 200, name
        answer = browser.act(name, shown="0" * 16, code="000000", **fields)
        assert answer.status_code in (403, 409)
    assert head(space) == before


ASTRAY = [
    "http://evil.example/",
    "//evil.example",
    "javascript:alert(1)",
]


def test_the_way_back_leads_nowhere_else(browser):
    for back in ASTRAY:
        answer = browser.act("reject", id="none", back=back)
        assert "evil" not in answer.text
        assert "javascript" not in answer.text
        assert f'class="button" href="{browser.site.address("today")}"' in answer.text


def test_options_cannot_be_smuggled_in(browser, space):
    before = head(space)
    for change in ("--run", "-h", "--again"):
        assert browser.act("undo", change=change).status_code in (200, 409)
    for text in ("--remove", "-"):
        browser.act("correct", id="none", text=text)
    assert head(space) == before


def test_a_file_comes_back_as_it_was(browser, space, commands):
    before = soul(space)
    first = commands("soul log").rows[0]["commit"]
    commands("soul edit", LINE, add=True, section="Vibe", why="asked for")
    assert "Done." in browser.guarded("restore", what="SOUL.md", as_of=first).text
    assert soul(space) == before


def test_a_line_of_the_identity_is_corrected_with_the_code(browser, space, commands):
    (space / "USER.md").write_text("# User\n\n- Lives at Rua Augusta 14, 1100 Lisbon.\n")
    (space / "MEMORY.md").write_text("# Memory\n\n- The office is at Rua Augusta 14, 1100 Lisbon.\n")
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-01-20.md").write_text("# 2026-01-20\n\n- A parcel went to Rua Augusta 14, 1100 Lisbon.\n")
    for words in (("add", "-A"), ("commit", "-qm", "addresses")):
        subprocess.run(["git", *words], cwd=space, check=True)
    commands("correct", "Rua Augusta 14, 1100 Lisbon", "Rua Augusta 41, 1100 Lisbon")
    (item,) = commands("inbox").rows
    choices = commands("show", item["id"]).record["choices"]
    number = next(str(choice["number"]) for choice in choices if choice["at"].startswith("USER.md"))
    digest = browser.hidden(browser.act("accept", id=item["id"], only=number), "shown")
    browser.act("accept", id=item["id"], only=number, shown=digest, code=browser.code)
    assert "Rua Augusta 41" in (space / "USER.md").read_text()
