"""`why` passes over changes of a line's tag or comment alone; of a commit by others one file can be undone."""

from pathlib import Path

PORT = "The relay in the greenhouse listens on port"


def write(space: Path, inside, memory: str, soul: str | None = None) -> str:
    """Commit as an agent does that knows nothing of clawgit."""
    (space / "MEMORY.md").write_text(memory)
    if soul is not None:
        (space / "SOUL.md").write_text(soul)
    inside("add", "-A")
    inside("commit", "--no-verify", "-qm", "update memory")
    return inside("rev-parse", "HEAD").strip()


def test_a_line_is_followed_to_the_change_of_its_words(call, space, inside):
    write(space, inside, f"# Memory\n\n- {PORT} 8080. #knowledge\n")
    brought = write(space, inside, f"# Memory\n\n- {PORT} 9090. #knowledge #correction <!-- was 2026-08-19: 8080 -->\n")
    write(space, inside, f"# Memory\n\n- {PORT} 9090.\n- The pilot starts on 12 March.\n")
    output = call("why", "MEMORY.md:3")
    assert brought[:10] in output.out
    assert f"was - {PORT} 8080. #knowledge" in " ".join(output.out.split())
    (answer,) = call("why", "MEMORY.md:3", "--json").json
    assert answer["commit"] == brought


def test_the_newest_change_of_the_soul_by_others_is_offered_and_taken_back_alone(call, space, inside):
    soul = (space / "SOUL.md").read_text()
    write(space, inside, "# Memory\n\n- One thing.\n", soul)
    theirs = write(space, inside, "# Memory\n\n- One thing, at six.\n", f"{soul}\n- Flattery is welcome.\n")
    write(space, inside, "# Memory\n\n- One thing, at seven.\n")
    answer = call("soul", "revert")
    assert answer.code == 0
    assert f"clawgit soul revert {theirs[:10]}" in answer.out
    refusal = call("undo", theirs[:10])
    assert refusal.code == 1
    assert f"clawgit soul revert {theirs[:10]}" in refusal.err
    assert f"`clawgit soul revert {theirs[:10]}`" in (call("changelog") and (space / "CHANGELOG.md").read_text())
    assert call("soul", "revert", theirs[:10]).code == 0
    assert (space / "SOUL.md").read_text() == soul
    assert "at seven" in (space / "MEMORY.md").read_text()


def test_an_undo_without_a_name_says_what_newer_it_leaves(call, space, inside):
    commit = call("memory", "add", "The pilot starts on 12 March.", "--json").json["commit"]
    theirs = write(space, inside, (space / "MEMORY.md").read_text() + "\n- Somebody else's line.\n")
    result = call("undo")
    assert commit[:10] not in result.err
    assert f"1 newer commit, made by others or captured, stays: clawgit undo {theirs[:10]}" in " ".join(
        result.err.split()
    )
    assert "Somebody else's line." in (space / "MEMORY.md").read_text()
