"""Git's own commands run the hooks: ours when there is something to see, those of others always."""

import subprocess
import sys

import pytest

from .conftest import SHORT_PATH, script

MARKER = "<!-- clawgit: rendered from the log, do not edit -->\n"
NOTES = '#!/bin/sh\n{{ echo "$0 $*"; cat; }} </dev/stdin >>"{log}"\nexit {code}\n'


@pytest.fixture
def wired(place, recorder):
    """A workspace with hooks that call the recorder, and a view."""
    place.commit("work.txt", "x\n")
    place.install(recorder)
    place.write("CHANGELOG.md", MARKER)
    return place


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", []),
        ("docs/read me ä.md", ["pre-commit"]),
        ("memory/2026-02-14.md", ["pre-commit"]),
        ("SOUL.md", ["pre-commit", "post-commit"]),
        ("agents/scout/SOUL.md", ["pre-commit", "post-commit"]),
    ],
)
def test_clawgit_is_called_for_what_is_its_own(wired, calls, path, expected):
    wired.commit(path, "x\n")
    assert calls() == expected


def test_without_a_view_nothing_is_called_after_a_commit(wired, calls):
    (wired.root / "CHANGELOG.md").unlink()
    wired.commit("SOUL.md", "x\n")
    assert calls() == ["pre-commit"]
    wired.write("CHANGELOG.md", "# Changelog of somebody's\n")
    wired.commit("SOUL.md", "y\n")
    assert calls() == ["pre-commit"]
    config = (wired.root / "CONFIG.md").read_text().replace("```yaml\n", "```yaml\nchangelog_file: V.md\n", 1)
    wired.commit("CONFIG.md", config)
    wired.commit("SOUL.md", "z\n")
    assert calls() == ["pre-commit", "pre-commit", "post-commit"]


def test_a_commit_of_one_file_is_looked_at_as_it_will_be(wired, calls):
    """`git commit FILE` uses an index of its own: what else is staged is not part of it."""
    wired.commit("other.txt", "x\n")
    wired.write("SOUL.md", "staged\n")
    wired.git("add", "SOUL.md")
    wired.write("other.txt", "y\n")
    wired.git("commit", "-m", "one", "other.txt")
    assert calls() == []
    wired.git("commit", "-m", "two", "SOUL.md")
    assert calls() == ["pre-commit", "post-commit"]


def test_commit_all_amend_and_no_verify(wired, calls):
    wired.write("SOUL.md", "all\n")
    wired.git("commit", "-am", "all")
    assert calls() == ["pre-commit", "post-commit"]
    wired.git("commit", "--amend", "-m", "other words")
    assert calls() == ["post-commit"]
    wired.write("SOUL.md", "unseen\n")
    wired.git("commit", "--no-verify", "-am", "unseen")
    assert calls() == ["post-commit"]
    before = wired.git("rev-parse", "HEAD~1").strip()
    wired.write("work.txt", "y\n")
    wired.git("add", "work.txt")
    wired.git("checkout", before, "--", "SOUL.md")
    wired.git("commit", "--amend", "-m", "the soul is what it was")
    assert "post-commit" in calls()


def test_stash_calls_nothing(wired, calls):
    wired.write("SOUL.md", "stashed\n")
    wired.git("stash")
    wired.git("stash", "pop")
    assert calls() == []


def test_merge_and_cherry_pick(wired, calls):
    wired.git("checkout", "-b", "side")
    wired.commit("SOUL.md", "side\n")
    wired.git("checkout", "main")
    wired.commit("work.txt", "main\n")
    calls()
    wired.git("cherry-pick", "side")
    assert calls() == ["post-commit"]
    wired.git("reset", "--hard", "HEAD~1")
    assert calls() == []
    wired.write("IDENTITY.md", "x\n")
    wired.git("commit", "-am", "meanwhile")
    calls()
    wired.git("merge", "--no-commit", "side")
    wired.git("commit", "-m", "joined")
    assert calls() == ["pre-commit", "post-commit"]


