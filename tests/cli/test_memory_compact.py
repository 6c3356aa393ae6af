"""`clawgit memory compact`, and the memory compactor by `clawgit run`."""

import shlex
import subprocess
import sys
from datetime import UTC, datetime

import pytest
import time_machine

from tests.sessions.transcripts import chain, write_transcript

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"
OLD = {
    "2025-02-03": "- Met Ana at 9.",
    "2025-02-04-vendor": "- Zoë signed for 4,200 EUR.",
    "2025-05-06": "- Moved to Bonn.",
}


@pytest.fixture
def days(space):
    """Journals of two quarters, and one of the future."""
    for name, text in {**OLD, "2999-01-01": "- Not yet."}.items():
        place = space / f"memory/{name}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"# {name}\n\n{text}\n")
    return space / "memory"


def test_journals_are_joined_by_quarter_and_with_remove_leave_until_an_undo(call, days, photograph):
    before = photograph()
    preview = call("memory", "compact")
    assert [line.split() for line in preview.out.splitlines()[1:4]] == [
        ["memory/2025-02-03.md", "2025-02-03", "memory/archive/2025-Q1.md"],
        ["memory/2025-02-04-vendor.md", "2025-02-04", "memory/archive/2025-Q1.md"],
        ["memory/2025-05-06.md", "2025-05-06", "memory/archive/2025-Q2.md"],
    ]
    assert "clawgit memory compact --apply" in preview.err
    assert photograph() == before
    assert call("memory", "compact", "--apply").out.count("undo: clawgit undo") == 2
    text = (days / "archive/2025-Q1.md").read_text()
    assert text.index("# 2025-02-03\n\n- Met Ana at 9.\n") < text.index("- Zoë signed for 4,200 EUR.\n")
    assert all((days / f"{name}.md").exists() for name in OLD)
    repeated = call("memory", "compact", "--apply", "--json")
    assert (repeated.json["committed"], repeated.json["files"]) == ([], [])
    assert "clawgit memory compact --apply --remove" in repeated.err
    document = call("memory", "compact", "--apply", "--remove", "--json").json
    assert [row["subject"] for row in document["committed"]] == [
        "memory: 2 journals of 2025-Q1 removed",
        "memory: 1 journal of 2025-Q2 removed",
    ]
    assert not any((days / f"{name}.md").exists() for name in OLD)
    hit = call("search", "Zoë signed EUR", "--json").json["results"][0]
    assert (hit["path"], hit["date"]) == ("memory/archive/2025-Q1.md", "2025-02-04")
    assert (days / "2999-01-01.md").exists()
    assert "clawgit restore 'memory/2025-05-06.md'" in (days.parent / "COMPACTION_LOG.md").read_text()
    assert call("undo").code == 0
    assert (days / "2025-05-06.md").read_text() == "# 2025-05-06\n\n- Moved to Bonn.\n"
    assert call("restore", "memory/2025-02-03.md").code == 0
    assert "clawgit undo --redo" in call("memory", "compact", "--apply", "--remove").err
    assert call("undo", "--redo", document["committed"][1]["commit"]).code == 0
    assert not (days / "2025-05-06.md").exists()


def test_the_compactor_is_an_agent_like_the_others(call, days):
    preview = call("run", "memory-compactor")
    assert "+# 2025-02-" in preview.out.replace("+ ", "+")
    assert "memory: chronicle of February 2025, 2 days" in preview.out
    assert (days / "2025-02-03.md").exists()
    call("capture")
    ids = {row["text"]: row["id"] for row in call("memory", "list", "--json").json}
    result = call("run", "memory-compactor", "--apply")
    assert "memory: chronicle of February 2025, 2 days" in result.out
    assert "Met Ana at 9." in (days / "archive/chronicles/2025-February.md").read_text()
    archived = {row["text"]: row["id"] for row in call("memory", "list", "--json").json if "archive/" in row["path"]}
    assert {text[2:]: ids[text[2:]] for text in OLD.values()}.items() <= archived.items()
    assert call("run", "memory-compactor", "--apply", "--json").json["proposed"] == []
    assert "memory-compactor" in call("run", "--list").out


def test_compaction_that_is_off_only_shows(call, days):
    assert call("config", "compaction", "off").code == 0
    assert "clawgit config compaction chronicle" in call("memory", "compact").err
    assert "2025-February" in call("run", "memory-compactor").out
    result = call("run", "memory-compactor", "--apply")
    assert "clawgit config compaction chronicle" in result.err
    assert (days / "2025-02-03.md").exists()


STOPPED = """
import itertools, os, sys
from clawgit.cli.main import main
from clawgit.git import worktree_files
count = itertools.count(1)
worktree_files.observe(lambda step: os._exit(9) if step == "branch" and next(count) == int(sys.argv[1]) else None)
main(["run", "memory-compactor", "--apply"])
"""


