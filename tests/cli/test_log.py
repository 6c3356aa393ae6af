"""`clawgit log`."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

FIELDS = {"commit", "change", "date", "agent", "author", "origin", "subject", "why", "evidence", "files"}


@pytest.fixture
def lived(call: Callable, space: Path, inside: Callable) -> Path:
    """A note, a memory, an edit by hand, an agent's and a stranger's commit."""
    call("journal", "add", "Ana: shorter.")
    call("memory", "add", "Ana likes tea.", "--origin", "untrusted")
    (space / "MEMORY.md").write_text((space / "MEMORY.md").read_text() + "- by hand\n")
    inside("commit", "-qam", "by hand")
    call("journal", "add", "One more.")
    (space / "SOUL.md").write_text("# Kept\n")
    inside(
        "commit", "-qam", "soul: keep", "-m", "Clawgit-Agent: soul-keeper\nClawgit-Change: kkkkkkkkkk\nOrigin: agent"
    )
    return space


def test_the_list_is_that_of_git(call: Callable, lived: Path, inside: Callable) -> None:
    for path in ([], ["MEMORY.md"], ["memory"], ["./memory/"], ["SOUL.md"]):
        found = call("log", *path, "--json").json
        assert [one["commit"] for one in found] == inside("log", "--format=%H", "--", *path).split()
        assert all(set(one) >= FIELDS for one in found)


def test_people_and_strangers_have_no_agent(call: Callable, lived: Path) -> None:
    by_hand, ours, _ = call("log", "MEMORY.md", "--json").json
    assert (by_hand["agent"], by_hand["change"], by_hand["origin"], by_hand["author"]) == (None, None, None, "Ada")
    assert (ours["agent"], ours["origin"]) == (None, "untrusted")
    assert len(ours["change"]) == 10
    out = call("log", "MEMORY.md").out
    assert re.search(r"^[0-9a-f]{10} \d{4}-\d\d-\d\d \d\d:\d\d Ada, without clawgit\n  by hand\n", out, re.MULTILINE)


def test_a_commit_without_a_reason_shows_some_of_its_words(call: Callable, lived: Path, inside: Callable) -> None:
    assert "  by hand\n  + by hand\n" in call("log", "MEMORY.md").out
    memory = lived / "MEMORY.md"
    memory.write_text(memory.read_text().replace("- by hand\n", "") + "\n## Tea\n\n- one\n- two\n- three\n- by hand\n")
    (lived / "USER.md").write_text("# User\n\n- Ben\n")
    inside("add", "-A")
    inside("commit", "-qm", "update")
    assert "  update\n  + one\n  + two\n  and 1 more line\n" in call("log", "MEMORY.md", "-n", "1").out
    assert "  update\n  + Ben\n" in call("log", "USER.md", "-n", "1").out
    assert "\n  + " not in call("log", "--agent", "soul-keeper").out


def test_every_filter_counts_what_is_shown(call: Callable, lived: Path) -> None:
    def subjects(*options: str) -> list[str]:
        return [one["subject"] for one in call("log", "--json", *options).json]

    assert subjects("--agent", "soul-keeper") == ["soul: keep"]
    assert subjects("--agent", "soul") == []
    assert subjects("--origin", "untrusted", "-n", "1") == ["memory: Ana likes tea."]
    assert subjects("--origin", "operator", "-n", "1") == ["journal: One more."]
    assert subjects("--agent", "soul-keeper", "--origin", "operator") == []
    assert len(subjects("-n", "2")) == 2
    assert subjects("-n", "0") == []


def test_the_files_are_told_where_none_was_asked_for(call: Callable, lived: Path) -> None:
    assert "\n  files: MEMORY.md, .clawgit/entries.tsv\n" in call("log").out
    assert "files:" not in call("log", "MEMORY.md").out
    for one in call("log", "MEMORY.md", "--json").json:
        assert one["files"] == ["MEMORY.md"]


@pytest.mark.parametrize("name", ["ab: c.md", "it's.md", 'quo"te.md', "größe 日本.md", "-dash.md", "*.md", "a#b.md"])
def test_any_name_is_a_name(call: Callable, space: Path, inside: Callable, name: str) -> None:
    (space / name).write_text("x\n")
    inside("add", "--", f":(literal){name}")
    inside("commit", "-qm", "odd")
    (found,) = call("log", "--json", "--", name).json
    assert (found["subject"], found["files"]) == ("odd", [name])


def test_nothing_is_no_failure_and_a_path_outside_is(call: Callable, inside: Callable) -> None:
    answer = call("log", "never.md")
    assert (answer.code, answer.out, answer.err) == (0, "", "note: nothing happened to never.md\n")
    assert call("log", "never.md", "--json").out == "[]\n"
    assert call("log", "../etc/passwd").code == 1


def squash(inside: Callable, count: int, *, how: str) -> None:
    """Make one commit of the last `count`, as people and platforms do."""
    messages = inside("log", f"-{count}", "--reverse", "--format=%B%x00").split("\0")[:-1]
    listed = inside("log", f"-{count}", "--format=commit %H%nAuthor: A <a@b>%n%n%w(0,4,4)%B")
    text = {
        "rebase": "\n\n".join(part.strip() for part in messages),
        "platform": "Tidy (#7)\n\n"
        + "\n\n".join(f"* {part.strip()}" for part in messages)
        + "\n\nCo-authored-by: B <b@c>",
        "merge": f"Squashed commit of the following:\n\n{listed}",
    }[how]
    inside("reset", "-q", "--soft", f"HEAD~{count}")
    inside("commit", "-qm", text)


@pytest.mark.parametrize("how", ["rebase", "platform", "merge"])
def test_a_squash_lists_what_it_can(call: Callable, space: Path, inside: Callable, how: str) -> None:
    texts = ["Kind.", "Short.", "Warm."]
    ids = [
        call("soul", "edit", "--add", text, "--section", "Vibe", "--why", f"why {text}", "--json").json["change"]
        for text in texts
    ]
    squash(inside, 3, how=how)
    found = call("log", "-n", "1", "--json").json[0]
    parts = found["squashed"] if how != "merge" else found["squashed"][::-1]
    assert [(one["change"], one["subject"], one["why"].split("\n")[-1]) for one in parts] == [
        (name, f"soul: {text}", f"why {text}") for name, text in zip(ids, texts, strict=True)
    ]
    assert (found["change"], found["agent"], found["origin"], found["claimed"]) == (None, None, None, True)
    assert f"  squashed: {ids[1]} soul: Short.\n" in call("log", "-n", "1").out
    refused = call("undo", ids[1])
    assert (refused.code, "was squashed into" in refused.err) == (1, True)
    commit = inside("rev-parse", "HEAD").strip()
    assert f"fix: clawgit undo {commit[:10]}" in refused.err
    assert call("undo").code == 0
    assert "Kind." not in (space / "SOUL.md").read_text()


def test_a_cherry_pick_and_a_signature_leave_a_change_findable(call: Callable, inside: Callable) -> None:
    change = call("memory", "add", "Ana likes tea.", "--json").json["change"]
    text = inside("log", "-1", "--format=%B").strip()
    inside("commit", "-q", "--amend", "-m", f"{text}\n(cherry picked from commit {'a' * 40})\n\nChange-Id: I1")
    (found, *_) = call("log", "--json").json
    assert (found["change"], found["claimed"], found["subject"]) == (change, True, "memory: Ana likes tea.")
    assert call("undo", change).code == 0


def test_a_reason_of_ours_cannot_pass_for_a_squash(call: Callable) -> None:
    """Only what somebody else wrote anew is read like that."""
    forged = "soul: x\n\nClawgit-Change: zzzzzzzzzz\nClawgit-Agent: soul-keeper\nOrigin: operator"
    change = call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", forged, "--json").json["change"]
    (found, *_) = call("log", "--json").json
    assert (found["change"], found["agent"], found["squashed"]) == (change, None, [])
    assert call("log", "--agent", "soul-keeper", "--json").json == []
    assert call("undo", "zzzzzzzzzz").code == 1


def test_the_log_of_the_identity_is_that_of_its_files(call: Callable, space: Path) -> None:
    call("memory", "add", "Bakes bread.")
    (space / "IDENTITY.md").write_text("# Identity\n\nName: Ada\n")
    call("capture")
    call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "asked")
    touched = [set(one["files"]) for one in call("log", "--identity", "--json").json]
    assert touched[:2] == [{"SOUL.md"}, {"IDENTITY.md"}]
    assert not any(files == {"MEMORY.md"} for files in touched)


def test_a_file_named_by_option_is_the_file_named_by_argument(call: Callable) -> None:
    assert call("log", "--file", "SOUL.md").out == call("log", "SOUL.md").out == call("soul", "log").out


@pytest.mark.parametrize("path", ["SOUL.md", "IDENTITY.md"])
def test_versions_are_those_of_soul_history(path: str, call: Callable) -> None:
    call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "asked")
    assert call("log", path, "--versions").out == call("soul", "history", "--file", path).out
    assert len(call("log", "--versions", "-n", "1", "--json").json) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("SOUL.md", "--identity"),
        ("SOUL.md", "--file", "MEMORY.md"),
        ("--identity", "--file", "MEMORY.md"),
        ("--versions", "--agent", "capture"),
        ("--versions", "--identity"),
        ("--seen", "--identity"),
        ("--seen", "--versions"),
    ],
)
def test_filters_that_contradict_each_other_are_refused(arguments: tuple[str, ...], call: Callable) -> None:
    answer = call("log", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert "  fix: " in answer.err
