"""The refusals, limits and hard cases of a server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError

from tests.amounts import amount

WRITERS = {"memory_add", "memory_correct", "soul_propose"}
READERS = {"inbox", "memory_search", "memory_get", "memory_why", "context", "soul_log"}
ESCAPES = ["../x.md", "/etc/passwd", "memory/../../x.md", "a\0b.md", "memory/.git/x.md", "C:\\x", ""]


def test_every_tool_says_what_it_takes_gives_and_does(ask: Callable) -> None:
    tools = ask.within(lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == READERS | WRITERS
    for tool in tools:
        assert tool.description
        assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations.read_only_hint is (tool.name in READERS)
        assert tool.annotations.destructive_hint is False


def test_who_only_reads_is_offered_no_tool_that_writes(serving: Callable, space: Path, git: Callable) -> None:
    ask = serving(space, read_only=True)
    before = git("rev-parse", "HEAD")
    assert {tool.name for tool in ask.within(lambda client: client.list_tools()).tools} == READERS
    with pytest.raises(MCPError, match="no tool 'memory_add'"):
        ask("memory_add", text="Kept.")
    assert git("rev-parse", "HEAD") == before
    assert ask.told("memory_search", query="anything")["results"] == []


def test_no_link_is_followed_and_nothing_but_memory_and_identity_is_read(
    ask: Callable, space: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.md").write_text("# Far away\n")
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/file.md").symlink_to(tmp_path / "outside/x.md")
    (space / "memory/folder").symlink_to(tmp_path / "outside")
    for path in ESCAPES:
        assert ask.refused("memory_get", path=path)
        assert ask.refused("memory_why", path=path, line=1)
    for path in (".clawgit/entries.tsv", "code/secret.py", "node_modules/x/README.md"):
        (space / path).parent.mkdir(parents=True, exist_ok=True)
        (space / path).write_text("plain text\n")
        assert path in ask.refused("memory_get", path=path)
        assert path in ask.refused("memory_why", path=path, line=1)
    for path in ("memory/file.md", "memory/folder/x.md"):
        assert "symbolic link" in ask.refused("memory_get", path=path)
    assert ask.told("memory_search", query="far away")["results"] == []


MISFITS = [
    ("memory_search", {}, "query: Field required"),
    ("memory_search", {"query": "x", "maxResults": 1_000_000}, "maxResults: "),
    ("memory_search", {"query": "x", "max_results": 3}, "max_results: there is no such argument; did you mean"),
    ("memory_add", {"text": "Kept.", "tag": "person"}, "tag: "),
    ("memory_add", {"text": "Kept.", "origin": "operator"}, "origin: there is no such argument"),
    ("context", {"budget": 10**12}, "budget: "),
]


def test_what_does_not_fit_is_named_without_its_value(ask: Callable) -> None:
    for tool, wrong, beginning in MISFITS:
        words = ask.refused(tool, **wrong)
        assert words.startswith(beginning)
        assert "\nfix: takes " in words
        assert len(words) < 1_000


@settings(max_examples=amount(10, 3))
@given(text=st.text(max_size=60))
def test_no_text_stops_the_server(ask: Callable, text: str) -> None:
    for tool, fields in (
        ("memory_search", {"query": text}),
        ("memory_get", {"path": text}),
        ("memory_why", {"path": text, "line": 1}),
        ("soul_log", {"file": text}),
        ("memory_correct", {"text": text}),
    ):
        result = ask(tool, **fields)
        assert not result.is_error or "clawgit failed" not in result.content[0].text


def test_a_long_file_comes_in_whole_lines_as_far_as_it_fits(ask: Callable, space: Path) -> None:
    lines = [f"- note {number} of many\n" for number in range(20_000)]
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-01-20.md").write_text("".join(lines))
    first = ask.told("memory_get", path="memory/2026-01-20.md")
    assert first["truncated"]
    assert first["text"] == "".join(lines[: first["lines"]])
    rest = ask.told("memory_get", path="memory/2026-01-20.md", **{"from": first["lines"] + 1})
    assert rest["text"].startswith(lines[first["lines"]])
    (space / "MEMORY.md").write_text("- " + "word " * 200_000)
    endless = ask.told("memory_get", path="MEMORY.md")
    assert (len(endless["text"]), endless["truncated"]) == (50_000, True)


def test_an_answer_that_is_too_large_is_refused_with_a_way_out(ask: Callable, space: Path, git: Callable) -> None:
    (space / "SOUL.md").write_text("".join(f"- word {number} and {'more ' * 200}\n" for number in range(400)))
    git("commit", "-qam", "long")
    assert "fix: ask for less" in ask.refused("context", budget=200_000)


def test_where_nothing_is_managed_it_only_reads(serving: Callable, repo: Path) -> None:
    (repo / "MEMORY.md").write_text("# Memory\n\n- The tea is green.\n")
    ask = serving(repo)
    (hit,) = ask.told("memory_search", query="tea")["results"]
    assert hit["path"] == "MEMORY.md"
    assert "fix: clawgit adopt" in ask.refused("memory_add", text="Kept.")
    assert "fix: clawgit adopt" in ask.refused("memory_correct", text="not green, black")
