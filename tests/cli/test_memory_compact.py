"""`clawgit memory compact`, and the memory compactor by `clawgit run`."""

import pytest

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
    shown = call("memory", "compact")
    assert [line.split() for line in shown.out.splitlines()[1:4]] == [
        ["memory/2025-02-03.md", "2025-02-03", "memory/archive/2025-Q1.md"],
        ["memory/2025-02-04-vendor.md", "2025-02-04", "memory/archive/2025-Q1.md"],
        ["memory/2025-05-06.md", "2025-05-06", "memory/archive/2025-Q2.md"],
    ]
    assert "clawgit memory compact --apply" in shown.err
    assert photograph() == before
    assert call("memory", "compact", "--apply").out.count("undo: clawgit undo") == 2
    text = (days / "archive/2025-Q1.md").read_text()
    assert text.index("# 2025-02-03\n\n- Met Ana at 9.\n") < text.index("- Zoë signed for 4,200 EUR.\n")
    assert all((days / f"{name}.md").exists() for name in OLD)
    assert call("memory", "compact", "--apply", "--json").json["committed"] == []
    done = call("memory", "compact", "--apply", "--remove", "--json").json
    assert [one["subject"] for one in done["committed"]] == [
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


def test_the_compactor_is_an_agent_like_the_others(call, days):
    shown = call("run", "memory-compactor")
    assert "+# 2025-02-" in shown.out.replace("+ ", "+")
    assert "memory: chronicle of February 2025, 2 days" in shown.out
    assert (days / "2025-02-03.md").exists()
    done = call("run", "memory-compactor", "--apply")
    assert "memory: chronicle of February 2025, 2 days" in done.out
    assert "Met Ana at 9." in (days / "archive/chronicles/2025-February.md").read_text()
    assert call("run", "memory-compactor", "--apply", "--json").json["proposed"] == []
    assert "memory-compactor" in call("run", "--list").out


def test_compaction_that_is_off_only_shows(call, days):
    assert call("config", "compaction", "off").code == 0
    assert "clawgit config compaction chronicle" in call("memory", "compact").err
    assert "2025-February" in call("run", "memory-compactor").out
    done = call("run", "memory-compactor", "--apply")
    assert "clawgit config compaction chronicle" in done.err
    assert (days / "2025-02-03.md").exists()
