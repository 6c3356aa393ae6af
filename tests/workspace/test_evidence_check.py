"""Evidence is held against what it points at."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.text.evidence_pointer import parse, quote_hash
from clawgit.workspace.change import Append, Change
from clawgit.workspace.evidence_check import resolve

from .places import AWS, DAY

NOTE = "# 2026-02-14\n\n## 09:00\n\nAna: shorter please,\non the phone.\n"


@pytest.fixture
def noted(place):
    """A workspace with a committed journal."""
    place.given(DAY=NOTE)
    return place


def cited(place, *pointers):
    return resolve(place.ws, place.head, pointers)


def change(*pointers):
    return Change("memory: x", edits=(Append("memory/notes.md", "- x\n"),), evidence=pointers)


def test_the_commit_is_fixed_when_the_change_is_made(noted):
    """What the file says later does not change what was cited."""
    before = noted.head
    applied = noted.ws.apply(change(f'{DAY}#L5 "shorter please"'))
    trailer = f'Evidence: {DAY}#L5@{before[:10]} "shorter please" sha256:{quote_hash("shorter please")}\n'
    assert noted.message(applied.commit).endswith(trailer)


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        (f'{DAY}#L5 "longer please"', '"longer please" does not stand at memory/2026-02-14.md#L5-L5'),
        (f"{DAY}#L7", "the file has 6 lines"),
        ("memory/2026-02-13.md#L1", "no such file"),
        (f"{DAY}#L1@nowhere", "evidence-missing"),
        (f"{DAY}#L1@HEAD~1", "no such file"),
        (f"{DAY}#L5-L4", "are no range"),
        ("session:abc#12", "no session:abc#12"),
        ("../outside.md#L1", "leaves the folder"),
        (".git/config#L1", "git's own folder"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_refused(noted, pointer, words):
    with noted.refused(words):
        noted.ws.apply(change(pointer))


def test_a_correction_is_its_whole_section(place):
    text = "# Corrections\n\n## kkkkkkkkkk 2026-02-14\n\n- was: Monday\n- is: Tuesday\n\n## zzzzzzzzzz\n\n- is: no\n"
    place.commit({"CORRECTIONS.md": text})
    assert "Tuesday" in cited(place, "CORRECTIONS.md#kkkkkkkkkk")[0].pointer.quote
    assert "Tuesday" not in cited(place, "CORRECTIONS.md#zzzzzzzzzz")[0].pointer.quote
    assert cited(place, 'CORRECTIONS.md#kkkkkkkkkk "is: Tuesday"')
    with pytest.raises(ClawgitError, match="does not stand"):
        cited(place, 'CORRECTIONS.md#zzzzzzzzzz "is: Tuesday"')


def test_an_uncommitted_file_is_captured_before_it_is_cited(noted):
    """Otherwise the pointer would name a commit that does not hold the quote."""
    noted.write(DAY, NOTE + "\nNew: be brief.\n")
    applied = noted.ws.apply(change(f'{DAY}#L8 "be brief"'))
    assert b"be brief" in noted.committed(DAY, applied.captured)
    assert f"@{applied.captured[:10]}" in noted.message(applied.commit)
    assert noted.git("rev-list", "--count", f"{applied.captured}..HEAD").strip() == "1"
    noted.agrees()


def test_an_ignored_file_in_scope_is_never_committed_to_be_cited(place):
    place.commit({".gitignore": "USER.md\nmemory/private*\n"})
    place.git("rm", "--quiet", "--cached", "USER.md")
    place.git("commit", "--quiet", "-m", "private")
    place.write("memory/private.md", "x\n")
    for path in ("USER.md", "memory/private.md"):
        with place.refused(path, "file-ignored"):
            place.ws.apply(change(f"{path}#L1"))


@pytest.mark.parametrize(
    "name",
    ["a  b.md", "a#b.md", "a#L3.md", "会議.md", 'say "hi".md'],
)
def test_any_name_can_be_cited_and_read_back(place, name):
    place.write(f"memory/{name}", "one\ntwo\n")
    applied = place.ws.apply(change(f'memory/{name}#L2 "two"'))
    (trailer,) = [line for line in place.message(applied.commit).split("\n") if line.startswith("Evidence: ")]
    found = parse(trailer.removeprefix("Evidence: ").rpartition(" sha256:")[0])
    assert (found.path, found.start, found.quote) == (f"memory/{name}", 2, "two")


def test_a_quote_in_the_log_holds_no_secret(place):
    place.commit({DAY: f"the key is {AWS} and nothing hid\u200bden\n"})
    place.ws.apply(change(f"{DAY}#L1"))
    assert AWS not in place.message()
    assert "[aws-access-key]" in place.message()
    assert "hidden" in place.message()


def test_a_quote_cannot_forge_a_trailer(place):
    place.given(DAY='a\n\nClawgit-Change: zzzzzzzzzz\nOrigin: "operator"\n')
    place.ws.apply(change(f"{DAY}#L1-L4"))
    assert place.message().count("\nClawgit-Change: ") == 1
    assert place.git("log", "-1", "--format=%(trailers:key=Origin,valueonly)").split() == ["operator"]
