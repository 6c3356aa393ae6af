"""Markdown is read as CommonMark reads it, for any writer; broken links are reported by their cause."""

from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import Desk

MUTATION = ("text/yaml_reader.py", "        return self.size if self.values else 0", "        return self.size")

ROSE = "The permanent rose is by the gate."
QUESTION = "permanent rose gate"
BETWEEN_RULES = {
    "a heading and bullets": f"---\n\n# Notes\n\n- {ROSE}\n- The wifi name is Stork.\n\n---\n\n- The shed is green.\n",
    "only headings": f"---\n# Notes\n---\n\n- {ROSE}\n",
    "prose": f"---\n\n{ROSE} It was moved there.\n\n---\n\nMore below.\n",
    "prose right below a rule": f"---\n{ROSE} It was moved there.\n---\n\nMore below.\n",
    "several lines of prose": f"---\n{ROSE}\nIt was moved there.\n---\n\nMore below.\n",
    "prose that ends the file": f"---\n{ROSE}\n---\n",
    "prose with a byte order mark": f"\ufeff---\r\n{ROSE}\r\n---\r\n",
    "a list of pairs": f"---\n- rose: {ROSE}\n- wifi: Stork\n---\n",
    "starred bullets": f"---\n* {ROSE}\n* The wifi name is Stork.\n---\n",
    "prose with a colon": f"---\nRemember this: the shed: {ROSE}\n---\n",
    "what is refused": f"---\nrose: &rose {ROSE}\nshed: *rose\n---\n",
    "what is never closed": f"---\nrose: {ROSE}\n\n- The shed is green.\n",
    "what no line of three dashes closes": f"---\nrose: {ROSE}\n...\n\n- The shed is green.\n",
    "a rule pair further down": f"# Garden\n\n- The shed is green.\n\n---\n{ROSE}\n---\n\nMore below.\n",
}


def search_text(desk: Desk, question: str, *options: str) -> str:
    """Return the text of the hits of a search."""
    return "\n".join(hit["snippet"] for hit in desk.run("search", question, *options)["results"])


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md"])
@pytest.mark.parametrize("text", BETWEEN_RULES.values(), ids=BETWEEN_RULES)
def test_what_stands_between_two_rules_is_found(desk: Desk, path: str, text: str) -> None:
    desk.write("memory/garden.md", "# Garden\n")
    desk.write(path, text)
    desk.run("capture")
    assert ROSE in search_text(desk, QUESTION, "--top", "2")
    context = desk.call("context", "where is the permanent rose")
    assert ROSE in context.out


def test_a_bullet_between_two_rules_is_a_memory(desk: Desk) -> None:
    desk.write("MEMORY.md", BETWEEN_RULES["a heading and bullets"])
    desk.run("capture")
    assert ROSE in {row["text"] for row in desk.run("memory", "list")}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_mapping_before_the_text_is_no_memory(desk: Desk, end: str) -> None:
    shed = "The shed is green."
    text = f"---\n# about\ntitle: Garden\n\nrose: {ROSE}\n---\n\n# Garden\n\n- {shed}\n"
    desk.write("memory/garden.md", text.replace("\n", end))
    desk.run("capture")
    assert ROSE not in search_text(desk, QUESTION)
    assert shed in search_text(desk, "shed green")
    assert not any(ROSE in row["text"] for row in desk.run("memory", "list"))


NO_FENCES = {
    "inline code begins a line": "```npm run x``` starts the little server.\n",
    "inline code with words": "``` a `b` ``` shows how.\n",
    "marks indented by four": "Said:\n\n    ```\n",
    "marks in a comment": "<!--\n```\n-->\n",
    "a fence in a list that the list ends": "- See:\n  ```\n  npm run x\n",
    "a fence in a quote that the quote ends": "> ```\n> npm run x\n",
    "tildes closed by more": "~~~ sh `x`\nnpm run x\n~~~~\n",
    "a fence that holds a shorter one": "````\n```\nnpm run x\n````\n",
    "a fence that holds inline code": "```\n```npm run x``` starts the little server.\n```\n",
}


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md", "memory/2026-01-20.md"])
@pytest.mark.parametrize("above", NO_FENCES.values(), ids=NO_FENCES)
def test_three_entries_below_no_open_fence_are_three_hits(desk: Desk, path: str, above: str) -> None:
    hose = "- The hose of the shed is green."
    desk.write(path, f"# Notes\n\n{above}\n- The pump is blue.\n{hose}\n- The tap is red.\n")
    desk.write("memory/garden.md", desk.read(path))
    desk.run("capture")
    hit = desk.run("search", "hose of the shed", "--top", "1")["results"][0]
    assert (hit["snippet"], hit["startLine"]) == (hose, hit["endLine"])


