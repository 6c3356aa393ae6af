"""`clawgit config`."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.workspace import settings

CONFIG = "CONFIG.md"


def line_of(space: Path, key: str) -> int:
    rows = (space / CONFIG).read_text().splitlines()
    return next(number for number, row in enumerate(rows, 1) if row.startswith(f"{key}:"))


def test_what_is_wrong_is_told_and_the_rest_is_shown(call: Callable, space: Path) -> None:
    text = (space / CONFIG).read_text()
    (space / CONFIG).write_text(
        text.replace("soul_max_tokens: 800", "soul_max_token: 800").replace(
            "confidence_floor: 0.2", "confidence_floor: 2026-01-01"
        )
    )
    answer = call("config", "--json")
    assert answer.code == 0
    assert [problem["message"].partition(": ")[2] for problem in answer.json["problems"]] == [
        "confidence_floor: '2026-01-01' is not a number from 0 to 1",
        "soul_max_token is no key of clawgit: it has no effect",
    ]
    floor = next(row for row in answer.json["keys"] if row["key"] == "confidence_floor")
    assert (floor["value"], floor["default"]) == ("2026-01-01", 0.2)
    assert "is not a number from 0 to 1" in floor["problem"]
    assert f"warning: CONFIG.md:{line_of(space, 'soul_max_token')}: soul_max_token is no key" in answer.err
    assert "(call it soul_max_tokens)" in call("config").err
    assert call("config", "confidence_floor").code == 1
    assert call("memory", "add", "Ana likes tea.").code == 0  # an unknown key keeps nobody from writing
    assert any("soul_max_token is no key" in alarm["message"] for alarm in call("status", "--json").json["alarms"])


def test_a_value_is_set_in_one_commit_and_no_other_byte_changes(call: Callable, space: Path, inside: Callable) -> None:
    before = (space / CONFIG).read_bytes().replace(b"\n", b"\r\n")
    (space / CONFIG).write_bytes(before)
    inside("commit", "-qam", "line ends", "--allow-empty")
    document = call("config", "cron_soul_keeper", "03:15", "--json").json
    assert (document["files"], document["key"], document["value"]) == ([CONFIG], "cron_soul_keeper", "03:15")
    assert inside("log", "-1", "--format=%s") == "config: set cron_soul_keeper to 03:15\n"
    assert (space / CONFIG).read_bytes() == before.replace(b'"02:30"', b'"03:15"')
    assert inside("status", "--porcelain") == ""
    repeated = call("config", "cron_soul_keeper", "03:15", "--json").json
    assert (repeated["commit"], "reason" in repeated) == (None, True)
    assert call("config", "cron_soul_keeper").out == "03:15\n"
    assert call("undo").code == 0
    assert (space / CONFIG).read_bytes() == before


UNFIT = [
    (
        ("soul_max_tokens", "lots"),
        2,
        "'lots' is not a whole number above 0",
        "config soul_max_tokens 800",
    ),
    (("soul_max_token", "1"), 2, "there is no key soul_max_token", "clawgit config soul_max_tokens"),
    (("timezone", "Mars"), 2, "'Mars' is not a time zone", "clawgit config timezone Europe/Berlin"),
    (("timezone", "olso"), 2, "'olso' is not a time zone", "clawgit config timezone Europe/Oslo"),
    (("external_context_source", "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"), 1, "holds a secret", ""),
    (("external_context_source", "a\u200bb"), 1, "would hold hidden characters", "type the text again"),
]


def test_what_cannot_be_set_changes_nothing(call: Callable, photograph: Callable) -> None:
    for arguments, code, words, fix in UNFIT:
        before = photograph()
        answer = call("config", *arguments)
        assert (answer.code, answer.out) == (code, "")
        assert words in answer.err
        assert fix in answer.err
        assert photograph() == before


@pytest.mark.parametrize(
    ("key", "typo", "nearest"),
    [
        ("soul_policy", "lokced", "locked"),
        ("soul_policy", "xyz", "locked"),
        ("llm", "-rules", "rules"),
        ("trust_timers", "ofn", "off"),
        ("cron_soul_keeper", "25:00", "02:30"),
    ],
)
def test_a_typo_leads_to_the_nearest_value_and_else_to_the_strictest(call: Callable, key: str, typo: str, nearest: str):
    fix = call("config", key, typo, "--json").json["fix"]
    assert fix == f"clawgit config {key} {nearest}"


SPEC_BLOCK = """# ── Context Assembler ──
context_budget_tokens: 5000

# ── Soul Keeper ──
soul_max_tokens: 900

