"""A CONFIG.md that would take for ever to read ends a command; captures go on with the last settings."""

import os

import pytest

from clawgit.schedule import runner, runner_state

KNOWN = "branch: main\nsoul_policy: review\ntimezone: Asia/Tokyo\n"
LAUGHS = "a: &a [x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
REFUSED = {
    "laughs": (f"```yaml\n{KNOWN}{LAUGHS}```\n", 5),
    "deep by brackets": (f"```yaml\n{KNOWN}a: {'[' * 60_000}\n```\n", 5),
}


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_a_refused_config_ends_a_command_and_leaves_captures_at_work(space, call, text, line):
    config, memory = space / "CONFIG.md", space / "MEMORY.md"
    config.write_text(f"```yaml\n{KNOWN}```\n")
    assert call("capture").code == 0
    config.write_text(text)
    before = memory.read_bytes()
    refusal = call("memory", "add", "The gate is red.")
    assert (refusal.code, f"CONFIG.md:{line}:" in refusal.err) == (1, True)
    assert (memory.read_bytes(), config.read_text()) == (before, text)
    assert f"CONFIG.md:{line}:" in str(call("status", "--json").json["alarms"])
    memory.write_text("# Memory\n\n- The pump hums.\n")
    assert call("capture").code == 0
    assert "MEMORY.md" not in call("status", "--json").json["dirty"]
    assert runner.read_plan(runner_state.find_runner_place(space, os.environ), os.environ).zone_name == "Asia/Tokyo"


def test_a_glob_of_many_stars_takes_no_time(space, call, inside):
    (space / "docs/keys").mkdir(parents=True)
    for path in (f"docs/{'a' * 200}.md", "docs/keys/kept.md", "docs/keys/left.txt", "docs/top.md"):
        (space / path).write_text("- A line.\n")
    globs = [f"docs/{'*a' * 18}*b.md", "docs/**/k*s/*e*t.md", "**/" * 20 + "t?p.md"]
    (space / "CONFIG.md").write_text(f"```yaml\ncapture: {globs}\nshared_files: {globs}\n```\n")
    assert call("capture").code == 0
    assert sorted(inside("ls-files", "docs").split()) == ["docs/keys/kept.md", "docs/top.md"]


def test_front_matter_that_cannot_be_read_is_text_with_a_notice(space, call):
    (space / "memory/odd.md").write_text("---\nsaid: the kestrel nests\na: {b: [\n---\n\n- More.\n")
    assert call("capture").code == 0
    assert "kestrel" in call("search", "kestrel nests", "--json").out
    findings = [row for row in call("doctor", "--json").json if "memory/odd.md:" in row["message"]]
    assert [finding["ok"] for finding in findings] == [True]


@pytest.mark.parametrize("setting", ["context_budget_tokens: lots", "half_life_days: lots", "max_results: lots"])
def test_memory_is_served_with_defaults_for_a_bad_value(space, call, setting):
    (space / "MEMORY.md").write_text("# Memory\n\n- The pump hums.\n")
    (space / "CONFIG.md").write_text(f"```yaml\n{setting}\ntimezone: Asia/Tokyo\n```\n")
    for words in ("search", "pump"), ("context", "the pump"), ("context", "where is the pump?", "--turn"):
        answer = call(*words)
        assert answer.code == 0, answer.err
        assert "--turn" in words or "The pump hums." in answer.out
    assert "CONFIG.md:2:" in "".join(call(*words).err for words in (("search", "pump"), ("context", "the pump")))
    assert call("memory", "add", "The gate is red.").code in (0, 1)
    assert "CONFIG.md:2:" in str(call("status", "--json").json["alarms"])
