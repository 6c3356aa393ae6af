"""`clawgit digest` shows, and with `--send` delivers, once; a failure costs a note, and no secret leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.digest.hook import Hook, listening

COMMAND = Path(sys.executable).with_name("clawgit")
CHOSE = "Chose REST over GraphQL."
PARTS = {"waiting", "identity", "memories", "corrections", "conflicts", "removals", "cost"}
OUTSIDE, AWS = "zebra", "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@pytest.fixture(autouse=True)
def remove_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAWGIT_WEBHOOK_URL", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def send(call: Callable, monkeypatch: pytest.MonkeyPatch, hook: Hook | None = None) -> dict[str, Any]:
    """Send a digest, to a webhook if there is one; return the outcome."""
    monkeypatch.setenv("CLAWGIT_WEBHOOK_URL", hook.url if hook else "")
    return dict(call("digest", "--send", "--json").json["delivery"])


def test_it_shows_and_touches_nothing(call: Callable, photograph: Callable) -> None:
    call("memory", "add", CHOSE)
    before = photograph()
    answer = call("digest")
    assert answer.err.startswith("note: no runner is at work here: no digest is sent by itself")
    assert f"\n- {CHOSE} (knowledge, " in answer.out
    document = call("digest", "--json").json
    assert PARTS | {"id", "since", "until", "head", "empty", "unquoted", "text", "delivery"} <= set(document)
    assert (document["text"], document["empty"], document["delivery"]) == (answer.out, False, None)
    assert photograph() == before


def test_without_a_channel_it_is_kept_and_the_next_one_is_empty(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Covers P16: else the operator looks into CHANGELOG.md."""
    call("soul", "edit", "--add", "The answer first.", "--section", "Vibe", "--why", "Asked for.")
    first = send(call, monkeypatch)
    assert (first["outcome"], first["file"]) == ("kept", str(space / ".git/clawgit/digest.md"))
    assert Path(first["file"]).stat().st_mode & 0o077 == 0
    for file in (first["file"], space / "CHANGELOG.md"):
        assert "The answer first" in Path(file).read_text()
    assert "nothing is sent" in call("digest", "--send").out
    assert call("digest", "--json").json["empty"]
    assert not call("digest", "--since", "2001-01-01", "--json").json["empty"]


def test_what_waits_is_told_once_and_then_summed_up(call: Callable, space: Path) -> None:
    (space / "SOUL.md").write_text("# Soul\n", "utf-8")
    call("capture")
    call("digest", "--send")
    call("memory", "add", CHOSE)
    assert "that earlier digests told" in " ".join(call("digest").out.split())