def test_a_rebase_of_forty_commits_renders_once_at_its_end(wired, calls):
    wired.git("checkout", "-b", "side")
    for number in range(40):
        wired.write("SOUL.md" if number % 2 else "work.txt", f"{number}\n")
        wired.git("-c", "core.hooksPath=/dev/null", "commit", "-am", str(number))
    wired.git("checkout", "main")
    wired.git("-c", "core.hooksPath=/dev/null", "commit", "--allow-empty", "-m", "on top")
    wired.git("checkout", "side")
    assert calls() == []
    wired.git("rebase", "main")
    assert calls() == ["post-commit"]
    wired.git("rebase", "--force-rebase", "--apply", "main")
    assert calls() == []


def test_in_a_linked_working_tree(wired, calls, tmp_path):
    wired.git("worktree", "add", "-b", "side", tmp_path / "linked tree")
    linked = type(wired)(tmp_path / "linked tree")
    linked.write("CHANGELOG.md", MARKER)
    linked.commit("SOUL.md", "x\n")
    assert calls() == ["pre-commit", "post-commit"]
    linked.commit("src/app.py", "x\n")
    assert calls() == []


def test_from_a_subfolder(wired, calls):
    wired.write("memory/deep/a.md", "x\n")
    wired.git("add", ".", cwd=wired.root / "memory/deep")
    wired.git("commit", "-m", "deep", cwd=wired.root / "memory/deep")
    assert calls() == ["pre-commit"]


def test_the_command_on_the_path_goes_before_the_one_that_was_noted(wired, calls, tmp_path):
    marker = tmp_path / "called"
    script(tmp_path / "bin/clawgit", f'#!/bin/sh\necho "$*" >>"{marker}"\n')
    wired.environment["PATH"] = f"{tmp_path / 'bin'}:{SHORT_PATH}"
    wired.commit("memory/a.md", "x\n")
    assert (calls(), marker.read_text()) == ([], "hook run pre-commit --\n")


def test_without_clawgit_a_line_is_said_and_all_goes_on(wired, recorder, tmp_path):
    recorder.unlink()
    said = wired.commit("SOUL.md", "x\n")
    lines = [row for row in said.splitlines() if "clawgit" in row]
    assert lines == [
        f"clawgit: neither on PATH nor at {recorder}: the commit was not looked at",
        f"clawgit: neither on PATH nor at {recorder}: the changelog was not rendered",
    ]
    assert wired.commit("src/app.py", "x\n").count("clawgit") == 0
    wired.git("init", "--bare", tmp_path / "remote")
    pushed = wired.git("push", tmp_path / "remote", "main")
    assert pushed.count("what is pushed was not looked at") == 1


def test_on_a_branch_that_is_no_workspace_nothing_is_called(wired, calls):
    wired.git("checkout", "--orphan", "pages")
    wired.git("rm", "-rf", "--quiet", ".")
    wired.commit("index.md", "x\n")
    assert calls() == []


@pytest.mark.parametrize("code", [2, 70, 75, 130])
def test_clawgit_failing_stops_no_commit(wired, recorder, code):
    script(recorder, f"#!/bin/sh\nexit {code}\n")
    wired.commit("SOUL.md", "x\n")


def test_clawgit_refusing_stops_a_commit(wired, recorder):
    """Nothing is refused yet; the way is there."""
    script(recorder, "#!/bin/sh\nexit 1\n")
    wired.write("SOUL.md", "x\n")
    assert wired.run("commit", "-am", "x").returncode == 1


# --- the hooks that stood there


def test_a_hook_that_stood_there_gets_arguments_and_input_and_decides(place, recorder, calls, tmp_path):
    log = tmp_path / "log"
    for name in ("pre-commit", "post-commit", "pre-push"):
        script(place.hooks / name, NOTES.format(log=log, code=0))
    place.install(recorder)
    place.commit("SOUL.md", "x\n")
    place.git("init", "--bare", tmp_path / "remote")
    place.git("remote", "add", "origin", tmp_path / "remote")
    place.git("push", "origin", "main:other")
    assert calls() == ["pre-commit", "post-commit", "pre-push"]
    assert log.read_text().splitlines() == [
        ".git/hooks/pre-commit.clawgit-chained ",
        ".git/hooks/post-commit.clawgit-chained ",
        f".git/hooks/pre-push.clawgit-chained origin {tmp_path}/remote",
        f"refs/heads/main {place.head} refs/heads/other {'0' * 40}",
    ]
    script(place.hooks / "pre-push.clawgit-chained", "#!/bin/sh\nexit 3\n")
    assert place.run("push", "origin", "main:third").returncode == 1
    script(place.hooks / "pre-commit.clawgit-chained", "#!/bin/sh\necho no >&2\nexit 9\n")
    place.write("SOUL.md", "y\n")
    refused = place.run("commit", "-am", "y")
    assert (refused.returncode, refused.stderr) == (1, "no\n")
    assert calls() == ["pre-push"]


