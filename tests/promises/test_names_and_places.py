"""Names that no other disk can have, places that are not looked at, and files that are ours by their names."""

import contextlib
import json
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from tests.promises.desk import Desk
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = ("git/paths.py", "        if os.path.lexists(root / path):", "        if False:")

ODD = [
    "C:\\Users\\x\\plan.md",
    "\\\\server\\share\\plan.md",
    "d:notes.md",
    "..\\..\\plan.md",
    "memory/two\nlines.md",
    "memory/tab\t'quoted'!.md",
    "memory/garden \\plan.md",
    "memory/rooms. /plan.md",
    "memory/git~1/plan.md",
    "memory/caf\udce9.md",
    "memory/alt \udcfc/caf\udce9\x07.md",
]


def failing(desk: Desk) -> dict[str, str]:
    """Return the fix of each finding of doctor's, by its message."""
    return {row["message"]: row["fix"] for row in desk.call("doctor").document if not row["ok"] and row["fix"]}


def fixes(desk: Desk) -> set[str]:
    """Return every fix that doctor prints, also those of notices."""
    return {row["fix"] for row in desk.call("doctor").document if row["fix"]}


@pytest.mark.parametrize("name", ODD)
def test_a_name_that_cannot_be_committed_has_one_fix_that_leads_to_a_commit(desk: Desk, name: str) -> None:
    desk.write(name, "- a plan\n")
    (row,) = desk.run("capture")["held"]
    assert row["path"] == name
    assert row["fix"] in fixes(desk)
    assert "clawgit capture" not in fixes(desk)
    desk.shell(row["fix"])
    assert not (desk.root / name).exists()
    assert desk.run("capture")["held"] == []
    assert desk.git("status", "--porcelain") == ""
    assert "- a plan" in desk.git("grep", "-h", "a plan", "HEAD")


def test_such_a_name_that_no_capture_takes_ends_none(desk: Desk) -> None:
    desk.write("skills/\udce9/SKILL.md", "- a plan\n")
    desk.append("MEMORY.md", "- The tap drips.\n")
    assert desk.run("capture")["files"] == ["MEMORY.md"]
    desk.run("capture")


@pytest.mark.parametrize("name", ["C:\\Users\\x\\plan.md", "memory/two\nlines.md"])
def test_what_git_committed_under_such_a_name_gets_another_one(desk: Desk, name: str) -> None:
    desk.write(name, "- a plan\n")
    desk.commit()
    desk.append(name, "- more\n")
    (fix,) = {fix for fix in failing(desk).values() if fix.startswith("mv ")}
    desk.shell(fix)
    assert desk.run("capture")["held"] == []
    assert desk.git("status", "--porcelain") == ""
    assert not failing(desk)
    assert "C:" not in desk.git("ls-files")


def test_two_names_that_come_to_one_lose_no_file(desk: Desk) -> None:
    desk.write("memory/a\nb.md", "- one\n")
    desk.write("memory/a\tb.md", "- two\n")
    for _ in range(2):
        for row in desk.run("capture")["held"]:
            desk.shell(f"{row['fix']} || true")
    assert desk.run("capture")["held"] == []
    assert {"- one", "- two"} <= set(desk.git("grep", "-h", "-e", "- one", "-e", "- two", "HEAD").splitlines())


@pytest.mark.parametrize(("name", "fits"), [("C:\\x\\plan.md", False), (":C:\\x\\plan.md", True)])
def test_the_report_of_adopt_names_what_capture_leaves_out_and_no_other(tmp_path: Path, name: str, fits: bool) -> None:
    desk = Desk.raw(tmp_path / "ws")
    desk.write(name, "- a plan\n")
    report = desk.run("adopt", str(desk.root))
    paths = {row["path"] for row in report["report"]["findings"] if row["key"] == "path-absolute"}
    assert paths == (set() if fits else {name})
    assert {row["path"] for row in desk.run("capture")["held"]} == paths
    assert (name in desk.git("ls-files", "-z")) == fits


# names that are one file on other disks