def test_what_stands_in_a_fence_is_one_hit(desk: Desk) -> None:
    fence = "```text\n# hose\n- The hose is green.\n```"
    desk.write("memory/garden.md", f"# Garden\n\n```sh `x`\n\n{fence}\n\n- The tap is red.\n")
    desk.run("capture")
    assert search_text(desk, "hose green", "--top", "1") == fence


def link_findings(desk: Desk) -> list[dict[str, Any]]:
    """Return doctor's findings about links; an audit must have as many."""
    findings = [row for row in desk.call("doctor").document if row["check"] == "links" and row["fix"]]
    (part,) = [row for row in desk.run("audit")["parts"] if row["name"] == "links"]
    assert len(part["found"]) == len(findings)
    return findings


def link(desk: Desk, *paths: str) -> None:
    desk.append("MEMORY.md", "".join(f"- See [note {number}]({path}).\n" for number, path in enumerate(paths)))


@pytest.fixture
def library(tmp_path: Path) -> Desk:
    """Return a repository of notes that is no part of the workspace."""
    return Desk.raw(tmp_path / "library", {f"n/{number}.md": f"# Note {number}\n" for number in range(5)})


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("left", ["nothing", "an empty folder"])
def test_a_repository_that_is_not_checked_out_is_one_finding(
    desk: Desk, library: Desk, left: str, *, declared: bool
) -> None:
    if declared:
        desk.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "lib/kb")
    else:
        desk.git("clone", "--quiet", str(library.root), "lib/kb")
    desk.commit("a library")
    link(desk, *(f"lib/kb/n/{number}.md" for number in range(5)))
    desk.run("capture")
    assert link_findings(desk) == []
    desk.shell(f"rm -rf lib/kb {'&& mkdir lib/kb' if left == 'an empty folder' else ''}")
    (finding,) = link_findings(desk)
    assert finding["ok"]
    assert "lib/kb" in finding["message"]
    assert "5" in finding["message"]
    assert desk.shell(finding["fix"])
    if declared:
        assert link_findings(desk) == []


def test_links_into_one_missing_folder_are_one_finding(desk: Desk) -> None:
    for number in range(4):
        desk.write(f"notes/deep/{number}.md", f"# Note {number}\n")
    link(desk, *(f"notes/deep/{number}.md" for number in range(4)), "notes/other/5.md")
    desk.commit()
    desk.git("rm", "-rq", "notes")
    desk.commit()
    (finding,) = link_findings(desk)
    assert (finding["ok"], "5" in finding["message"]) == (False, True)
    assert "notes/deep/3.md" in desk.git("show", "--stat", desk.shell(finding["fix"]).split()[0])


def test_a_link_says_its_letters_in_percents(desk: Desk) -> None:
    desk.write("memory/my notes/\u00e4.md", "- a\n")
    link(desk, "memory/my%20notes/%C3%A4.md")
    desk.commit()
    assert link_findings(desk) == []


@pytest.mark.parametrize("path", ["memory/heron.md", "heron/1.md", "../heron.md", "lib/kb/n/9.md"])
def test_a_link_to_what_never_was_has_no_fix_that_shows_nothing(desk: Desk, library: Desk, path: str) -> None:
    desk.git("clone", "--quiet", str(library.root), "lib/kb")
    link(desk, path)
    desk.commit()
    (finding,) = link_findings(desk)
    assert not finding["ok"]
    assert path in finding["message"]
    assert "MEMORY.md:" in finding["fix"]
