"""`clawgit soul`."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

SOUL = "# Soul\n\n## Core Truths\n\n- Have a view.\n- Look before asking.\n\n## Vibe\n\n- Calm and plain.\n"


@pytest.fixture
def edited(call: Callable, space: Path) -> str:
    """One word of the soul has been replaced, for a reason that can be checked; returns the change."""
    call("journal", "add", "Ana: say it more clearly.")
    (journal,) = (space / "memory").glob("*.md")
    answer = call(
        *("soul", "edit", "--replace", "a view", "a clear view", "--section", "Core Truths"),
        *("--why", "Ana asked for it.", "--evidence", f"memory/{journal.name}#L5", "--json"),
    )
    return str(answer.json["change"])


def test_the_committed_soul_is_shown_to_the_byte(call: Callable, space: Path, inside: Callable) -> None:
    assert call("soul", "show").out == SOUL
    shown = call("soul", "show", "--json").json
    assert shown["commit"] == inside("rev-parse", "HEAD").strip()
    assert shown["text"] == SOUL
    assert datetime.fromisoformat(shown["date"]).tzinfo is not None
    (space / "SOUL.md").write_text("# Other\n")
    answer = call("soul", "show")
    assert (answer.out, answer.err) == (SOUL, "note: SOUL.md on disk differs from this, the committed one\n")


def test_an_older_soul_is_shown_by_revision_change_or_date(call: Callable, edited: str, inside: Callable) -> None:
    today = inside("log", "-1", "--format=%ad", "--date=short").strip()
    assert "a clear view" in call("soul", "show").out
    assert call("soul", "show", "--as-of", "HEAD~1").out == SOUL
    for name in (edited, edited[:6], today, "main"):
        assert "a clear view" in call("soul", "show", "--as-of", name).out


def test_the_log_says_when_who_why_and_on_what_evidence(call: Callable, edited: str, inside: Callable) -> None:
    newest, oldest = call("soul", "log", "--json").json
    assert list(newest)[:8] == ["commit", "change", "date", "agent", "author", "origin", "subject", "why"]
    assert (newest["change"], newest["agent"], newest["author"]) == (edited, None, "Ada")
    assert (newest["why"], newest["files"]) == ("Ana asked for it.", ["SOUL.md"])
    assert newest["evidence"][0]["quote"] == "Ana: say it more clearly."
    assert oldest["change"] is None
    assert [one["commit"] for one in (newest, oldest)] == inside("log", "--format=%H", "--", "SOUL.md").split()
    head, subject, why, evidence, empty, *_ = call("soul", "log").out.split("\n")
    assert re.fullmatch(rf"{newest['commit'][:10]} {edited} \d{{4}}-\d\d-\d\d \d\d:\d\d Ada", head)
    assert (subject, why, empty) == ("  soul: a clear view", "  Ana asked for it.", "")
    assert evidence.startswith("  evidence: memory/")
    assert evidence.endswith('"Ana: say it more clearly."')


def test_the_log_is_limited_and_filtered(call: Callable, edited: str, inside: Callable) -> None:
    def count(*options: str) -> int:
        return len(call("soul", "log", "--json", *options).json)

    inside("commit", "-q", "--allow-empty", "-m", "x", "-m", "Clawgit-Agent: soul-keeper")
    assert (count(), count("-n", "1"), count("-n", "0")) == (2, 1, 0)
    assert count("--file", "IDENTITY.md") == 1
    assert count("--agent", "soul-keeper") == 0
    assert count("--since", "2999-01-01") == 0
    assert count("--since", "1960-01-01") == count("--since", "1 hour ago") == 2
    empty = call("soul", "log", "--agent", "nobody")
    assert (empty.code, empty.out, empty.err) == (0, "", "note: nothing happened to SOUL.md\n")


def test_an_agent_of_many_is_found_beyond_the_limit(call: Callable, space: Path, inside: Callable) -> None:
    """-n counts what is shown, not what was looked at."""
    for number, agent in enumerate(["soul-keeper", "other", "other"]):
        (space / "SOUL.md").write_text(f"# {number}\n")
        inside("commit", "-q", "-a", "-m", f"soul: {number}", "-m", f"Clawgit-Agent: {agent}")
    (found,) = call("soul", "log", "--agent", "soul-keeper", "-n", "1", "--json").json
    assert (found["agent"], found["subject"]) == ("soul-keeper", "soul: 0")


def test_since_begins_at_midnight(
    call: Callable, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git would take the present time of day, and lose the morning."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2030-05-05T00:00:01+00:00")
    (space / "SOUL.md").write_text("# Early\n")
    inside("commit", "-q", "-a", "-m", "early")
    assert len(call("soul", "log", "--since", "2030-05-05", "--json").json) == 1
    assert call("soul", "log", "--since", "2030-05-06", "--json").json == []


def test_a_difference_is_shown_word_by_word_under_its_section(call: Callable, edited: str) -> None:
    answer = call("soul", "diff", "HEAD~1")
    title, empty, head, *rows = answer.out.splitlines()
    assert re.fullmatch(r"SOUL\.md from [0-9a-f]{10} \(.{16}\) to [0-9a-f]{10} \(.{16}\)", title)
    assert (empty, head) == ("", "@@ Core Truths · line 5 @@")
    assert rows == [
        "  ## Core Truths",
        "",
        "- - Have a view.",
        "+ - Have a {+clear +}view.",
        "  - Look before asking.",
        "",
    ]


def test_colour_stands_in_for_marks(call: Callable, edited: str) -> None:
    out = call("--color", "always", "soul", "diff", "HEAD~1").out
    assert "\x1b[32m+ \x1b[0m- Have a \x1b[32mclear \x1b[0mview.\n" in out
    assert "\x1b[2m  - Look before asking.\x1b[0m\n" in out
    assert "{+" not in out


def test_the_difference_as_a_document(call: Callable, edited: str, inside: Callable) -> None:
    found = call("soul", "diff", "HEAD~1", "HEAD", "--json").json
    old, new = inside("rev-parse", "HEAD~1", "HEAD").split()
    assert (found["from"], found["to"]) == (old, new)
    (hunk,) = found["hunks"]
    assert hunk["section"] == "Core Truths"
    added = next(row for row in hunk["lines"] if row["op"] == "+")
    assert added["text"] == "".join(word["text"] for word in added["words"]) == "- Have a clear view."
    assert call("soul", "diff", "HEAD", "HEAD", "--json").json["hunks"] == []


def test_counts_instead_of_lines(call: Callable, edited: str) -> None:
    _, *rows = call("soul", "diff", "HEAD~1", "--stat").out.splitlines()
    assert rows == ["  Core Truths · line 5  +1 -1", "  in all                +1 -1"]


def test_a_bare_diff_shows_what_is_new_since_the_last_look(call: Callable, edited: str) -> None:
    assert "clear" in call("soul", "diff").out
    call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "w")
    call("soul", "edit", "--add", "Short.", "--section", "Vibe", "--why", "w")
    out = call("soul", "diff").out
    assert "+ - Kind.\n+ - Short.\n" in out
    assert "clear" not in out
    assert "+ - Short." in call("soul", "diff").out  # nothing new: the last change


def test_the_first_version_grew_from_nothing(call: Callable) -> None:
    assert call("soul", "diff").out.startswith("SOUL.md from nothing to ")
    assert call("soul", "diff", "--json").json["from"] is None


def test_nothing_between_two_versions_is_said(call: Callable) -> None:
    answer = call("soul", "diff", "HEAD")
    assert (answer.code, answer.err) == (0, "note: SOUL.md is the same in both\n")


def test_an_edit_touches_one_place_and_nothing_else(call: Callable, space: Path) -> None:
    call("soul", "edit", "--add", "Kind.", "--section", "vibe", "--why", "w")
    call("soul", "edit", "--replace", "Calm and plain.", "Calm.", "--why", "w")
    call("soul", "edit", "--remove", "Look before asking.", "--why", "w")
    wanted = SOUL.replace("- Calm and plain.\n", "- Calm.\n- Kind.\n").replace("- Look before asking.\n", "")
    assert (space / "SOUL.md").read_text() == wanted


def test_an_edit_of_another_identity_file(call: Callable) -> None:
    made = call(
        "soul", "edit", "--add", "-", "--file", "TOOLS.md", "--section", "Tools", "--why", "w", stdin=b"A lamp."
    )
    assert made.code in (0, 1)
    answer = call("soul", "edit", "--add", "x", "--file", "MEMORY.md", "--section", "y", "--why", "w")
    assert (answer.code, "MEMORY.md" in answer.err) == (2, True)


def test_an_edit_that_changes_nothing_is_no_failure(call: Callable, inside: Callable) -> None:
    head = inside("rev-parse", "HEAD")
    answer = call("soul", "edit", "--replace", "Calm", "Calm", "--why", "w", "--json")
    assert (answer.code, answer.json["commit"], answer.json["reason"]) == (0, None, "the files say so already")
    assert call("soul", "edit", "--replace", "Calm", "Calm", "--why", "w").out.startswith("nothing to do: ")
    assert inside("rev-parse", "HEAD") == head


def test_a_reverted_change_is_gone_and_later_ones_stay(call: Callable, edited: str, space: Path) -> None:
    call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "w")
    answer = call("soul", "revert", edited, "--json")
    assert (answer.code, answer.json["files"]) == (0, ["SOUL.md"])
    assert (space / "SOUL.md").read_text() == SOUL.replace("plain.\n", "plain.\n- Kind.\n")
    again = call("soul", "revert", edited)
    assert again.code == 1
    assert edited in again.err


def test_a_change_of_another_file_is_not_reverted_here(call: Callable) -> None:
    change = call("memory", "add", "Ana likes tea.", "--json").json["change"]
    answer = call("soul", "revert", change)
    assert (answer.code, f"fix: clawgit undo {change}" in answer.err) == (1, True)


def test_the_versions_are_listed_with_their_size(call: Callable, edited: str, inside: Callable) -> None:
    found = call("soul", "history", "--json").json
    assert [set(one) for one in found] == [{"date", "commit", "tokens"}] * 2
    assert [one["commit"] for one in found] == inside("log", "--format=%H", "--", "SOUL.md").split()
    assert found[0]["tokens"] > found[1]["tokens"] > 10
    assert len(call("soul", "history").out.splitlines()) == 2


def test_versions_older_than_the_retention_are_thinned_to_the_last_of_each_month(
    call: Callable, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = ["2024-01-02", "2024-01-20", "2024-02-03", "2024-02-28", "2024-02-29"]
    for day in days:
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"{day}T12:00:00+00:00")
        (space / "SOUL.md").write_text(f"# {day}\n")
        inside("commit", "-qam", day)
    thin = [one["date"][:10] for one in call("soul", "history", "--json").json]
    assert [day for day in thin if day in days] == ["2024-02-29", "2024-01-20"]
    assert len(call("soul", "history", "--all", "--json").json) == len(days) + 1
    assert "left out, all but the last of each month" in call("soul", "history").err
    assert "left out" not in call("soul", "history", "--all").err


def test_versions_are_exported_once_and_nothing_is_overwritten(call: Callable, edited: str, tmp_path: Path) -> None:
    folder = tmp_path / "a b" / "versions"
    answer = call("soul", "history", "--export", folder)
    assert (answer.code, answer.err) == (0, f"note: 2 files in {folder}\n")
    files = sorted(folder.iterdir())
    assert {file.read_text() for file in files} == {SOUL, SOUL.replace("a view", "a clear view")}
    assert call("soul", "history", "--export", folder).code == 0
    files[0].write_text("mine\n")
    refused = call("soul", "history", "--export", folder)
    assert (refused.code, "exists and is something else" in refused.err) == (1, True)
    assert files[0].read_text() == "mine\n"
    taken = call("soul", "history", "--export", files[0])
    assert (taken.code, "is not a folder" in taken.err) == (1, True)


def test_a_file_without_versions_is_no_failure(call: Callable) -> None:
    answer = call("soul", "history", "--file", "nope.md")
    assert (answer.code, answer.out, answer.err) == (0, "", "note: nope.md has no version here\n")


def test_what_one_change_did_to_any_file(call, space):
    first = call("soul", "edit", "--add", "Be brief.", "--section", "Vibe", "--why", "x", "--json").json["change"]
    call("soul", "edit", "--add", "Be kind.", "--section", "Vibe", "--why", "x")
    added = call("memory", "add", "The relay listens on port 8080.", "--json").json["change"]
    found = call("soul", "diff", "--of", first, "--json").json
    lines = [row["text"] for hunk in found["hunks"] for row in hunk["lines"] if row["op"] != " "]
    assert lines == ["- Be brief."]
    found = call("soul", "diff", "--of", added, "--file", "MEMORY.md").out
    assert "+ - The relay listens on port 8080." in found
    root = call("log", "--json").json[-1]["commit"]
    assert call("soul", "diff", "--of", root, "--json").json["from"] is None
    refused = call("soul", "diff", "HEAD", "--of", first)
    assert refused.code == 2
    assert f"fix: clawgit soul diff --of {first}" in refused.err


def test_revert_alone_offers_the_newest_and_writes_nothing(call: Callable, photograph: Callable) -> None:
    change = call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "asked", "--json").json["change"]
    call("memory", "add", "Newer, but no soul.")
    before = photograph()
    answer = call("soul", "revert")
    assert answer.code == 0
    assert "- - Kind." in answer.out
    assert answer.out.endswith(f"do it: clawgit soul revert {change}\n")
    document = call("soul", "revert", "--json").json
    assert (document["commit"], document["command"]) == (None, f"clawgit soul revert {change}")
    assert document["newest"]["change"] == change
    assert photograph() == before
    assert call(*document["command"].split()[1:]).code == 0
    assert "do it" not in call("soul", "revert").out


def test_revert_alone_where_there_is_nothing_says_so(call: Callable) -> None:
    answer = call("soul", "revert")
    assert answer.code == 1
    assert "no change of SOUL.md to undo" in answer.err or "began the workspace" in answer.err


def test_drift_is_diff_for_one_release(call: Callable, edited: str) -> None:
    alias = call("soul", "drift", edited, "--json")
    assert alias.json == call("soul", "diff", edited, "--json").json
    assert "soul diff" in alias.err
