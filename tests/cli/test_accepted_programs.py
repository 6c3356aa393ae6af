"""The operator lets git run a filter of the repository's own, by name."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.cli import operator_input


@pytest.fixture
def ran(space: Path, inside: Callable, tmp_path: Path) -> Path:
    """A workspace with a filtered file, stored by git itself; the file that shows that the filter ran."""
    ran = tmp_path / "ran"
    program = tmp_path / "rot"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ntr 'a-zA-Z' 'n-za-mN-ZA-M'\n")
    program.chmod(0o755)
    for kind in ("clean", "smudge"):
        inside("config", f"filter.rot.{kind}", str(program))
    inside("config", "filter.other.clean", f"touch {tmp_path}/evil; cat")
    inside("config", "filter.rot.required", "true")
    (space / ".gitattributes").write_text("*.bin filter=rot\nmemory/private.md filter=rot\n")
    for name in ("a.bin", "memory/private.md"):
        (space / name).parent.mkdir(exist_ok=True)
        (space / name).write_text("hidden\n")
    inside("add", "a.bin", "memory/private.md", ".gitattributes")
    inside("commit", "-qm", "filtered")
    inside("config", "core.fsmonitor", f"touch {tmp_path}/evil")
    for name in ("a.bin", "memory/private.md"):
        os.utime(space / name, (1, 1))  # git has to look at them again
    ran.unlink()
    (tmp_path / "evil").unlink(missing_ok=True)
    return ran


def answers(monkeypatch: pytest.MonkeyPatch, *said: bool, ran: Path | None = None) -> list[str]:
    """Have the operator sit at a terminal and say these; returns what he was asked. Meanwhile `ran` is not there."""
    asked: list[str] = []
    given = iter(said)

    def agreed(_: object, question: str) -> bool:
        assert ran is None or not ran.exists()
        asked.append(question)
        return next(given)

    monkeypatch.setattr(operator_input, "agreed", agreed)
    return asked


def test_every_command_is_shown_and_asked_for_by_its_filter(
    call: Callable, ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(monkeypatch, True, False, True, ran=ran)
    answer = call("trust", terminal=True)
    assert (answer.code, asked) == (
        0,
        [
            "Approve all of it?",
            "Let git run filter.other in this workspace?",
            "Let git run filter.rot in this workspace?",
        ],
    )
    words = " ".join(answer.out.split())
    assert f"filter.rot.clean {tmp_path}/rot" in words
    assert f"filter.other.clean touch {tmp_path}/evil; cat" in words
    found = call("status", "--json").json
    assert ran.exists()
    assert not (tmp_path / "evil").exists()
    assert (found["dirty"], found["not_kept"]["unknown"], found["not_kept"]["changed"]) == ([], 0, 0)
    assert [one["path"] for one in found["untrusted"]] == ["filter.other"]


def test_without_a_terminal_nothing_is_accepted(call: Callable, ran: Path, space: Path) -> None:
    shown = call("trust", "--json")
    assert (shown.code, [one["key"] for one in shown.json["programs"]]) == (
        3,
        ["filter.other.clean", "filter.rot.clean", "filter.rot.smudge"],
    )
    refused = call("trust", "--hash", shown.json["hash"])
    assert (refused.code, "at a terminal only" in refused.err) == (1, True)
    call("status")
    assert not ran.exists()
    assert call("trust", "--hash", shown.json["hash"], terminal=True).code == 0
    call("status")
    assert ran.exists()


def test_a_filtered_file_is_never_committed_as_it_stands_on_disk(
    call: Callable, ran: Path, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off, nobody knows; on, it is known to differ, and git alone stores it right."""
    head = inside("rev-parse", "HEAD")
    (space / "memory/private.md").write_text("changed by somebody\n")
    assert call("capture").code == 0
    assert call("status", "--json").json["not_kept"]["unknown"] == 2
    answers(monkeypatch, False, False, True)
    assert call("trust", terminal=True).code == 0
    done = call("capture", "--json").json
    assert [one["path"] for one in done["held"]] == ["memory/private.md"]
    assert inside("rev-parse", "HEAD") == head


def test_adopting_asks_too(
    call: Callable, ran: Path, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("eject", "--yes").code == 0
    told = call("adopt", "--dry-run")
    assert "filter.rot.smudge" in told.out
    assert [one["key"] for one in call("adopt", "--dry-run", "--json").json["programs"]] == [
        "filter.other.clean",
        "filter.rot.clean",
        "filter.rot.smudge",
    ]
    asked = answers(monkeypatch, False, True)
    answer = call("adopt", terminal=True)
    assert (answer.code, len(asked), "clawgit trust" in answer.err) == (0, 2, True)
    assert call("status", "--json").json["not_kept"]["unknown"] == 0
    assert ran.exists()
