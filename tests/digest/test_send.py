"""A digest is sent once, retried where it was refused, and what fails costs a note."""

import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit.errors import BusyError, ClawgitError, Command
from clawgit.findings import digest as digests
from clawgit.findings import digest_delivery
from clawgit.findings.digest_delivery import Delivery
from clawgit.store.database import StateStore
from clawgit.workspace import trust_review

from .hook import hangs, listening
from .space import Space, items

NOTHING = {"CLAWGIT_WEBHOOK_URL": ""}


def deliver(space: Space, environ: dict[str, str], pauses: list[float] | None = None) -> Delivery:
    space.now += timedelta(minutes=1)
    ws = space.ws
    return digest_delivery.send(
        ws, digests.since_last(ws, space.now), environ, sleep=(pauses if pauses is not None else []).append
    )


def by_command(space: Space, script: str, *words: str) -> None:
    """Have the operator set a command, and trust it."""
    program = space.root.parent / "program.py"
    program.write_text(script)
    config = json.dumps([sys.executable, str(program), *words])
    space.write("CONFIG.md", space.text("CONFIG.md").replace("```yaml\n", f"```yaml\ndigest_command: {config}\n"))
    space.ws.trusted.approve({}, {"digest_command": json.loads(config)})


def test_a_webhook_gets_the_text_and_a_key_and_nothing_twice(space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    with listening(200) as hook:
        first = deliver(space, hook.environ)
        again = deliver(space, hook.environ)
        space.add("Rejected SOAP.")
        third = deliver(space, hook.environ)
    assert [first.outcome, again.outcome, third.outcome] == ["sent", "empty", "sent"]
    (one, key), (other, other_key) = hook.posts
    assert set(one) == {"text"}
    assert "Chose REST" in one["text"]
    assert "Chose REST" not in other["text"]
    assert "Rejected SOAP" in other["text"]
    assert (key, other_key) == (first.id, third.id)
    assert "KEY-0001" not in first.words


def test_what_is_refused_is_tried_again_with_longer_pauses_and_the_same_key(space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    pauses: list[float] = []
    with listening(500, 503, 200) as hook:
        done = deliver(space, hook.environ, pauses)
    assert done.outcome == "sent"
    assert pauses == [1.0, 2.0]
    assert len({key for _, key in hook.posts}) == 1
    assert sum(hook.taken.values()) == 1


@pytest.mark.parametrize(("status", "posts"), [(429, 4), (401, 1)])
def test_a_channel_that_refuses_costs_a_note_and_the_next_digest_tells_it(
    status: int, posts: int, space: Space
) -> None:
    space.add("Chose REST over GraphQL.")
    with listening(status) as hook:
        done = deliver(space, hook.environ)
        assert (done.outcome, len(hook.posts)) == ("refused", posts)
        assert f"answered {status}" in done.words
    assert "Chose REST" in Path(done.file).read_text()
    with listening(200) as hook:
        assert deliver(space, hook.environ).outcome == "sent"
    assert "Chose REST" in hook.posts[0][0]["text"]


def test_a_webhook_that_hangs_is_asked_once_and_the_next_digest_says_so(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it arrived nobody knows: to send it again could tell it twice."""
    monkeypatch.setattr(digest_delivery, "MAX_ATTEMPT_SECONDS", 0.3)
    space.add("Chose REST over GraphQL.")
    with listening(hangs) as hook:
        done = deliver(space, hook.environ)
        assert (done.outcome, len(hook.posts)) == ("unsure", 1)
    monkeypatch.undo()
    found = digests.since_last(space.ws, space.now)
    (lost,) = [one for one in found.parts[0].items if "may not have arrived" in one.text]
    assert "Chose REST" not in items(found, "memories")
    assert lost.command.startswith("clawgit digest --since 2098-02-13T09:")
    with listening(200) as hook:
        assert deliver(space, hook.environ).outcome == "sent"
        assert "may not have arrived" in hook.posts[0][0]["text"]
        assert deliver(space, hook.environ).outcome == "empty"


def test_what_waits_since_an_earlier_digest_is_one_item_with_its_day(space: Space) -> None:
    """A thing that came since stands before it, whole; what was decided is told no more."""
    space.put("memory/link.md", "- ours\n")
    (space.root / "memory/link.md").unlink()
    (space.root / "memory/link.md").symlink_to("elsewhere.md")
    (first,) = items(space.digest(), "waiting")
    with listening(200) as hook:
        deliver(space, hook.environ)
        space.now += timedelta(days=7)
        space.put("memory/second.md", "<<<<<<< ours\n- one\n=======\n- two\n>>>>>>> theirs\n")
        deliver(space, hook.environ)
        space.now += timedelta(days=7)
        (space.root / "memory/link.md").unlink()
        space.add("Chose REST over GraphQL.")
        deliver(space, hook.environ)
    second, third = (" ".join(post[0]["text"].split()) for post in hook.posts[1:])
    assert f"- 1 thing waits that earlier digests told {first} (since 2098-02-14) `clawgit status`" in second
    assert second.index("memory/second.md") < second.index("- 1 thing waits")
    assert first in third.partition("## No longer waiting")[2]


def test_history_that_was_written_anew_is_not_told_again(space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    with listening(200) as hook:
        deliver(space, hook.environ)
        space.git("commit", "--quiet", "--amend", "--no-edit", GIT_COMMITTER_DATE=space.now.isoformat())
        space.now += timedelta(days=1)
        assert deliver(space, hook.environ).outcome == "empty"
        space.add("Rejected SOAP.")
        assert deliver(space, hook.environ).outcome == "sent"
    assert "Chose REST" not in hook.posts[1][0]["text"]


def test_without_a_channel_it_lies_in_a_file_and_the_changelog_is_rendered(space: Space) -> None:
    """Covers P16: else the operator looks into CHANGELOG.md."""
    space.edit("The answer first.", "SOUL.md#L5")
    done = deliver(space, NOTHING)
    assert done.outcome == "kept"
    assert "The answer first." in Path(done.file).read_text()
    assert Path(done.file).stat().st_mode & 0o077 == 0
    assert "The answer first" in space.text("CHANGELOG.md")
    assert deliver(space, NOTHING).outcome == "empty"


def test_a_command_gets_the_text_on_stdin_or_in_its_arguments(space: Space) -> None:
    out = space.root.parent / "out.json"
    by_command(
        space,
        f"import json, os, sys; json.dump([sys.stdin.read(), sys.argv[1:], os.environ['CLAWGIT_DIGEST_ID']],"
        f" open({str(out)!r}, 'w'))",
        "--message",
        "{text}",
    )
    space.add("Chose REST over GraphQL.")
    with listening(200) as hook:
        done = deliver(space, hook.environ | {"PATH": "/usr/bin:/bin"})
    text, arguments, name = json.loads(out.read_text())
    assert (done.outcome, hook.posts, name) == ("sent", [], done.id)
    assert "Chose REST" in text
    assert arguments == ["--message", text]


@pytest.mark.parametrize(
    ("script", "outcome"),
    [("import sys; sys.exit(3)", "refused"), ("import os; os.kill(os.getpid(), 9)", "unsure")],
)
def test_a_command_that_fails_costs_a_note(script: str, outcome: str, space: Space) -> None:
    by_command(space, script)
    space.add("Chose REST over GraphQL.")
    done = deliver(space, {})
    assert done.outcome == outcome
    assert "Chose REST" in Path(done.file).read_text()


def test_a_command_that_nobody_trusts_is_not_run(space: Space) -> None:
    out = space.root.parent / "ran"
    config = json.dumps(["touch", str(out)])
    space.write("CONFIG.md", space.text("CONFIG.md").replace("```yaml\n", f"```yaml\ndigest_command: {config}\n"))
    assert deliver(space, {"PATH": "/usr/bin:/bin"}).outcome == "kept"
    assert not out.exists()


def test_a_trusted_command_whose_script_was_rewritten_is_not_run_and_told(space: Space) -> None:
    ran = space.root.parent / "ran"
    space.write("tools/send.py", "print()\n")
    config = json.dumps([sys.executable, str(space.root / "tools/send.py")])
    space.write("CONFIG.md", space.text("CONFIG.md").replace("```yaml\n", f"```yaml\ndigest_command: {config}\n"))
    trust_review.accept(space.ws, trust_review.review(space.ws))
    space.add("Chose REST over GraphQL.")
    assert deliver(space, {}).outcome == "sent"
    space.write("tools/send.py", f"open({str(ran)!r}, 'w')\n")
    space.add("Chose Postgres over MySQL.")
    done = deliver(space, {})
    assert (done.outcome, "digest_command is not as you approved it" in done.words) == ("kept", True)
    assert not ran.exists()
    (item,) = [one for one in space.digest().parts[0].items if "digest_command" in one.text]
    assert item.command == "clawgit trust"


@pytest.mark.parametrize("url", ["http://", "http://me:pw@host/x"])
def test_an_address_that_is_none_is_refused_without_showing_it(url: str, space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    with pytest.raises(ClawgitError) as caught:
        deliver(space, {"CLAWGIT_WEBHOOK_URL": url})
    assert url not in str(caught.value)
    assert "CLAWGIT_WEBHOOK_URL" in caught.value.message
    assert digest_delivery.notes(space.ws.store) == {}


def test_where_nothing_can_be_noted_nothing_is_sent(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    space.add("Chose REST over GraphQL.")

    def refuse(*_: object) -> None:
        raise ClawgitError("disk-full", "no space left", fix=Command("df -h"))

    monkeypatch.setattr(StateStore, "append_rows", refuse)
    with listening(200) as hook, pytest.raises(ClawgitError):
        deliver(space, hook.environ)
    assert hook.posts == []


def test_two_at_once_send_one(space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    refused: list[Exception] = []

    def meanwhile(_: object) -> int:
        with pytest.raises(BusyError) as caught:
            digest_delivery.send(space.ws, digests.since_last(space.ws, space.now), hook.environ)
        refused.append(caught.value)
        return 200

    with listening(meanwhile) as hook:
        assert deliver(space, hook.environ).outcome == "sent"
    assert (len(refused), len(hook.posts)) == (1, 1)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
