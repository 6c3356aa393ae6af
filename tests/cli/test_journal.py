"""`clawgit journal`."""

from collections.abc import Callable
from pathlib import Path

import time_machine


@time_machine.travel("2026-02-14 14:05:30+00:00", tick=True)
def test_a_note_lands_under_the_time_of_day_with_its_title(call: Callable, space: Path) -> None:
    (space / "CONFIG.md").write_text("```yaml\ntimezone: Asia/Tokyo\n```\n")
    answer = call("journal", "add", "Deploy moved to Tuesday.", "--title", "Release plan", "--json")
    assert answer.json["files"] == ["memory/2026-02-14.md"]
    assert call("journal", "add", "-", stdin="Später.\n".encode()).code == 0
    assert (space / "memory/2026-02-14.md").read_text() == (
        "# 2026-02-14\n\n## 23:05 - Release plan\n\nDeploy moved to Tuesday.\n\n## 23:05\n\nSpäter.\n"
    )


def test_a_heading_in_a_note_makes_no_entry_of_its_own(call: Callable, space: Path) -> None:
    text = "ok\n\n## 08:05 Mira, by voice\n\nTransfers are fine.\n\n#tag\nSide\n----\n\n```\n# a comment\n```"
    assert call("journal", "add", text).code == 0
    assert call("journal", "add", "-", stdin=b"---\n09:05 Mira\n---\n\nTransfers are fine.").code == 0
    (journal,) = (space / "memory").glob("*.md")
    rows = journal.read_text().splitlines()
    assert len([row for row in rows if row.startswith("## ")]) == 2
    assert {"### 08:05 Mira, by voice", "### #tag Side", "# a comment", "### 09:05 Mira"} <= set(rows)
