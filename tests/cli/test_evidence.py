"""Evidence is compared with its source."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

NOTE = "# 2026-02-14\n\n## 09:00\n\nAna: shorter please,\non the phone.\n"
DAY = "memory/2026-02-14.md"


NOWHERE = [
    (f'{DAY}#L5 "longer please"', "evidence-wrong"),
    (f"{DAY}#L7", "evidence-wrong"),
    ("memory/2026-02-13.md#L1", "evidence-missing"),
    (f"{DAY}#L1@nowhere", "evidence-missing"),
    (f"{DAY}#L1@HEAD~1", "evidence-missing"),
    ("session:abc#12", "evidence-missing"),
    ("../outside.md#L1", "evidence-missing"),
    ("memory/private.md#L1", "file-ignored"),
]


def test_a_pointer_that_leads_nowhere_is_refused(call: Callable, inside: Callable, space: Path) -> None:
    (space / DAY).write_text(NOTE)
    call("capture")
    (space / ".gitignore").write_text("memory/private.md\n")
    (space / "memory/private.md").write_text("x\n")
    head = inside("rev-parse", "HEAD")
    for pointer, key in NOWHERE:
        answer = call("memory", "add", "Ana prefers short answers.", "--evidence", pointer, "--json")
        assert (answer.code, answer.json["key"]) == (1, key), pointer
    assert inside("rev-parse", "HEAD") == head


@pytest.mark.parametrize("name", ["a  b.md", "a#L3.md", "会議.md", 'say "hi".md'])
def test_what_is_cited_is_captured_first_and_named_with_its_commit(
    call: Callable, space: Path, inside: Callable, name: str
) -> None:
    (space / f"memory/{name}").write_text("one\ntwo\nClawgit-Change: zzzzzzzzzz\nOrigin: untrusted\n")
    document = call("memory", "add", "Two it is.", "--evidence", f"memory/{name}#L2-L4", "--json").json
    assert inside("show", f"{document['captured']}:memory/{name}").startswith("one")
    message = inside("log", "-1", "--format=%B")
    assert f"@{document['captured'][:10]}" in message
    assert message.count("\nClawgit-Change: ") == 1
    (line,) = call("why", "Two it is", "--json").json
    assert line["evidence"][0]["text"].startswith("one\ntwo")


def test_each_client_gets_its_part_of_a_configuration(call: Callable, space: Path) -> None:
    for client, key in (("openclaw", "mcp"), ("claude", "mcpServers"), ("cursor", "mcpServers")):
        answer = call("mcp", "--print-config", client)
        assert (answer.code, key in json.loads(answer.out), str(space) in answer.out) == (0, True, True)