@pytest.mark.parametrize("code", [0, 1, 9, 127])
@pytest.mark.parametrize("name", ["pre-commit", "post-commit", "pre-push"])
def test_the_exit_code_is_that_of_the_hook_that_stood_there(place, recorder, name, code):
    script(place.hooks / name, f"#!/bin/sh\nexit {code}\n")
    place.install(recorder)
    done = subprocess.run([place.hooks / name], cwd=place.root, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == code


@pytest.mark.parametrize("lines", [0, 1, 3])
def test_every_line_that_git_pushes_reaches_both(place, recorder, tmp_path, lines):
    script(place.hooks / "pre-push", NOTES.format(log=tmp_path / "log", code=0))
    place.install(recorder)
    place.git("init", "--bare", tmp_path / "remote")
    for number in range(lines or 1):
        place.git("branch", f"b{number}")
    if not lines:  # then all is there already
        place.git("push", "--no-verify", tmp_path / "remote", "refs/heads/b*:refs/heads/b*")
    place.git("push", tmp_path / "remote", "refs/heads/b*:refs/heads/b*")
    told = (tmp_path / "log").read_text().splitlines()[1:]
    assert len(told) == lines
    called = recorder.with_name("calls")
    assert (called.read_text().splitlines()[1:] if lines else []) == told


def test_a_hook_in_python_and_one_without_a_first_line(place, recorder, tmp_path):
    script(
        place.hooks / "pre-commit", f"#!{sys.executable}\nimport sys\nprint('snake', sys.argv[1:], file=sys.stderr)\n"
    )
    script(place.hooks / "post-commit", "echo bare >&2\n")
    place.install(recorder)
    said = place.commit("a.txt", "x\n")
    assert "snake []" in said
    assert "bare" in said


def test_one_that_was_switched_off_stays_so(place, recorder):
    script(place.hooks / "pre-commit", "#!/bin/sh\nexit 1\n", mode=0o644)
    place.install(recorder)
    place.commit("a.md", "x\n")


def test_one_that_stages_more_is_looked_at_with_what_it_staged(place, recorder, calls):
    place.write("memory/formatted.md", "x\n")
    script(place.hooks / "pre-commit", "#!/bin/sh\ngit add memory/formatted.md\n")
    place.install(recorder)
    place.commit("a.txt", "x\n")
    assert calls() == ["pre-commit"]


def test_a_tool_that_sets_ours_aside_and_calls_it_is_called_once(place, recorder, calls, tmp_path):
    """Ours, set aside by a tool, whose hook is then chained by us: without a guard they would call each other."""
    place.install(recorder)
    (place.hooks / "pre-commit").rename(place.hooks / "pre-commit.legacy")
    count = f'[ "$(wc -l <"{tmp_path}/tool")" -lt 5 ] || exit 1'  # else a missing guard would fill the machine
    tool = f'#!/bin/sh\necho tool >>"{tmp_path}/tool"\n{count}\nexec "$(dirname "$0")/pre-commit.legacy" "$@"\n'
    script(place.hooks / "pre-commit", tool)
    place.commit("a.md", "x\n")
    assert calls() == ["pre-commit"]
    place.install(recorder)
    place.commit("a.md", "y\n")
    assert calls() == ["pre-commit"]
    assert (tmp_path / "tool").read_text() == "tool\n" * 2


def test_the_pid_of_git_is_left_where_a_background_write_looks(wired):
    wired.commit("a.txt", "x\n")
    said = (wired.root / ".git/clawgit/committing").read_text()
    assert "(git)" in said
