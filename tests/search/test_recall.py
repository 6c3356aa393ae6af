"""The hits of a search, and their data."""

import json
import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.search import index, recall
from clawgit.search.answer import Query
from clawgit.store import entry_table
from clawgit.workspace.workspace import open_workspace

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
DEPLOY, LEAVE = "- Deploy moved to Tuesday.", "- Ana is on leave until March."
MEMORY = (
    "# Memory\n\n## Decisions\n\n- Chose REST over GraphQL for the public API. #decision\n"
    f"{LEAVE}\n\n## Servers\n\n| name | port |\n|---|---|\n| api | 8080 |\n"
)


@pytest.fixture
def filled(write: Callable, commit: Callable) -> Path:
    root = write(
        {
            "MEMORY.md": MEMORY,
            "memory/2026-05-12.md": f"# 2026-05-12\n\n{DEPLOY}\n- 我们决定用部署工具。\n",
            "USER.md": "# User\n\n- Allergic to peanuts.\n",
            "SOUL.md": "# Soul\n\n- Peanuts are funny.\n",
            "CONFIG.md": "# Config\n\nPeanuts.\n",
            "memory/templates/day.md": "- Peanuts every day\n",
        }
    )
    commit()
    return root


def search(root: Path, question: str, **options: object) -> "recall.Answer":
    with open_workspace(root) as workspace:
        workspace.clock = lambda: NOW
        return recall.search_files(workspace, Query(question, **options))  # type: ignore[arg-type]


def test_changes_are_found_at_once_and_belong_to_no_commit_yet(filled: Path, write: Callable) -> None:
    search(filled, "deploy")
    write({"memory/2026-05-12.md": "# 2026-05-12\n\n- Deploy moved to Friday.\n", "memory/new.md": "- Submarines.\n"})
    (hit, *_) = search(filled, "deploy").results
    assert ("Friday" in hit.snippet, hit.commit) == (True, None)
    assert search(filled, "submarine").results[0].commit is None
    assert search(filled, "tuesday").results == ()
    write({"memory/new.md": ""})
    assert search(filled, "submarines").results == ()


def test_nonsense_is_answered_with_nothing_and_a_rare_word_never_cut(filled: Path) -> None:
    for nonsense in ("xqzzt blorf", "", "   ", "😀😀", "???"):
        assert search(filled, nonsense).results == ()
    question = "somebody once told something about zebras giraffes elephants monkeys tigers lions 8080"
    assert search(filled, question).results[0].snippet == "| api | 8080 |"


def test_accents_and_punctuation_cost_nothing(root: Path, write: Callable) -> None:
    record = "- El registro, inválido."
    write({"MEMORY.md": f"# Notas\n\n{record}\n- El registro de los otros datos.\n- Un dato inválido de otros.\n"})
    assert search(root, "registro invalido", least=0).results[0].snippet == record


def test_scores_fall_and_stay_between_0_and_1(filled: Path) -> None:
    for question in ("api", "which api style did we choose", "ana deploy port", "部署"):
        scores = [hit.score for hit in search(filled, question, least=0.0).results]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_two_letters_and_one_find_what_is_written_without_spaces(filled: Path) -> None:
    for question in ("部署", "部", "决定", "我们决定了什么"):
        assert search(filled, question).results[0].start == 4, question


def test_a_name_in_every_note_is_found_beside_words_of_the_question(root: Path, write: Callable) -> None:
    notes = {
        f"memory/2026-03-{day:02}.md": f"# D\n\n- 和王强吃饭,{day}元。\n- 我们开会。\n- 关于{day}。\n"
        for day in range(1, 25)
    }
    write({"MEMORY.md": "# M\n\n| 姓名 | 号码 |\n|---|---|\n| 王强 | 8080 |\n", **notes})
    assert search(root, "王强的电话").results
    for nonsense in ("我们的护照什么时候过期?", "量子计算机是什么?"):
        assert search(root, nonsense).results == ()


def test_words_of_thanks_are_searched(root: Path, write: Callable) -> None:
    write({"memory/cards.md": "# Cards\n\n- The thank you card for Ana is in the drawer.\n- The bank card is lost.\n"})
    assert search(root, "thank you card").results[0].start == 3