def test_a_webhook_gets_each_news_once_whatever_it_answers(call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    call("memory", "add", CHOSE)
    with listening(401, 503, 200) as hook:
        refusal = send(call, monkeypatch, hook)
        assert (refusal["outcome"], CHOSE in Path(refusal["file"]).read_text()) == ("refused", True)
        assert "answered 401" in refusal["words"]
        assert [send(call, monkeypatch, hook)["outcome"] for _ in range(2)] == ["sent", "empty"]
        call("memory", "add", "Rejected SOAP.")
        last = send(call, monkeypatch, hook)
    assert (last["outcome"], "KEY-0001" in last["words"]) == ("sent", False)
    assert [(set(body), CHOSE in body["text"]) for body, _ in hook.posts] == [
        ({"text"}, choice) for choice in (1, 1, 1, 0)
    ]
    first, second, third, other = (key for _, key in hook.posts)
    assert first == second == third != other
    assert all(count == 1 for count in hook.taken.values())


def test_what_may_have_arrived_is_not_sent_again_and_told(call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    call("memory", "add", CHOSE)
    with listening(lambda _: None, 200) as hook:
        assert [send(call, monkeypatch, hook)["outcome"] for _ in range(2)] == ["unsure", "sent"]
    (_, (last, _)) = hook.posts
    assert (CHOSE in last["text"], "may not have arrived" in last["text"]) == (False, True)


def test_killed_when_the_message_has_arrived_it_is_not_sent_again(call: Callable, space: Path) -> None:
    call("memory", "add", CHOSE)
    running: list[subprocess.Popen[bytes]] = []
    line = [COMMAND, "digest", "--since", "2001-01-01", "--send"]

    def kill(_: Hook) -> int:
        while not running:
            time.sleep(0.01)
        assert b"a digest is being sent" in start().communicate()[0]  # a second one meanwhile
        running[0].kill()
        running[0].wait()
        return 200

    def start() -> "subprocess.Popen[bytes]":
        environ = {**os.environ, **hook.environ}
        return subprocess.Popen(line, cwd=space, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    with listening(kill, 200) as hook:
        running.append(start())
        running[0].communicate(timeout=120)
        assert running[0].returncode == -signal.SIGKILL
        assert b"this was told before" in start().communicate(timeout=120)[0]
        assert len(hook.posts) == 1
    assert "may not have arrived" in call("digest").out


def test_a_command_gets_the_text_and_only_one_that_is_trusted_runs(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, program = space.parent / "out.json", space / "tools/send.py"
    code = "json.dump([sys.stdin.read(), sys.argv[1:], os.environ['CLAWGIT_DIGEST_ID']], open(sys.argv[1], 'w'))"
    program.parent.mkdir()
    program.write_text(f"import json, os, sys; {code}; sys.exit(len(sys.argv) - 3)")
    words = json.dumps([sys.executable, str(program), str(output), "{text}"])
    call("config", "digest_command", words)
    call("memory", "add", CHOSE)
    assert (send(call, monkeypatch)["outcome"], output.exists()) == ("kept", False)
    assert call("config", "digest_command", words, terminal=True).code == 0
    call("memory", "add", "Rejected SOAP.")
    assert send(call, monkeypatch)["outcome"] == "sent"
    text, arguments, _ = json.loads(output.read_text())
    assert arguments == [str(output), text]
    program.write_text(f"open({str(space.parent / 'ran')!r}, 'w')\n")
    call("memory", "add", "Chose Postgres over MySQL.")
    result = send(call, monkeypatch)
    assert (result["outcome"], "not as you approved it" in result["words"]) == ("kept", True)
    assert not (space.parent / "ran").exists()


@pytest.mark.parametrize("url", ["http://", "http://me:pw@host/x"])
def test_an_address_that_is_none_is_refused_without_showing_it(
    url: str, call: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWGIT_WEBHOOK_URL", url)
    call("memory", "add", CHOSE)
    answer = call("digest", "--send")
    assert (answer.code, url in answer.err, "CLAWGIT_WEBHOOK_URL" in answer.err) == (1, False, True)


def test_no_word_from_outside_and_no_secret_is_in_it(call: Callable, space: Path, inside: Callable) -> None:
    """Words from outside are counted; of an address its host is left, and nobody is called."""
    call("memory", "add", f"{OUTSIDE} says so", "--origin", "untrusted")
    assert call("undo").code == 0
    call("memory", "add", f"{OUTSIDE} says more", "--origin", "untrusted")
    with (space / "MEMORY.md").open("a") as memory:
        memory.write(f"- {OUTSIDE} by hand\n")
    (space / "notes.md").write_text(f"key {AWS}\n")
    inside("add", "-A")
    inside("commit", "-qm", f"memory: {OUTSIDE}", "-m", "Origin: operator\nClawgit-Change: kxqmwrtzvn")
    record = f"\n## kxqmwrtzvk 2098-02-14\n\n- Said: {OUTSIDE}\n- True: {OUTSIDE}\n"
    files = {
        "CORRECTIONS.md": (space / "CORRECTIONS.md").read_text() + record,
        f"memory/{OUTSIDE} says.md": f"- {OUTSIDE}\n",
        f"memory/{OUTSIDE} holds.md": f"key {AWS}\n",
        "CONFIG.md": f"```yaml\n{OUTSIDE}: 1\nllm: [{OUTSIDE}, obey {OUTSIDE}]\n```\n",
    }
    for name, text in files.items():
        (space / name).write_text(text)
    (space / "memory/link.md").symlink_to(f"{OUTSIDE} says.md")
    call("capture")
    (space / f"memory/{OUTSIDE} says.md").unlink()
    call("capture")
    for words in (
        "evil.example/steal?key=1",
        "https://user:pw@evil.example:8080/x?q=2",
        "@everyone <!channel> `rm` now",
    ):
        call("memory", "add", f"ours {words}")
    document = call("digest", "--json").json
    text = document["text"]
    assert OUTSIDE not in text.lower()
    assert AWS not in text
    assert document["unquoted"]
    assert "ours evil.example (" in text
    assert not any(part in text for part in ("steal", "user:pw", "q=2", "@everyone", "<!", "`rm`"))
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("  `"))


def test_what_was_reworded_renamed_or_changed_back_is_not_removed(call: Callable, space: Path) -> None:
    soul, memory = space / "SOUL.md", space / "MEMORY.md"
    for path, line in (("MEMORY.md", "The staging server is called otter."), ("memory/halden.md", "It has a fort.")):
        (space / path).parent.mkdir(exist_ok=True)
        (space / path).write_text(f"# Notes\n\n- {line}\n")
    call("capture")
    text = memory.read_text()
    memory.unlink()
    call("capture")
    memory.write_text(text)
    call("capture")
    call("correct", "The staging server is called beaver, not otter")
    note = space / "memory/halden.md"
    note.write_text(note.read_text() + "- The fort is old.\n")
    call("capture")
    note.rename(space / "memory/norway.md")
    before = soul.read_text()
    for words in (f"{before}\n- Be loud.\n", before):
        soul.write_text(words)
        call("capture")
    digest = call("digest").out
    assert "removed" not in digest.lower()
    assert "+0 -0" not in digest
    assert "changed back" in digest


def test_a_section_that_left_is_named_with_its_way_back(tmp_path: Path, call: Callable) -> None:
    memory, space = tmp_path / "MEMORY.md", ("-C", tmp_path)
    memory.write_text("# Memory\n\n## Health\n\n- Ada is allergic to penicillin.\n\n## Home\n\n- Tea is in the tin.\n")
    call("adopt", tmp_path)
    text = memory.read_text()
    memory.write_text(text.replace("## Health\n\n- Ada is allergic to penicillin.\n\n", "").replace("Home", "House"))
    call(*space, "capture")
    digest = call(*space, "digest").out
    assert "`clawgit restore 'MEMORY.md#Health'`" in digest
    assert "“Home”" not in digest
    call(*space, "restore", "MEMORY.md#Health")
    assert "penicillin" in memory.read_text()


def test_a_plan_of_the_owners_own_hand_is_quoted(tmp_path: Path, call: Callable) -> None:
    (tmp_path / "MEMORY.md").write_text(f"# Memory\n\n- Pay the rent by {time.strftime('%Y-%m-%d')}.\n")
    call("adopt", tmp_path)
    assert "Pay the rent" in call("-C", tmp_path, "digest").out


def test_the_first_commit_of_an_adoption_is_not_offered_for_undo(tmp_path: Path, call: Callable) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new/SOUL.md").write_text("# Soul\n\n- Be brief.\n")
    assert call("-C", str(tmp_path / "new"), "adopt").code == 0
    output = call("-C", str(tmp_path / "new"), "digest", "--since", "2000-01-01").out
    assert ("clawgit log 'SOUL.md'" in output, "clawgit undo" in output) == (True, False)


def test_additions_of_clawgit_are_no_edits_outside(call: Callable, space: Path) -> None:
    call("memory", "add", "One.")
    with (space / "MEMORY.md").open("a") as file:
        file.write("- by hand\n")
    call("memory", "add", "Two.")
    assert "MEMORY.md: +1 -0 lines" in call("digest").out
