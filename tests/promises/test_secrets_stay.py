"""A secret does not get into memory, and does not leave the machine."""

from pathlib import Path

import pytest

from tests.promises.desk import Desk

MUTATION = (
    "workspace/file_contents.py",
    "    new = [finding for finding in new_secrets(path, before, after) if finding.fingerprint not in leaked]",
    "    new: list[Finding] = []",
)

KEY = "AKIA" + "QYLPMN5HHHFPZAM2"
TOKEN = "ghp_" + "x7Kq2mVt9LwR4bNz8JhYc3DfGs6PaQe1UvXo"


@pytest.mark.parametrize("secret", [KEY, TOKEN], ids=["aws", "github"])
@pytest.mark.parametrize(
    "write", [("remember",), ("journal", "add"), ("soul", "edit", "--section", "Core", "--why", "Asked for.", "--add")]
)
def test_no_write_of_clawgits_takes_one(desk: Desk, write: tuple[str, ...], secret: str) -> None:
    answer = desk.refuse(*write, f"The key is {secret}.", key="secret-found")
    assert secret not in answer.out + answer.err


def test_one_that_stands_in_a_file_is_not_written_there_once_more(desk: Desk) -> None:
    desk.append("SOUL.md", f"- The key of the vault is {KEY}.\n")
    desk.commit()
    desk.run("trust", terminal="y\n")
    words = ("--add", f"Use {KEY} with care.", "--section", "Core", "--why", "Asked for.")
    desk.refuse("soul", "edit", *words, key="secret-found")
    assert desk.read("SOUL.md").count(KEY) == 1


def test_an_edit_with_one_is_kept_and_named_without_it(desk: Desk) -> None:
    desk.append("memory/garden.md", f"- The key is {KEY}.\n")
    answer = desk.call("capture")
    assert KEY in desk.read("memory/garden.md")
    assert KEY not in desk.git("log", "--all", "--format=%B", "-p")
    assert KEY not in answer.out + answer.err
    status = desk.call("status")
    assert KEY not in status.out
    assert any("memory/garden.md" in str(alarm) for alarm in status.document["alarms"])


TOKEN_FILES = {
    "file": f"- The key is {TOKEN}.\n".encode(),
    "binary": b"a\0\n\0" + TOKEN.encode() + b"\n",
    "utf-16": f"my token is {TOKEN} here\n".encode("utf-16"),
}


TOKEN_STEPS = {
    "submodule": f"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),kb-{TOKEN}",
    "file that became a link": f"ln -sfn /srv/{TOKEN} memory/garden.md && git add memory/garden.md",
}


@pytest.mark.parametrize("place", [*TOKEN_FILES, *TOKEN_STEPS, "message", "branch"])
def test_no_push_takes_one_out(desk: Desk, tmp_path: Path, place: str) -> None:
    remote = tmp_path / "remote.git"
    desk.git("init", "--quiet", "--bare", str(remote))
    desk.git("remote", "add", "origin", str(remote))
    desk.run("hooks", "install")
    desk.write("memory/key.txt", TOKEN_FILES.get(place, b"- The key is green.\n"))
    desk.git("add", "-A")
    desk.shell(TOKEN_STEPS.get(place, "true"))
    desk.git("commit", "--quiet", "--no-verify", "-m", TOKEN if place == "message" else "by hand")
    branch = f"topic-{TOKEN}" if place == "branch" else "main"
    desk.shell(f"git push --quiet origin main:{branch}", code=1)
    assert desk.git("ls-remote", str(remote)) == ""


def test_searches_and_contexts_name_it_without_its_letters(desk: Desk) -> None:
    desk.append("memory/garden.md", f"- The gate key is {KEY}.\n")
    desk.commit()
    desk.run("capture")
    assert KEY not in desk.call("search", "gate key").out + desk.call("context", "gate key").out


def test_a_purge_takes_it_out_of_all_history(desk: Desk) -> None:
    desk.append("memory/garden.md", f"- The gate key is {KEY}.\n")
    desk.commit()
    hose = "- The hose is blue.\n"
    desk.append("memory/garden.md", hose)
    desk.commit()
    preview = desk.run("purge", "--text", "-", stdin=KEY)
    assert KEY in desk.read("memory/garden.md")
    desk.run("purge", "--text", "-", "--apply", "--hash", preview["hash"], stdin=KEY)
    assert desk.run("status").get("unread_commits", 0) == 0
    assert KEY not in desk.read("memory/garden.md")
    assert KEY not in desk.git("log", "--all", "--reflog", "--format=%B", "-p")
    assert not any(record["claimed"] for record in desk.run("log")), "clawgit's own commits have new ids"
    assert hose in desk.read("memory/garden.md")