@pytest.fixture
def pair(desk: Desk, tmp_path: Path) -> tuple[Desk, Desk]:
    """Return two machines of one workspace, that meet at a bare remote."""
    desk.git("init", "--quiet", "--bare", "-b", "main", str(tmp_path / "hub.git"))
    desk.git("remote", "add", "origin", str(tmp_path / "hub.git"))
    desk.run("sync")
    other = Desk(tmp_path / "other")
    desk.run("sync", "clone", str(tmp_path / "hub.git"), str(other.root))
    other.git("config", "user.name", "Ines")
    other.git("config", "user.email", "ines@example.org")
    return desk, other


TWINS = [
    ("memory/Ferns.md", "memory/ferns.md"),
    ("MEMORY.md", "memory.md"),
    ("memory/caf\u00e9.md", "memory/cafe\u0301.md"),
    ("memory/Garden.md", "memory/garden.md"),
]


@pytest.mark.parametrize(("name", "other"), TWINS)
def test_names_that_are_one_on_other_disks_are_named_until_one_has_another(desk: Desk, name: str, other: str) -> None:
    desk.write(name, "- one\n")
    desk.write(other, "- two\n")
    (alarm,) = [alarm for alarm in desk.run("capture")["alarms"] if set(alarm["paths"]) == {name, other}]
    assert alarm["fix"] in failing(desk).values()
    assert desk.run("capture")["alarms"] == []
    desk.shell(alarm["fix"])
    desk.run("capture")
    assert failing(desk) == {}
    assert desk.git("status", "--porcelain") == ""
    assert {"- one", "- two"} <= set(desk.git("grep", "-h", "-e", "- one", "-e", "- two", "HEAD").splitlines())


def test_folders_that_are_one_on_other_disks_are_named_once(desk: Desk) -> None:
    for path in ("memory/Pumps/a.md", "memory/pumps/b.md", "memory/pumps/c.md"):
        desk.write(path, f"- {path}\n")
    (alarm,) = desk.run("capture")["alarms"]
    assert list(failing(desk).values()) == [alarm["fix"]]
    desk.shell(alarm["fix"])
    desk.run("capture")
    assert failing(desk) == {}


def test_another_folder_of_the_name_gives_way_to_memory(desk: Desk) -> None:
    desk.write("Memory/a.md", "- one\n")
    desk.write("memory/b.md", "- two\n")
    desk.commit()
    (fix,) = failing(desk).values()
    desk.shell(fix)
    assert (desk.root / "memory/b.md").exists()


def test_the_fix_for_a_file_that_was_left_out_renames_a_file(pair: tuple[Desk, Desk]) -> None:
    mine, other = pair
    for desk, path in ((mine, "memory/notes.md"), (other, "Memory/notes.md")):
        desk.write(path, f"- {path}\n")
        desk.commit()
        desk.call("sync")
    mine.call("sync")
    (fix,) = (fix for fix in failing(mine).values() if "notes.md" in fix)
    mine.shell(fix)
    assert (mine.root / "memory").is_dir()


def test_one_that_git_committed_is_named_too(desk: Desk) -> None:
    desk.write("memory/Garden.md", "- one\n")
    desk.commit()
    assert [set(row["paths"]) for row in desk.run("capture")["alarms"]] == [{"memory/Garden.md", "memory/garden.md"}]