@pytest.mark.parametrize("commit", [1, 2])
def test_a_compaction_that_was_killed_is_finished_by_the_next(call, days, space, inside, commit):
    call("capture")
    words = [sys.executable, "-c", STOPPED, str(commit)]
    assert subprocess.run(words, cwd=space, stdout=subprocess.DEVNULL, check=False).returncode == 9
    assert call("run", "memory-compactor", "--apply").code == 0
    assert inside("status", "--porcelain") == ""
    assert not list(days.glob("2025-*.md"))
    text = "".join(place.read_text() for place in (days / "archive/chronicles").glob("*.md"))
    assert all(text.count(line) == 1 for line in OLD.values())


NAMES = (
    "2026-03-05 a#L3",
    "2026-03-05@{u}",
    "2026-03-05 it's $HOME; `x`",
    "2026-03-05 -->",
    "2026-03-05 日本",
    "2026-03-05\u200b",
    "2026-03-05 ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "deep/er/2026-03-05",
)
UNREADABLE = {
    "2026-03-07": b"caf\xe9",
    "2026-03-08": b"<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n",
    "2026-03-09": b"- The relay is on 9090. #knowledge #correction\n",
}


def test_whatever_a_journal_is_called_it_comes_back_by_its_command_or_stays(call, space):
    for name in NAMES:
        (space / f"memory/{name}.md").parent.mkdir(exist_ok=True, parents=True)
        (space / f"memory/{name}.md").write_text("\ufeff# Paid\r\n\r\n- Paid 12 EUR.\r\n")
    for name, data in UNREADABLE.items():
        (space / f"memory/{name}.md").write_bytes(data)
    before = {place: place.read_bytes() for place in (space / "memory").rglob("*.md")}
    assert call("run", "memory-compactor", "--apply").code == 0
    assert all((space / f"memory/{name}.md").read_bytes() == data for name, data in UNREADABLE.items())
    rows = [row for row in (space / "COMPACTION_LOG.md").read_text().splitlines() if "; back: " in row]
    assert len(rows) >= len(NAMES) // 2
    for row in rows:
        assert call(*shlex.split(row.partition("; back: clawgit ")[2].rstrip("`"))).code == 0
    assert {place: place.read_bytes() for place in before} == before
    assert call("run", "memory-compactor", "--apply", "--json").json["committed"] == []


@pytest.fixture
def faded(call, tmp_path):
    """A line of clawgit's and seven of others, all of January 2025, and one of May 2026; it is June 2026."""
    with time_machine.travel("2025-01-10 08:00:00+00:00", tick=True) as clock:
        records = chain(("user", "Remember that the printer is in room 12."), start=1_736_496_000)
        write_transcript(tmp_path / "s1.jsonl", records, session="s1")
        call("session", "import", tmp_path / "s1.jsonl")
        call("run", "memory-miner", "--apply")
        for number in range(1, 8):
            call("memory", "add", f"The fax number {number} is in room {number}0.", "--origin", "untrusted")
        clock.move_to("2026-05-20 08:00:00+00:00")
        call("memory", "add", "Ana likes tea.")
        clock.move_to("2026-06-01 08:00:00+00:00")
        call("doctor", "--clock-is-right", terminal=True)
        yield clock


def test_a_faded_line_of_clawgits_leaves_and_those_of_others_are_proposed_five_a_week(call, space, faded):
    text = (space / "MEMORY.md").read_text()
    line = "- the printer is in room 12. #knowledge"
    data = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() + b"<!-- mine -->\r\nEnd without newline"
    (space / "MEMORY.md").write_bytes(data)
    call("capture")
    document = call("run", "memory-compactor", "--apply", "--json").json
    assert (space / "MEMORY.md").read_bytes() == data.replace(f"{line}\r\n".encode(), b"")
    assert line in (space / "memory/archive/memories/2026-June.md").read_text()
    (item,) = call("inbox", "--json").json
    assert call("show", item["id"], "--json").json["reason"].count("- entry ") == 5
    assert call("run", "memory-compactor", "--apply", "--json").json["committed"] == []
    for change in document["committed"]:
        if "chronicle" not in change["subject"]:
            assert call(*change["undo"].split()[1:]).code == 0
    assert (space / "MEMORY.md").read_bytes() == data
    assert call("run", "memory-compactor", "--apply", "--json").json["committed"] == []
    assert call("reject", item["id"]).code == 0
    call("run", "memory-compactor", "--apply")
    assert call("inbox", "--json").json == []
    faded.move_to("2026-06-09 08:00:00+00:00")
    assert call("doctor", "--clock-is-right", terminal=True).code == 0
    call("run", "memory-compactor", "--apply")
    (item,) = call("inbox", "--json").json
    assert call("show", item["id"], "--json").json["reason"].count("- entry ") == 2
    assert call("accept", item["id"], terminal=True, stdin=b"y\n").code == 0
    assert (space / "MEMORY.md").read_text().count("The fax number") == 5