def test_who_is_named_is_meant_to_have_said_it(root: Path, write: Callable) -> None:
    lines = [
        "- Ana: I love the violin.",
        "- Bo: I love the piano.",
        "- Ana: Bo, do you love music?",
        "- Bo: indeed, always.",
    ]
    write({"memory/2026-05-02.md": "\n".join(lines)})
    for question, line in (("what does Bo love", 2), ("what does Ana love", 1)):
        assert search(root, question).results[0].start == line


def test_the_same_words_are_shown_once_and_counted(root: Path, write: Callable) -> None:
    write({f"memory/2026-04-{day:02}.md": "# Day\n\n- Backup ran without errors.\n" for day in range(1, 29)})
    (hit,) = search(root, "backup errors", explain=True).results
    assert hit.path == "memory/2026-04-28.md"
    assert hit.explain["repeats"]


def test_since_until_and_category_narrow_it_down(filled: Path, write: Callable) -> None:
    write({"memory/2026-04-01.md": "- Deploy is on Mondays. #skill\n"})
    from datetime import date  # noqa: PLC0415

    assert [hit.path for hit in search(filled, "deploy", since=date(2026, 5, 1)).results] == ["memory/2026-05-12.md"]
    assert [hit.path for hit in search(filled, "deploy", until=date(2026, 5, 1)).results] == ["memory/2026-04-01.md"]
    assert [hit.path for hit in search(filled, "deploy", category="lessons").results] == ["memory/2026-04-01.md"]
    assert [hit.start for hit in search(filled, "api", category="decision").results] == [5]


@pytest.fixture
def place(filled: Path) -> Path:
    with open_workspace(filled) as workspace:
        recall.search_files(workspace, Query("deploy"))
        path = entry_table.find_index(index.place(workspace))
        assert path
        return path


@pytest.mark.parametrize("harm", ["a link", "cut", "newer", "log"])
def test_an_index_that_came_to_harm_is_built_anew(filled: Path, place: Path, harm: str) -> None:
    data = place.read_bytes()
    match harm:
        case "a link":
            place.rename(filled.parent / "elsewhere.db")
            place.symlink_to(filled.parent / "elsewhere.db")
        case "cut":
            place.write_bytes(data[:5000])
        case "newer":
            other = sqlite3.connect(place)
            other.execute("ALTER TABLE chunks ADD COLUMN language TEXT")
            other.execute(f"PRAGMA user_version = {entry_table.VERSION + 1}")
            other.commit()
            other.close()
        case "log":
            place.with_name(place.name + "-wal").write_bytes(b"garbage" * 1000)
    answer = search(filled, "deploy")
    assert (answer.results[0].snippet, answer.degraded) == (DEPLOY, None)
    assert search(filled, "deploy") == answer


def test_where_no_more_can_be_written_the_answer_is_the_same(write: Callable, place: Path) -> None:
    """The system refuses each file above so many bytes, as on a full disk."""
    jars = [f"- The jar number j{number} holds tea and a spoon." for number in range(3000)]
    root = write({"memory/jars.md": "# Jars\n\n" + "\n".join(jars) + "\n"})
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    command = [Path(sys.executable).with_name("clawgit"), "-C", root, "search", "jar j1234", "--json"]

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, preexec_fn=small)
    document = json.loads(result.stdout)
    assert result.returncode == 0
    assert "j1234" in document["results"][0]["snippet"]
    assert "disk" in document["degraded"]
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    answer = search(root, "jar j1234")
    assert (answer.results[0].text, answer.degraded) == (jars[1234], None)


def test_links_pipes_and_what_is_hidden_are_passed_over(filled: Path) -> None:
    (filled / "memory/link.md").symlink_to(filled / "SOUL.md")
    (filled / "memory/.hidden.md").write_text("peanuts")
    nested = filled / "memory/nested"
    (nested / ".git").mkdir(parents=True)
    (nested / "one.md").write_text("peanuts")
    import os  # noqa: PLC0415

    os.mkfifo(filled / "memory/pipe.md")
    (filled / "memory/latin.md").write_bytes("- Größe peanuts\n".encode("latin-1"))
    paths = [hit.path for hit in search(filled, "peanuts").results]
    assert sorted(paths) == ["USER.md", "memory/latin.md"]
    assert stat.S_ISFIFO((filled / "memory/pipe.md").stat().st_mode)


def test_a_workspace_without_a_commit_can_be_searched(root: Path, write: Callable) -> None:
    write({"MEMORY.md": "- Tea at five.\n"})
    answer = search(root, "tea")
    assert (answer.commit, answer.results[0].commit) == (None, None)
