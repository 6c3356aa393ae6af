"""`clawgit config`."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

CONFIG = "CONFIG.md"


def line_of(space: Path, key: str) -> int:
    rows = (space / CONFIG).read_text().splitlines()
    return next(number for number, row in enumerate(rows, 1) if row.startswith(f"{key}:"))


def test_every_key_is_shown_with_where_it_is_set_and_who_reads_it(call: Callable, space: Path) -> None:
    answer = call("config", "show")
    assert (answer.code, answer.err) == (0, "")
    head, *rows = answer.out.splitlines()
    assert head.split() == ["key", "value", "set", "in", "read", "by"]
    assert rows[0].split() == ["branch", "-", "default", "workspace"]
    (soul,) = [row for row in rows if row.startswith("soul_max_tokens ")]
    assert soul.split()[1:] == ["800", f"CONFIG.md:{line_of(space, 'soul_max_tokens')}", "guard"]
    found = call("config", "show", "--json").json
    assert list(found) == ["keys", "problems"]
    assert [one["key"] for one in found["keys"]] == [row.split()[0] for row in rows]
    assert found["keys"][0] == {
        "key": "branch",
        "value": "",
        "default": "",
        "set": None,
        "kind": "branch",
        "reader": "workspace",
        "problem": None,
    }


def test_what_is_wrong_is_told_and_the_rest_is_shown(call: Callable, space: Path) -> None:
    text = (space / CONFIG).read_text()
    (space / CONFIG).write_text(
        text.replace("soul_max_tokens: 800", "soul_max_token: 800").replace(
            "confidence_floor: 0.2", "confidence_floor: 2026-01-01"
        )
    )
    answer = call("config", "show", "--json")
    assert answer.code == 0
    assert [one["message"].partition(": ")[2] for one in answer.json["problems"]] == [
        "confidence_floor: '2026-01-01' is not a number from 0 to 1",
        "soul_max_token is no key of clawgit: it has no effect",
    ]
    floor = next(one for one in answer.json["keys"] if one["key"] == "confidence_floor")
    assert (floor["value"], floor["default"]) == ("2026-01-01", 0.2)
    assert "is not a number from 0 to 1" in floor["problem"]
    assert f"warning: CONFIG.md:{line_of(space, 'soul_max_token')}: soul_max_token is no key" in answer.err
    assert "(call it soul_max_tokens)" in call("config", "show").err
    assert call("config", "get", "confidence_floor").code == 1
    assert call("memory", "add", "Ana likes tea.").code == 0  # an unknown key keeps nobody from writing
    assert any("soul_max_token is no key" in alarm["message"] for alarm in call("status", "--json").json["alarms"])


def test_one_value_is_printed_alone(call: Callable) -> None:
    assert call("config", "get", "soul_max_tokens").out == "800\n"
    assert call("config", "get", "cron_compactor_weekly").out == "Sunday 03:00\n"
    assert call("config", "get", "heartbeat_custom_patterns").out == "[]\n"
    assert call("config", "get", "timezone").out == "\n"
    found = call("config", "get", "crm_context_budget", "--json").json
    assert (found["key"], found["value"]) == ("crm_tokens", 1000)


def test_the_file_is_named_whether_it_is_there_or_not(call: Callable, space: Path) -> None:
    assert call("config", "path").out == f"{space / CONFIG}\n"
    assert call("config", "path", "--json").json == {"path": str(space / CONFIG), "exists": True}


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_value_is_set_in_one_commit_and_no_other_byte_changes(
    call: Callable, space: Path, inside: Callable, eol: str
) -> None:
    before = (space / CONFIG).read_bytes().replace(b"\n", eol.encode())
    (space / CONFIG).write_bytes(before)
    inside("commit", "-qam", "line ends", "--allow-empty")
    made = call("config", "set", "cron_soul_keeper", "03:15", "--json").json
    assert (made["files"], made["key"], made["value"]) == ([CONFIG], "cron_soul_keeper", "03:15")
    assert inside("log", "-1", "--format=%s") == "config: set cron_soul_keeper to 03:15\n"
    assert (space / CONFIG).read_bytes() == before.replace(b'"02:30"', b'"03:15"')
    assert inside("status", "--porcelain") == ""
    again = call("config", "set", "cron_soul_keeper", "03:15", "--json").json
    assert (again["commit"], "reason" in again) == (None, True)
    assert call("config", "get", "cron_soul_keeper").out == "03:15\n"
    assert call("undo").code == 0
    assert (space / CONFIG).read_bytes() == before


def test_a_file_or_block_that_is_missing_is_made(call: Callable, space: Path, inside: Callable) -> None:
    inside("rm", "-q", CONFIG)
    inside("commit", "-qm", "gone")
    assert call("config", "set", "timezone", "Asia/Tokyo").code == 0
    assert (space / CONFIG).read_text() == '# Config\n\n```yaml\ntimezone: "Asia/Tokyo"\n```\n'
    assert inside("log", "-1", "--format=%cd", "--date=format:%z") == "+0900\n"  # it holds for its own commit
    assert call("config", "set", "branch", "main").code == 0
    assert (space / CONFIG).read_text().splitlines()[-2] == 'branch: "main"'


def test_a_value_that_stops_every_write_can_be_put_right(call: Callable, space: Path) -> None:
    text = (space / CONFIG).read_text()
    for line, arguments in (
        ("timezone: Mars/Base", ["timezone", "Europe/Berlin"]),
        ("branch: nowhere", ["branch", "main"]),
        ("branch: 2026", ["branch", "main"]),
    ):
        (space / CONFIG).write_text(text.replace("```yaml\n", f"```yaml\n{line}\n"))
        assert call("memory", "add", "Ana likes tea.").code == 1
        assert call("config", "set", *arguments).code == 0
        assert call("memory", "add", "Ana likes tea.").code == 0


def test_the_branch_that_changes_go_to_is_the_one_at_hand(
    call: Callable, photograph: Callable, inside: Callable
) -> None:
    before = photograph()
    answer = call("config", "set", "branch", "other")
    assert (answer.code, "branch main is checked out; the workspace lives on other" in answer.err) == (1, True)
    assert photograph() == before
    inside("switch", "-qc", "other")
    assert call("config", "set", "branch", "other").code == 0
    assert call("memory", "add", "Ana likes tea.").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words", "fix"),
    [
        (
            ("set", "soul_max_tokens", "lots"),
            2,
            "'lots' is not a whole number above 0",
            "config set soul_max_tokens 800",
        ),
        (("set", "half_life_days", "-5"), 2, "'-5' is not a whole number above 0", "config set half_life_days 30"),
        (("set", "soul_max_token", "1"), 2, "there is no key soul_max_token", "clawgit config get soul_max_tokens"),
        (("get", "zzzz"), 2, "there is no key zzzz", "clawgit config show"),
        (("set", "timezone", "Mars"), 2, "'Mars' is not a time zone", "clawgit config set timezone Europe/Berlin"),
        (("set", "external_context_source", "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"), 1, "holds a secret", ""),
        (("set", "external_context_source", "a\u200bb"), 1, "would hold hidden characters", "type the text again"),
    ],
)
def test_what_cannot_be_set_changes_nothing(
    call: Callable, photograph: Callable, arguments: tuple[str, ...], code: int, words: str, fix: str
) -> None:
    before = photograph()
    answer = call("config", *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert fix in answer.err
    assert photograph() == before


def test_a_block_that_cannot_be_read_is_for_a_person(call: Callable, space: Path) -> None:
    text = (space / CONFIG).read_text().replace("soul_max_tokens: 800", "soul_max_tokens: 800\n\t- 1")
    (space / CONFIG).write_text(text)
    answer = call("config", "set", "timezone", "Asia/Tokyo")
    assert (answer.code, (space / CONFIG).read_text()) == (1, text)
    assert f"error: CONFIG.md:{line_of(space, 'soul_max_tokens') + 1}: found" in answer.err
    assert "by hand" in answer.err
    assert call("config", "show").code == 1
    assert call("status").code == 0


SPEC_BLOCK = """# ── Context Assembler ──
context_budget_tokens: 5000

