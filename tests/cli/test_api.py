"""The Python API does the same as the commands, with the same results."""

import subprocess
from pathlib import Path

import pytest

import clawgit


@pytest.fixture
def memory(space: Path):
    with clawgit.open(space) as memory_api:
        yield memory_api


def test_a_memory_is_added_found_explained_taken_back_and_brought_back(memory: clawgit.Memory) -> None:
    addition = memory.add("The kettle is blue.", tag="knowledge")
    assert addition.applied.commit
    (hit, *_) = memory.search("which colour has the kettle?").results
    assert "kettle is blue" in hit.text
    reason = memory.why(hit.path, hit.start)
    assert reason.line.record
    assert reason.line.record.change == addition.applied.change
    assert reason.undo == f"clawgit undo {addition.applied.change}"
    assert memory.log(hit.path, limit=1)[0].commit == addition.applied.commit
    assert "kettle is blue" in memory.context("the kettle").text
    memory.undo(addition.applied.change)
    assert "kettle is blue" not in memory.context("the kettle").text
    assert memory.search("kettle", deleted=True).results[0].gone
    assert memory.restore(addition.id).commit
    assert "kettle is blue" in (memory.root / "MEMORY.md").read_text()


def test_a_search_is_narrowed_as_the_command_narrows_it(memory: clawgit.Memory) -> None:
    memory.add("The kettle is blue.", tag="knowledge")
    memory.add("The kettle is to be sold.", tag="decision")
    assert [hit.text[:30] for hit in memory.search("kettle", category="decision").results] == [
        "- The kettle is to be sold. #d"
    ]
    assert memory.search("kettle", project="boat").results == ()
    assert memory.search("kettle", tier="core").mode == "core"
    answer = memory.search("kettle", tier="enhanced")
    assert answer.mode == "core"
    assert answer.degraded
    assert answer.results


def test_bad_input_says_what_to_do_and_changes_nothing(memory: clawgit.Memory, tmp_path: Path) -> None:
    before = memory.log()
    for bad in (
        lambda: memory.add(" "),
        lambda: memory.why("MEMORY.md", 0),
        lambda: memory.why("nosuch.md", 1),
        lambda: memory.log("../elsewhere"),
        lambda: memory.restore("nosuch.md"),
        lambda: memory.undo("nosuchid"),
        lambda: memory.context(budget=-1),
        lambda: memory.log(limit=-1),
        lambda: memory.search("kettle", least=float("nan")),
        lambda: memory.search("kettle", tier="best"),  # type: ignore[arg-type]
        lambda: clawgit.open(tmp_path / "nowhere"),
    ):
        with pytest.raises(clawgit.ClawgitError) as caught:
            bad()
        assert str(caught.value.fix)
    assert memory.log() == before


@pytest.mark.parametrize("policy", ["locked", "review"])
def test_a_program_is_not_the_operator(space: Path, policy: str) -> None:
    """Decisions that `soul_policy` leaves to the operator are refused, or wait, also those that undo something."""
    soul = space / "SOUL.md"
    before = soul.read_text()
    for words in ("Be brief.", "Be kind."):
        soul.write_text(f"{before}\n- {words}\n")
        subprocess.run(["git", "commit", "-qam", words], cwd=space, check=True)
    now = soul.read_text()
    (space / "CONFIG.md").write_text(f"```yaml\nsoul_policy: {policy}\n```\n")
    with clawgit.open(space) as memory, pytest.raises(clawgit.ClawgitError) as caught:
        memory.restore("SOUL.md", as_of="HEAD~1")
    assert str(caught.value.fix)
    assert soul.read_text() in (now, before)  # a version that nobody approved does not come back


def test_triage_knows_the_patterns_of_the_workspace(memory: clawgit.Memory) -> None:
    assert memory.triage("you forgot").matches
    assert memory.triage("you forgot", origin="agent").matches == ()
    assert memory.inbox() == []


def test_a_message_is_looked_at_with_and_without_a_workspace(space: Path) -> None:
    memory = clawgit.open(space)
    for triage in (memory.triage, clawgit.triage):
        assert triage("Please remember that the kettle is blue.").matches
        assert not triage("Thanks.").matches
    memory.close()
