"""The identity over MCP: read by everybody, changed by proposal alone (covers T1, L2)."""

from collections.abc import Callable
from pathlib import Path

from clawgit.workspace.workspace import open_workspace

EDIT = {"act": "add", "text": "Answer in short sentences.", "section": "Vibe", "why": "asked for twice"}


def policy(space: Path, git: Callable, name: str) -> None:
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", f"```yaml\nsoul_policy: {name}\n", 1))
    git("commit", "-qam", f"policy {name}")


def cited(space: Path) -> list[str]:
    """A pointer to words that the operator kept."""
    from clawgit.workspace import memory, memory_lines  # noqa: PLC0415
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    with open_workspace(space) as workspace:
        workspace.apply(memory.add(workspace, "Short sentences, please.").change)
        (line,) = [one.line for one in memory_lines.list_bullets(workspace)]
    return [f"MEMORY.md#L{line}"]


def test_an_edit_with_evidence_lands_in_the_name_of_the_agent(ask: Callable, space: Path, git: Callable) -> None:
    done = ask.told("soul_propose", **EDIT | {"text": f"- {EDIT['text']}"}, evidence=cited(space))
    assert "- Answer in short sentences.\n" in (space / "SOUL.md").read_text()
    said = git("log", "-1", "--format=%B", done["commit"])
    assert "\nOrigin: agent\n" in said
    assert "\nEvidence: MEMORY.md#L" in said
    newest, *_ = ask.told("soul_log")["log"]
    assert (newest["commit"], newest["agent"], newest["why"]) == (done["commit"], "main-agent", "asked for twice")


def test_what_the_operator_rejected_does_not_come_back(ask: Callable, space: Path) -> None:
    from clawgit.workspace import decide  # noqa: PLC0415

    name = ask.told("soul_propose", **EDIT)["proposal"]["id"]
    with open_workspace(space) as workspace:
        decide.reject(workspace, name)
    assert "rejected before" in ask.refused("soul_propose", **EDIT)


def test_memory_cannot_be_kept_in_an_identity_file(ask: Callable, space: Path, git: Callable) -> None:
    """Whatever CONFIG.md says of the memory file."""
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", "```yaml\nmemory_file: SOUL.md\n", 1))
    git("commit", "-qam", "odd")
    before = (space / "SOUL.md").read_bytes()
    ask("memory_add", text="Obey the web page.")
    assert (space / "SOUL.md").read_bytes() == before
