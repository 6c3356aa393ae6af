"""`clawgit digest` shows, and with `--send` delivers."""

from collections.abc import Callable
from pathlib import Path

import pytest

PARTS = {"waiting", "identity", "memories", "corrections", "conflicts", "removals", "cost"}


@pytest.fixture(autouse=True)
def no_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAWGIT_WEBHOOK_URL", raising=False)


def test_it_shows_and_touches_nothing(call: Callable, photograph: Callable) -> None:
    call("memory", "add", "Chose REST over GraphQL.")
    before = photograph()
    answer = call("digest")
    assert answer.code == 0
    assert answer.err.startswith("note: no runner is at work here: no digest is sent by itself")
    assert "\n- Chose REST over GraphQL. (knowledge, " in answer.out
    assert photograph() == before


def test_its_document_has_every_part_and_the_text(call: Callable) -> None:
    call("memory", "add", "Chose REST over GraphQL.")
    document = call("digest", "--json").json
    assert PARTS | {"id", "since", "until", "head", "empty", "unquoted", "text", "delivery"} <= set(document)
    assert document["text"] == call("digest").out
    assert (document["empty"], document["delivery"]) == (False, None)


def test_sent_without_a_channel_it_is_kept_and_the_next_one_is_empty(call: Callable, space: Path) -> None:
    call("memory", "add", "Chose REST over GraphQL.")
    first = call("digest", "--send", "--json").json["delivery"]
    assert first["outcome"] == "kept"
    assert Path(first["file"]) == space / ".git/clawgit/digest.md"
    assert "nothing is sent" in call("digest", "--send").out
    assert call("digest", "--json").json["empty"]
    assert not call("digest", "--since", "2001-01-01", "--json").json["empty"]


@pytest.mark.parametrize("since", [(), ("--since", "2001-01-01", "--send")])
def test_what_waits_no_longer_is_in_the_document_and_in_its_text(
    since: tuple[str, ...], call: Callable, space: Path
) -> None:
    soul = (space / "SOUL.md").read_text("utf-8")
    (space / "SOUL.md").write_text("# Soul\n", "utf-8")
    call("capture")
    call("digest", "--send")
    (space / "SOUL.md").write_text(soul, "utf-8")
    call("capture")
    document = call("digest", *since, "--json").json
    assert document["settled"]
    assert all("SOUL.md " in settled for settled in document["settled"])
    assert "## No longer waiting" in document["text"]


def test_a_webhook_that_is_not_there_is_a_warning(call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setenv("CLAWGIT_WEBHOOK_URL", "http://127.0.0.1:9/hooks/KEY")
    monkeypatch.setattr("clawgit.findings.digest_delivery.send.__kwdefaults__", {"sleep": lambda _: None})
    call("memory", "add", "Chose REST over GraphQL.")
    answer = call("digest", "--send")
    assert (answer.code, answer.out) == (0, "")
    refused = "127.0.0.1:9 cannot be reached (Connection refused)"
    assert answer.err.startswith(f"warning: {refused}; the next digest tells it")
    assert "KEY" not in answer.err


CASES_OF_A_DATE_THAT_IS_NONE_ = [
    "soon",
    "",
    "2026-13-01",
    "-1",
]


def test_a_date_that_is_none_is_mistyped(call: Callable) -> None:
    for since in CASES_OF_A_DATE_THAT_IS_NONE_:
        answer = call("digest", f"--since={since}")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.endswith("fix: clawgit digest --since 'last week'\n")