def test_a_line_that_somebody_reworded_is_theirs(call, space, faded):
    text = (space / "MEMORY.md").read_text().replace("printer is in room 12", "printer is in the room 12")
    (space / "MEMORY.md").write_text(text)
    call("capture")
    call("run", "memory-compactor", "--apply")
    assert (space / "MEMORY.md").read_text() == text


def test_an_archive_names_a_secret_and_the_journal_comes_back_with_it(call, space, days, inside):
    place = days / "2025-02-03.md"
    place.write_text(f"{place.read_text()}- The key is {KEY}.\n")
    before = place.read_bytes()
    inside("add", "--all")
    inside("commit", "--quiet", "--no-verify", "-m", "by hand")
    assert call("run", "memory-compactor", "--apply").code == 0
    assert not place.exists()
    assert not [path for path in space.rglob("*.md") if KEY in path.read_text()]
    assert call("restore", "memory/2025-02-03.md").code == 0
    assert place.read_bytes() == before


@pytest.mark.parametrize("origin", ["agent", "untrusted"])
def test_an_archive_is_no_surer_than_what_it_holds(call, space, origin):
    with time_machine.travel("2027-01-10 08:00:00+00:00", tick=True) as clock:
        for origin_name in ("agent", origin):
            call("memory", "add", f"The {origin_name} printer is in room 12.", "--to", "daily", "--origin", origin_name)
        clock.move_to("2027-03-10 08:00:00+00:00")
        call("doctor", "--clock-is-right", terminal=True)
        (commit,) = call("run", "memory-compactor", "--apply", "--json").json["committed"]
        assert not (space / "memory/2027-01-10.md").exists()
        (record,) = [row for row in call("log", "--json").json if row["commit"] == commit["commit"]]
        assert record["origin"] == origin


RECORD = "## {} {} 09:00\n\n- Said: Monday\n- True: {}\n- Re-embedded: true\n"


def test_an_old_correction_moves_whole_and_comes_back(call, space, inside):
    old, young = (
        RECORD.format("kxqmwrtzvn", "2025-05-01", "Tuesday"),
        RECORD.format("qkxmwrtzvn", "2999-05-20", "Friday"),
    )
    rest = f"# Corrections\n\nMine.\n\n{RECORD.format('mqkxrwtzvn', '2025-05-02', KEY)}\n"
    (space / "CORRECTIONS.md").write_text(f"{rest}{old}\n{young}")
    inside("commit", "--quiet", "--no-verify", "--all", "-m", "by hand")
    assert call("run", "memory-compactor", "--apply").code == 0
    assert (space / "CORRECTIONS.md").read_text() == f"{rest}{young}"
    assert (space / "Archive/Corrections/2025-May.md").read_text().endswith(f"\n\n{old}")
    (row,) = [row for row in (space / "COMPACTION_LOG.md").read_text().splitlines() if "; back: " in row]
    assert call(*shlex.split(row.partition("; back: clawgit ")[2].rstrip("`"))).code == 0
    assert old.strip() in (space / "CORRECTIONS.md").read_text()
    assert call("run", "memory-compactor", "--apply", "--json").json["committed"] == []


def test_in_an_adopted_workspace_the_first_run_waits_in_the_inbox(call, tmp_path):
    today = datetime.now(UTC).date().isoformat()
    (tmp_path / "own/memory").mkdir(parents=True)
    (tmp_path / "own/MEMORY.md").write_text("# Memory\n")
    (tmp_path / "own/memory/2025-01-05.md").write_text("# 2025-01-05\n\n- Ann wants the report on Monday.\n")
    assert call("adopt", tmp_path / "own").code == 0

    def run(*words, **options):
        return call("-C", tmp_path / "own", *words, **options)

    (tmp_path / f"own/memory/{today}.md").write_text(f"# {today}\n\n- We decided to paint the shed.\n")
    copies = ("memory", "promote", "--apply"), ("memory", "compact", "--apply")
    for command in (("capture",), *copies):  # neither of these decides that journals leave
        assert run(*command).code == 0
        assert run("run", "memory-compactor", "--apply").code == 0
        (item,) = run("inbox", "--json").json
        assert "1 journal to 1 archive" in item["title"]
        assert "proposed by memory-compactor" in run("digest").out
        assert (tmp_path / "own/memory/2025-01-05.md").exists()
    assert run("accept", item["id"], terminal=True, stdin=b"y\n").code == 0
    assert "Ann wants" in (tmp_path / "own/memory/archive/chronicles/2025-January.md").read_text()
    assert not (tmp_path / "own/memory/2025-01-05.md").exists()
