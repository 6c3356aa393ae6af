"""A CONFIG.md that would take for ever to read ends a command with its line; jobs go on with the last settings."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.schedule import runner
from clawgit.schedule.runner_state import Place

KNOWN = "branch: main\nsoul_policy: review\ntimezone: Asia/Tokyo\n"
LAUGHS = "a: &a [x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
REFUSED = {
    "laughs": (f"```yaml\n{KNOWN}{LAUGHS}```\n", 5),
    "laughs in front matter": (f"---\n{KNOWN}{LAUGHS}---\n", 5),
    "anchor alone": (f"```yaml\n{KNOWN}a: &a 1\n```\n", 5),
    "merge key": (f"```yaml\n{KNOWN}<<: {{timezone: UTC}}\n```\n", 5),
    "tag": (f"```yaml\n{KNOWN}a: !!python/name:os.system x\n```\n", 5),
    "deep by indentation": (f"```yaml\n{KNOWN}{''.join(f'{" " * n}k:' + chr(10) for n in range(30))}```\n", 25),
    "deep by brackets": (f"```yaml\n{KNOWN}a: {'[' * 60_000}\n```\n", 5),
    "large": (f"```yaml\n{KNOWN}{'# x' * 90_000}\n```\n", 1),
    "large front matter": (f"---\n{KNOWN}capture:\n{'- a/b.md' + chr(10):s}" + "- a/b.md\n" * 8_000 + "---\n", 1),
}


def clawgit(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "clawgit", "-C", str(root), *words)
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30, check=False)


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_a_refused_config_ends_a_command_and_leaves_jobs_at_work(space, text, line):
    config, memory = space / "CONFIG.md", space / "MEMORY.md"
    config.write_text(f"```yaml\n{KNOWN}```\n")
    assert clawgit(space, "capture").returncode == 0
    config.write_text(text)
    before = memory.read_bytes()
    refused = clawgit(space, "memory", "add", "The gate is red.")
    assert (refused.returncode, f"CONFIG.md:{line}:" in refused.stderr) == (1, True)
    assert (memory.read_bytes(), config.read_text()) == (before, text)
    assert f"CONFIG.md:{line}:" in str(json.loads(clawgit(space, "status", "--json").stdout)["alarms"])
    memory.write_text("# Memory\n\n- The pump hums.\n")
    captured = clawgit(space, "capture")
    assert (captured.returncode, f"CONFIG.md:{line}:" in captured.stderr) == (0, True)
    assert clawgit(space, "log", "--json").stdout.count("MEMORY.md")
    plan = runner.read(Place.of(space) if hasattr(Place, "of") else Place(space, space), {})
    assert plan.zone_name == "Asia/Tokyo"
    assert plan.refused is not None


@pytest.mark.parametrize("head", ["a: &a 1\nb: *a\n", "k: !x y\n", "a: {b: [\n", f"k: {'[' * 99}\n", "a: 1\na: 2\n"])
def test_front_matter_that_cannot_be_read_is_text_with_a_notice(space, head):
    (space / "memory/odd.md").write_text(f"---\nsaid: the kestrel nests\n{head}---\n\n- More.\n")
    assert clawgit(space, "capture").returncode == 0
    assert "kestrel" in clawgit(space, "search", "kestrel nests", "--json").stdout
    checks = json.loads(clawgit(space, "doctor", "--json").stdout)["checks"]
    findings = [finding for check in checks for finding in check["findings"] if "memory/odd.md:" in finding["message"]]
    assert [finding["ok"] for finding in findings] == [True]
