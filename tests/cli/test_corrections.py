"""`clawgit corrections`, and the outcome of a message in triage."""

import json

import pytest

MONDAY = "The kickoff with Acme is on Monday."


@pytest.fixture
def kickoff(call):
    """A memory that is wrong."""
    return call("memory", "add", MONDAY, "--json").json["id"]


def test_what_is_open_waits_for_the_operator(call, kickoff, space):
    dismissed = call("triage", "No, that's the wrong one", "--act", "--json").json["candidate"]["id"]
    assert call("corrections", "dismiss", dismissed).code == 0
    call("triage", "No, that's the wrong one", "--act")
    document = call("triage", "No, that's the wrong day", "--act", "--json").json
    assert document["correction"] is None
    name = document["candidate"]["id"]
    assert [row["id"] for row in call("corrections", "--json").json] == [name]
    assert call("accept", name).code == 2
    assert call("correct", "The kickoff with Acme is on Friday.", "--about", kickoff).code == 0
    assert "is on Friday. #event" in (space / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("script", "message"),
    [("cat > heard.json", "heard of it"), ("sleep 60", "took longer")],
)
def test_a_forgotten_ability_is_handed_on_and_costs_no_more_than_a_note(call, space, monkeypatch, script, message):
    from clawgit.agents import recall_validator  # noqa: PLC0415

    handler = space / "handler.sh"
    handler.write_text(f"#!/bin/sh\n{script}\n")
    handler.chmod(0o755)
    monkeypatch.setattr(recall_validator, "_HANDLER_SECONDS", 1.0)
    assert call("config", "recall_external_handler", "handler.sh").code == 0
    assert "names nobody" in call("triage", "You forgot: you can use the printer script", "--act").err
    document = call("trust", "--json").json
    assert call("trust", "--hash", document["hash"], terminal=True).code == 0
    answer = call("triage", "You forgot: you can use the scanner script", "--act")
    assert answer.code == 0
    assert message in answer.err
    if script.startswith("cat"):
        assert json.loads((space / "heard.json").read_text())["text"].startswith("You forgot")
    waiting = [item["title"] for item in call("inbox", "--json").json]
    assert any("scanner" in title for title in waiting) is not script.startswith("cat")
    assert any("printer" in title for title in waiting)


def test_a_handler_that_was_rewritten_hears_of_nothing(call, space):
    (space / "handler.sh").write_text("#!/bin/sh\nexit 0\n")
    (space / "handler.sh").chmod(0o755)
    call("config", "recall_external_handler", "handler.sh", terminal=True)
    (space / "handler.sh").write_text("#!/bin/sh\ntouch ran\n")
    errors = call("triage", "You forgot: you can use the scanner script", "--act").err
    assert "recall_external_handler changed since you approved it, and is off: clawgit trust" in errors
    assert not (space / "ran").exists()


def test_a_reminder_that_corrected_is_not_asked_about_when_it_is_read_again(call, space):
    for text in ("The deploy day of the shop is Monday.", "The deploy day of the site is Tuesday."):
        call("remember", text)
    call("triage", "you forgot that the deploy day of the shop is Tuesday", "--act", "--session", "s")
    assert len(call("corrections", "--json").json) == 1
    assert call("run", "recall-validator", "--apply").code == 0
    assert [item["kind"] for item in call("inbox", "--json").json] == []
