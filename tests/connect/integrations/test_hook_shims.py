"""Git's own commands run the hooks: ours when there is something to see, those of others always."""

import pytest

from .conftest import script

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
    [("src/app.py", []), ("SOUL.md", ["pre-commit", "post-commit"])],
)
def test_clawgit_is_called_for_what_is_its_own(wired, calls, path, expected):
    wired.commit(path, "x\n")
    assert calls() == expected


def test_a_rebase_of_twelve_commits_renders_once_at_its_end(wired, calls):
    wired.git("checkout", "-b", "side")
    for number in range(12):
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


def test_without_clawgit_a_line_is_said_and_all_goes_on(wired, recorder, tmp_path):
    recorder.unlink()
    output = wired.commit("SOUL.md", "x\n")
    lines = [row for row in output.splitlines() if "clawgit" in row]
    assert lines == [
        f"clawgit: neither on PATH nor at {recorder}: the commit was not looked at",
        f"clawgit: neither on PATH nor at {recorder}: the changelog was not rendered",
    ]
    assert wired.commit("src/app.py", "x\n").count("clawgit") == 0
    wired.git("init", "--bare", tmp_path / "remote")
    pushed = wired.git("push", tmp_path / "remote", "main")
    assert pushed.count("what is pushed was not looked at") == 1


def test_clawgit_failing_stops_no_commit(wired, recorder):
    script(recorder, "#!/bin/sh\nexit 70\n")
    wired.commit("SOUL.md", "x\n")


def test_a_hook_that_stood_there_gets_arguments_and_input_and_decides(place, recorder, calls, tmp_path):
    log = tmp_path / "log"
    for name in ("pre-commit", "post-commit", "pre-push"):
        script(place.hooks / name, NOTES.format(log=log, code=0))
    place.install(recorder)
    place.commit("SOUL.md", "x\n")
    place.git("init", "--bare", tmp_path / "remote")
    place.git("remote", "add", "origin", tmp_path / "remote")
    place.git("branch", "side")
    place.git("push", "origin", "main:other", "side")
    assert calls() == ["pre-commit", "post-commit", "pre-push"]
    assert log.read_text().splitlines() == [
        ".git/hooks/pre-commit.clawgit-chained ",
        ".git/hooks/post-commit.clawgit-chained ",
        f".git/hooks/pre-push.clawgit-chained origin {tmp_path}/remote",
        f"refs/heads/main {place.head} refs/heads/other {'0' * 40}",
        f"refs/heads/side {place.head} refs/heads/side {'0' * 40}",
    ]
    script(place.hooks / "pre-push.clawgit-chained", "#!/bin/sh\nexit 3\n")
    assert place.run("push", "origin", "main:third").returncode == 1
    script(place.hooks / "pre-commit.clawgit-chained", "#!/bin/sh\necho no >&2\nexit 9\n")
    place.write("SOUL.md", "y\n")
    refusal = place.run("commit", "-am", "y")
    assert (refusal.returncode, refusal.stderr) == (1, "no\n")
    assert calls() == ["pre-push"]


def test_a_tool_that_sets_ours_aside_and_calls_it_is_called_once(place, recorder, calls, tmp_path):
    """Ours, set aside by a tool, and then chained behind its hook: without a guard they would call each other."""
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