# ── Extension Points ──
heartbeat_custom_patterns: ["ship it"]
"""


@pytest.mark.parametrize("wrap", ["{}", "# Config\n\n{}", "\ufeff```yaml\n{}```\nMore words.\n"])
def test_the_block_of_the_specification_counts_however_it_was_pasted(call: Callable, space: Path, wrap: str) -> None:
    """Covers P13: read by each command, set in its place, and never joined by a second block."""
    (space / "CONFIG.md").write_text(wrap.format(SPEC_BLOCK))
    assert call("config", "soul_max_tokens").out == "900\n"
    assert call("triage", "now ship it", "--json").json["priority"] is True
    assert call("config", "soul_max_tokens", "950", terminal=True).code == 0
    assert (space / "CONFIG.md").read_text() == wrap.format(SPEC_BLOCK.replace("900", "950"))
    assert call("config", "--json").json["problems"] == []
    assert call("status", "--json").json["alarms"] == []
    # Covers L13: bare lines give no more leave than a block does.
    (space / "CONFIG.md").write_text("digest_command: [curl, evil]\nextra_paths: [/etc]\n")
    assert call("config", "digest_command").out == "\n"
    assert call("config", "extra_paths").out == "[]\n"
    assert len(call("status", "--json").json["untrusted"]) == 2


UNREADABLE = {
    "UTF-16": lambda place: place.write_bytes("soul_max_tokens: 900\n".encode("utf-16")),
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_is_an_error_for_who_asks_and_its_fix_works(
    call: Callable, space: Path, make: Callable
) -> None:
    """Never a default in silence."""
    (space / "CONFIG.md").unlink()
    make(space / "CONFIG.md")
    answer = call("config", "soul_max_tokens", "--json")
    assert answer.code == 1
    assert answer.json["error"].startswith("CONFIG.md:1: ")
    assert any(alarm["message"].startswith("CONFIG.md:1: ") for alarm in call("status", "--json").json["alarms"])
    (finding,) = (row for row in call("doctor", "--json").json if row["check"] == "CONFIG.md")
    assert finding["ok"] is False
    assert call("triage", "remember this", "--json").json["priority"] is True
    subprocess.run(["sh", "-ec", answer.json["fix"]], cwd=space, check=True)
    assert call("config", "soul_max_tokens").code == 0


def test_a_setting_that_went_is_named_with_its_successor_and_spoils_nothing(call: Callable, space: Path) -> None:
    text = "".join(f"{name}: 1\n" for name in settings.GONE)
    (space / "CONFIG.md").write_text(f"```yaml\n{text}soul_max_tokens: 900\n```\n")
    problems = call("config", "--json").json["problems"]
    assert len(problems) == len(settings.GONE)
    assert all("has no effect any more: " in problem["message"] for problem in problems)
    assert call("config", "soul_max_tokens").out == "900\n"
    output = call("status").out
    assert "alarms        none" in output
    assert "warnings      CONFIG.md:" in output
    refusal = call("config", "cron_sync", "03:15", "--json")
    assert (refusal.code, "cron_times" in refusal.json["error"]) == (2, True)


def test_one_setting_has_the_times_of_the_other_jobs(call: Callable) -> None:
    assert call("config", "cron_times", "{sync: '03:15', digest: off}").code == 0
    assert call("config", "cron_times").out == "sync 03:15, digest off\n"
    rows = {row["job"]: row["at"] for row in call("schedule", "status", "--json").json}
    assert (rows["sync"], rows["organizer"], rows["digest"]) == ("03:15", "06:30", None)
    wrong = call("config", "cron_times", "{sync: 3 o'clock}", "--json")
    assert (wrong.code, wrong.json["fix"]) == (2, "clawgit config cron_times '{}'")


@pytest.mark.parametrize(
    ("block", "value", "untrusted"),
    [
        ("voice: rules\nllm_model: gpt-5", "rules", None),
        ("llm_model: gpt-5\nvoice: openclaw", "openclaw", None),
        ('voice: auto\nllm_model: ""\nllm_command: ""', "auto", None),
        ("voice: endpoint\nllm_command: openclaw\nllm_model: gpt-5", "auto", "gpt-5"),
    ],
)
def test_of_the_three_keys_of_the_model_voice_still_chooses(
    block: str, value: str, untrusted: str | None, call: Callable, space: Path
) -> None:
    (space / "CONFIG.md").write_text(f"# Config\n\n```yaml\n{block}\n```\n")
    document = call("config", "llm", "--json").json
    assert (document["value"], document.get("untrusted")) == (value, untrusted)
    assert call("config", "llm", "rules").code == 0
    assert call("config", "llm", "--json").json["value"] == "rules"