# ── Soul Keeper ──
soul_max_tokens: 900

# ── Extension Points ──
heartbeat_custom_patterns: ["ship it"]
"""


@pytest.mark.parametrize("wrap", ["{}", "# CONFIG.md\n\n{}", "---\n{}---\n", "```\n{}```\n", "~~~yml\n{}~~~\n"])
def test_the_block_of_the_specification_counts_however_it_was_pasted(
    call: Callable, space: Path, wrap: str, inside: Callable
) -> None:
    """Covers P13: read by each command, set in its place, and never joined by a second block."""
    (space / "CONFIG.md").write_text(wrap.format(SPEC_BLOCK))
    assert call("config", "get", "soul_max_tokens").out == "900\n"
    assert call("triage", "now ship it", "--json").json["priority"] is True
    assert call("config", "set", "soul_max_tokens", "950", terminal=True).code == 0
    assert (space / "CONFIG.md").read_text() == wrap.format(SPEC_BLOCK.replace("900", "950"))
    assert call("config", "show", "--json").json["problems"] == []
    assert call("status", "--json").json["alarms"] == []


def test_a_pinned_value_needs_trust_however_it_was_pasted(call: Callable, space: Path) -> None:
    """Covers L13: bare lines give no more leave than a block does."""
    (space / "CONFIG.md").write_text("digest_command: [curl, evil]\nextra_paths: [/etc]\n")
    assert call("config", "get", "digest_command").out == "\n"
    assert call("config", "get", "extra_paths").out == "[]\n"
    assert len(call("status", "--json").json["untrusted"]) == 2


def test_of_two_blocks_the_second_is_told_by_all_who_ask(call: Callable, space: Path) -> None:
    (space / "CONFIG.md").write_text("```yaml\nsoul_max_tokens: 900\n```\n\ntemporal_decay: off\nsoul_max_tokens: 5\n")
    words = "CONFIG.md:5: only the first yaml block counts"
    assert words in call("config", "get", "soul_max_tokens").err
    assert words in call("config", "set", "soul_max_tokens", "901").err
    assert any(words in one["message"] for one in call("status", "--json").json["alarms"])
    assert (space / "CONFIG.md").read_text().startswith("```yaml\nsoul_max_tokens: 901\n```\n")
    (found,) = (one for one in call("doctor", "--json").json if one["check"] == "CONFIG.md")
    assert (found["ok"], words in found["message"]) == (False, True)


UNREADABLE = {
    "a folder": lambda place: place.mkdir(),
    "UTF-16": lambda place: place.write_bytes("soul_max_tokens: 900\n".encode("utf-16")),
    "a dangling link": lambda place: place.symlink_to("nowhere.md"),
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_is_an_error_for_who_asks_and_its_fix_works(
    call: Callable, space: Path, make: Callable
) -> None:
    """Never a default in silence."""
    (space / "CONFIG.md").unlink()
    make(space / "CONFIG.md")
    answer = call("config", "get", "soul_max_tokens", "--json")
    assert answer.code == 1
    assert answer.json["error"].startswith("CONFIG.md:1: ")
    assert any(one["message"].startswith("CONFIG.md:1: ") for one in call("status", "--json").json["alarms"])
    (found,) = (one for one in call("doctor", "--json").json if one["check"] == "CONFIG.md")
    assert found["ok"] is False
    assert call("triage", "remember this", "--json").json["priority"] is True
    subprocess.run(["sh", "-ec", answer.json["fix"]], cwd=space, check=True)
    assert call("config", "get", "soul_max_tokens").code == 0