def test_a_rename_in_capitals_alone_is_none(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.git("mv", "memory/garden.md", "memory/Garden.md")
    first.commit()
    assert first.run("capture")["alarms"] == []
    assert failing(first) == {}
    first.run("sync")
    second.run("sync")
    assert (second.root / "memory/Garden.md").exists()
    assert not (second.root / "memory/garden.md").exists()


@pytest.mark.parametrize(("first_name", "other"), TWINS[::2])
@pytest.mark.parametrize("suffix", ["md", "txt"])
def test_a_sync_leaves_such_a_file_out_and_brings_the_rest(
    pair: tuple[Desk, Desk], first_name: str, other: str, suffix: str
) -> None:
    first_name, other = (f"{name.removesuffix('md')}{suffix}" for name in (first_name, other))
    first, second = pair
    first.write(first_name, "- one\n")
    first.append("MEMORY.md", "- The lamps are rated at 400 watts.\n")
    first.commit()
    second.write(other, "- two\n")
    second.commit()
    first.run("sync")
    document = second.run("sync", code=3)
    (problem,) = document["problems"]
    assert first_name in problem["message"]
    assert "400 watts" in second.read("MEMORY.md")
    for _ in range(2):
        first.call("sync")
        second.call("sync")
    for desk, has, lacks in ((first, first_name, other), (second, other, first_name)):
        assert (desk.root / has).exists()
        assert not (desk.root / lacks).exists()
        assert desk.git("status", "--porcelain") == ""
        assert desk.run("sync")["problems"] == []
    first.append(first_name, "- more\n")
    first.commit()
    first.run("sync")
    assert second.run("sync", code=3)["files"] == []
    second.shell(problem["fix"])
    if suffix != "md":  # no capture takes it
        second.commit()
    for _ in range(2):
        first.run("sync")
        second.run("sync")
    assert first.git("rev-parse", "HEAD^{tree}") == second.git("rev-parse", "HEAD^{tree}")
    assert second.read(first_name) == "- one\n- more\n"


def test_of_two_that_come_together_one_comes_in(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.write("memory/Ferns.md", "- one\n")
    first.write("memory/ferns.md", "- two\n")
    first.run("capture")
    first.run("sync")
    (problem,) = second.run("sync", code=3)["problems"]
    assert (second.root / "memory/Ferns.md").exists()
    assert not (second.root / "memory/ferns.md").exists()
    for _ in range(2):
        first.run("sync")
        second.run("sync")
    assert {"Ferns.md", "ferns.md"} <= {path.name for path in (first.root / "memory").iterdir()}
    first.git("mv", "memory/ferns.md", "memory/more-ferns.md")
    first.commit()
    for _ in range(2):
        first.run("sync")
        second.run("sync")
    assert second.read("memory/more-ferns.md") == "- two\n"
    assert first.git("rev-parse", "HEAD^{tree}") == second.git("rev-parse", "HEAD^{tree}")
    assert problem["fix"]


def test_a_rename_in_capitals_loses_no_line_that_came_meanwhile(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.git("mv", "memory/garden.md", "memory/Garden.md")
    first.commit()
    first.run("sync")
    second.append("memory/garden.md", "- The gate sticks.\n")
    second.commit()
    second.run("sync", code=3)
    first.call("sync")
    second.call("sync")
    assert "hose" in second.read("memory/garden.md")
    assert "gate sticks" in second.read("memory/garden.md")
    assert "hose" in first.read("memory/Garden.md")


# places that gitleaks does not look at

KEY = "ghp_" + "x7Kq2Lm9Pz4Rt8Wv1Yb6Nc3Df5Gh0Js7UaE2"
INSTALLED = [
    "node_modules/pkg/README.md",
    "tools/node_modules/@a/pkg/index.d.ts",
    "package-lock.json",
    "web/yarn.lock",
    "go.sum",
    "poetry.lock",
    "vendor/github.com/x/y/z.go",
    ".venv/lib/python3.11/site-packages/x.py",
    "docs/logo.svg",
    "skills/a/uv.lock",
    "web/conda-lock.yml",
    "vendor/foo/bar/README.md",
    "usr/lib/python3/dist-packages/foo/README.md",
    ".cargo/registry/src/x/README.md",
    "Pods/AFNetworking/README.md",
]
OWN = [
    "memory/node_modules/notes.md",
    "node_modules/agent/MEMORY.md",
    "vendor/bundle/memory/2026-01-20.md",
    "agents/kim/SOUL.md",
    "tools/build.py",
    "README.md",
    "node_modules.md",
    "docs/door-lock.md",
    "vendor/agent/USER.md",
    ".cargo/notes.md",
]


def alarms(desk: Desk) -> str:
    """Return everything that status, capture, doctor and a report of the workspace say of secrets."""
    outputs = [desk.call(*command.split()).out for command in ("capture", "status", "doctor", "adopt --dry-run")]
    return "".join(outputs)


@pytest.mark.parametrize("path", INSTALLED)
def test_installed_packages_and_lock_files_raise_no_alarm(desk: Desk, path: str) -> None:
    desk.write(path, f"token: {KEY}\n")
    desk.git("add", "--force", "--all")
    desk.commit()
    assert path not in alarms(desk)
    assert desk.call("doctor").code == 0


@pytest.mark.parametrize("path", OWN)
def test_memory_and_work_are_looked_at_wherever_they_are(desk: Desk, path: str) -> None:
    desk.write(path, f"token: {KEY}\n")
    desk.git("add", "--force", "--all")
    desk.commit()
    assert path in alarms(desk)


def test_an_ignored_file_is_named_beside_a_folder_that_is_a_link(desk: Desk, tmp_path: Path) -> None:
    desk.write(".gitignore", "USER.md\n")
    desk.git("rm", "-q", "--cached", "USER.md")
    desk.git("commit", "-qam", "by hand")
    (desk.root / "memory").rename(tmp_path / "elsewhere")
    (desk.root / "memory").symlink_to(tmp_path / "elsewhere")
    findings = desk.call("doctor").document
    assert [finding for finding in findings if finding["key"] == "file-ignored" and "USER.md" in finding["message"]]


@pytest.mark.parametrize(("path", "code"), [("node_modules/pkg/README.md", 0), ("memory/vendor.md", 1)])
def test_a_push_is_held_up_where_gitleaks_would(pair: tuple[Desk, Desk], path: str, code: int) -> None:
    desk, _ = pair
    desk.run("hooks", "install")
    desk.write(path, f"token: {KEY}\n")
    desk.git("add", "--force", "--all")
    desk.git("commit", "--quiet", "--no-verify", "-m", "by hand")
    desk.git("push", "--quiet", "origin", "HEAD:refs/heads/side", code=code)
    assert (desk.call("sync").code == 0) == (code == 0)


def test_an_alarm_that_was_raised_for_a_package_goes(desk: Desk) -> None:
    """An earlier version's note of such a place counts no more."""
    desk.write("tools/README.md", f"token: {KEY}\n")
    desk.commit()
    desk.run("capture")
    desk.git("mv", "tools", "node_modules")
    desk.git("commit", "--quiet", "--amend", "--no-edit")
    with contextlib.closing(sqlite3.connect(desk.root / ".git/clawgit/state.db")) as database, database:
        statement = "UPDATE document SET data = replace(data, 'tools/README.md', 'node_modules/README.md')"
        assert database.execute(f"{statement} WHERE name = 'past-secrets'").rowcount == 1
    desk.git("reflog", "expire", "--expire=now", "--all")
    desk.run("capture")
    assert "node_modules" not in desk.call("status").out


# empty files with the names of ours

TOUCHED = ("CHANGELOG.md", "COMPACTION_LOG.md", "CORRECTIONS.md", "CONFLICTS.md")


@pytest.mark.parametrize("begin", ["committed", "uncommitted", "without git", "init", "after"])
@pytest.mark.parametrize(
    ("names", "text"), [(TOUCHED, ""), (TOUCHED, "\ufeff \r\n"), (TOUCHED[:1], ""), (TOUCHED[1:3], "\n")]
)
def test_empty_files_with_our_names_are_taken_over(
    tmp_path: Path, names: tuple[str, ...], text: str, begin: str
) -> None:
    desk = Desk(tmp_path / "ws")
    files = {"SOUL.md": "# SOUL.md\n\n- Be brief.\n", "MEMORY.md": ""}
    if begin in ("init", "without git"):
        for path, words in files.items():
            desk.write(path, words)
    else:
        desk = Desk.raw(desk.root, files)
    late = begin == "after"
    if late:
        desk.run("adopt", str(desk.root))
    for name in names if not late else {*names} & {*TOUCHED[:2]}:
        (desk.root / name).unlink(missing_ok=True)
        desk.write(name, text if name in TOUCHED[:2] else "")
    if begin == "committed":
        desk.commit()
    if not late:
        document = desk.run("init" if begin == "init" else "adopt", str(desk.root))
        assert not {*names} & {*document["kept"]}
    desk.run("soul", "edit", "--add", "Ask first.", "--why", "Asked for.")
    desk.run("changelog")
    assert "Ask first" in desk.read("CHANGELOG.md")
    assert "CHANGELOG.md" not in desk.git("ls-files").split("\n")
    assert "COMPACTION_LOG.md" not in desk.git("ls-files").split("\n")
    assert desk.read("CORRECTIONS.md").startswith("# ")
    assert desk.read("CONFLICTS.md").startswith("# ")
    assert not list(desk.root.glob(".git/clawgit/rejected/*"))
    assert "COMPACTION_LOG.md" not in names or desk.read("COMPACTION_LOG.md") or late
    assert desk.git("status", "--porcelain") == ""


def test_a_committed_blank_changelog_is_rendered_after_a_minimal_adoption(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws", {"SOUL.md": "# SOUL.md\n\n- Be brief.\n", "CHANGELOG.md": "\n"})
    desk.run("adopt", str(desk.root), "--minimal")
    assert desk.read("CHANGELOG.md") == "\n"
    assert desk.run("changelog")["path"] == "CHANGELOG.md"
    assert desk.read("CHANGELOG.md").startswith("<!-- clawgit")


def test_a_file_of_the_owner_that_says_something_is_kept(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws", {"SOUL.md": "- Be brief.\n", "CHANGELOG.md": "# 1.0\n", "CORRECTIONS.md": "\n"})
    before = desk.files()
    document = desk.run("adopt", str(desk.root))
    assert "CORRECTIONS.md" in document["kept"]
    assert {path: desk.files()[path] for path in before} == before
    desk.run("changelog")
    assert desk.read("CHANGELOG.md") == "# 1.0\n"


# a folder inside a bigger repository


@pytest.mark.parametrize("command", ["adopt", "init"])
@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("outside", ["README.md", "openclaw.json", "SOUL.md"])
def test_a_folder_in_a_repository_is_adopted_where_it_is(
    tmp_path: Path, outside: str, *, linked: bool, command: str
) -> None:
    outer = Desk.raw(tmp_path / "it's all", {outside: "# All\n", "agents/kim/SOUL.md": "# SOUL.md\n\n- Be brief.\n"})
    folder = outer.root / "agents/kim"
    place = tmp_path / "workspace" if linked else folder
    if linked:
        place.symlink_to(folder)
    refusal = outer.call(command, str(place))
    assert refusal.code == 1
    outer.shell(refusal.fix[refusal.fix.index("git init") :])
    desk = Desk(folder)
    assert desk.run("status")["workspace"] == str(folder)
    assert desk.run("status")["managed"]
    desk.run("soul", "edit", "--add", "Ask first.", "--why", "Asked for.")
    assert "Ask first" in folder.joinpath("SOUL.md").read_text()
    assert not [path for path in tmp_path.iterdir() if path not in (outer.root, place)]
    assert "agents/kim/SOUL.md" in outer.git("ls-files")


def test_a_folder_below_a_file_is_refused(desk: Desk) -> None:
    desk.refuse("init", str(desk.root / "SOUL.md" / "agent"), key="file-kind")


def test_a_folder_in_the_repository_of_an_agent_has_that_as_its_first_way_out(tmp_path: Path) -> None:
    outer = Desk.raw(tmp_path / "ws")
    outer.shell(outer.call("adopt", str(outer.root / "memory")).fix)
    assert outer.run("status")["managed"]


def test_doctor_says_the_same_of_such_a_folder(tmp_path: Path) -> None:
    outer = Desk.raw(tmp_path / "all", {"README.md": "# All\n", "kim/SOUL.md": "- Be brief.\n", "kim/memory/a.md": "-"})
    desk = Desk(outer.root / "kim")
    (fix,) = failing(desk).values()
    outer.shell(fix)
    assert desk.run("status")["managed"]


# turns that somebody else is to read


@pytest.fixture
def talked(desk: Desk, tmp_path: Path) -> Desk:
    """Return a workspace with four turns that nobody has read, and a model that finds nothing in them."""
    turns = ("The supplier is Flora Verde.", "Good.", "We keep 17 degrees at night.", "Understood.")
    talk(desk, tmp_path, [text(("user", "assistant")[index % 2], words) for index, words in enumerate(turns)])
    model = tmp_path / "model.py"
    model.write_text("import sys; sys.stdin.read(); print('{\"operations\": []}')\n")
    desk.run("config", "llm", f"[{sys.executable}, {model}]", terminal="")
    return desk


@pytest.mark.parametrize("options", [(), ("--since", "2020-01-01"), ("--apply",)])
def test_a_run_says_what_is_handed_out_and_how_to_take_it_back(
    talked: Desk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    talked.run("run", "memory-miner", "--export", str(tmp_path / "look.json"))
    for _ in range(2):
        document = talked.run("run", "memory-miner", *options, code=3)
        (batch,) = document["handed_out"]
        assert (batch["size"], batch["n"], document["read"]) == (4, 1, 0)
        assert batch["since"][:4] == time.strftime("%Y")
        assert f"{batch['size']} turns" in batch["message"]
    talked.shell(batch["fix"])
    result = talked.run("run", "memory-miner", "--apply")
    assert (result["handed_out"], result["read"]) == ([], 2)


def test_a_batch_that_is_answered_is_out_no_more(talked: Desk, tmp_path: Path) -> None:
    talked.run("run", "memory-miner", "--export", str(tmp_path / "look.json"))
    name = json.loads((tmp_path / "look.json").read_text())["id"]
    (tmp_path / "answer.json").write_text(json.dumps({"id": name, "operations": []}))
    (batch,) = talked.run("run", "memory-miner", code=3)["handed_out"]
    line = batch["fix"][batch["fix"].rindex("clawgit run") :]
    talked.shell(line.replace("FILE", str(tmp_path / "answer.json")))
    assert talked.run("run", "memory-miner")["handed_out"] == []


def test_turns_that_could_not_be_read_are_not_called_none(talked: Desk, tmp_path: Path) -> None:
    """Covers L9: "empty" and "broken" differ."""
    model = tmp_path / "model.py"
    good = model.read_text()
    model.write_text("raise SystemExit(3)\n")
    failed = talked.shell("clawgit run memory-miner 2>&1")
    model.write_text(good)
    talked.run("config", "soul_policy", "locked", terminal="")
    locked = talked.shell("clawgit run soul-keeper 2>&1")
    exported = talked.shell(f"clawgit run soul-keeper --export {tmp_path / 'look.json'} 2>&1")
    talked.run("run", "memory-miner", "--apply")
    empty = talked.shell("clawgit run memory-miner 2>&1")
    assert empty not in failed
    assert empty not in locked
    assert exported.endswith(locked)


# names of references


@pytest.mark.parametrize("name", ["two\u2028lines", "next\x85line", "caf\udce9"])
def test_a_reference_has_any_name_that_git_allows(desk: Desk, tmp_path: Path, name: str) -> None:
    remote = tmp_path / "remote.git"
    desk.git("init", "--quiet", "--bare", str(remote))
    desk.git("remote", "add", "origin", str(remote))
    desk.run("hooks", "install")
    desk.git("branch", name)
    desk.git("tag", name)
    desk.shell("git push --quiet origin --all && git push --quiet origin --tags")
    desk.run("sync")


# a forced push


def rewritten(desk: Desk) -> list[dict[str, str]]:
    """Return the findings of status that doctor has, too."""
    fixes = failing(desk).values()
    return [row for row in desk.run("status")["alarms"] if row["fix"] in fixes]


@pytest.mark.parametrize("kind", ["amended", "rewound", "a machine"])
def test_a_forced_push_that_a_sync_met_is_told_until_it_is_decided(pair: tuple[Desk, Desk], kind: str) -> None:
    first, second = pair
    first.append("MEMORY.md", "- The lamps are rated at 400 watts.\n")
    first.commit()
    name = "refs/heads/main"
    if kind == "a machine":
        name = "refs/clawgit/heads/kkkkkkkk"
        first.git("push", "--quiet", "origin", f"HEAD:{name}")
    first.run("sync")
    second.run("sync")
    if kind == "rewound":
        first.git("push", "--quiet", "--force", "origin", f"HEAD~1:{name}")
    else:
        first.git("commit", "--quiet", "--amend", "-m", "another one")
        first.git("push", "--quiet", "--force", "origin", f"HEAD:{name}")
    assert rewritten(second) == []
    assert second.call("sync").code == 3
    (alarm,) = rewritten(second)
    second.run("remember", "The hose is forty metres long.")
    second.call("sync")
    assert rewritten(second) == [alarm]
    assert second.call("status", "--check").code == 3
    second.shell(alarm["fix"])
    assert rewritten(second) == []
    assert second.run("sync")["problems"] == []
    assert rewritten(second) == []
    assert "400 watts" in second.read("MEMORY.md")
    assert "forty metres" in second.read("MEMORY.md")
