"""What the operator said and did not ask to have kept waits in the inbox only where no model reads it."""

import sys
from pathlib import Path

import pytest

from tests.promises.desk import Desk
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = (
    "agents/inbox_items.py",
    "    if voices.choose(workspace.config.value, os.environ, workspace.store).voice is None:",
    "    if True:",
)

SAID = "The contract with the mill is signed for 3 years."


@pytest.mark.parametrize("has_model", [False, True])
def test_a_statement_is_a_candidate_only_where_no_model_reads(desk: Desk, tmp_path: Path, has_model: bool) -> None:
    if has_model:
        desk.run("config", "llm", f"[{sys.executable}, -c, pass]", terminal="")
    talk(desk, tmp_path, [text("user", SAID)])
    titles = [item["title"] for item in desk.run("inbox")]
    assert titles == ([] if has_model else [SAID])
