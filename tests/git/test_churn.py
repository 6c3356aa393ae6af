"""The changes of files by commits, line by line."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.git import churn, repository
from clawgit.git.churn import Gap, Touch
from tests.amounts import amount

AWKWARD = [
    b"diff --git a/x.md b/x.md",
    b"@@ -1 +1 @@",
    b"--- a/x.md",
    b"\x01",
    b"\\ No newline at end of file",
    b"+",
    b"-",
]
ROWS = st.lists(st.sampled_from([*AWKWARD, b"", b"one", b"two\r", b"caf\xe9", b"a\0b", "日本".encode()]), max_size=8)
TEXTS = st.builds(lambda rows, end: b"\n".join(rows) + (b"\n" if end and rows else b""), ROWS, st.booleans())


def list_touches(repo, *globs):
    repository_here = repository.find(repo)
    return [
        touch
        for _, touch in churn.churn(repository_here, churn.reachable(repository_here, "--all"), *(globs or ("*.md",)))
    ]


def applied(old, hunks):
    """The rows that `old` becomes."""
    rows, new = list(old), []
    position = 0
    for hunk in hunks:
        start = hunk.old - 1 if hunk.taken else hunk.old
        new += rows[position:start]
        assert tuple(rows[start : start + len(hunk.taken)]) == hunk.taken
        assert len(new) + 1 == hunk.new or not hunk.given
        new += hunk.given
        position = start + len(hunk.taken)
    return new + rows[position:]


def rows_of(data):
    rows = data.split(b"\n")
    return rows[:-1] if rows[-1] == b"" else rows


@settings(max_examples=amount(25, 10))
@given(texts=st.lists(TEXTS, min_size=1, max_size=6))
def test_the_hunks_of_all_commits_make_the_file_whatever_stands_in_it(repo, git, texts):
    """No line of a file can pass for one of git's own."""
    git("checkout", "-q", "--orphan", f"again-{git('rev-list', '--all', '--count').strip()}-{len(texts)}-{id(texts)}")
    git("rm", "-rfq", "--ignore-unmatch", ".")
    for text in texts:
        (repo / "x.md").write_bytes(text)
        git("add", "-A")
        git("commit", "-qm", "x", "--allow-empty")
    repository_here = repository.find(repo)
    rows = []
    for _, touch in churn.churn(repository_here, churn.reachable(repository_here, "HEAD")[::-1], "*.md"):
        assert isinstance(touch, Touch)
        rows = applied(rows, touch.hunks)
    assert rows == rows_of(texts[-1])


def test_where_a_link_leads_is_no_line(repo, git):
    link = repo / "link.md"
    for target in ("first.md", "second.md"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        git("add", "-A")
        git("commit", "-qm", "linked")
    link.unlink()
    link.write_text("said\n")
    git("commit", "-qam", "a file now")
    lines = [
        [row for hunk in touch.hunks for row in (*hunk.taken, *hunk.given)] for touch in list_touches(repo, "link.md")
    ]
    assert lines == [[b"said"], [], []]


def test_a_file_of_any_size_has_its_lines(repo, git):
    rows = b"".join(b"line %d of a long file, with words\n" % number for number in range(120_000))
    for text in (rows[: 3 << 20], rows, rows + b"last\n"):
        (repo / "long.md").write_bytes(text)
        git("add", "-A")
        git("commit", "-qm", "long")
    last, touches, _ = [touch.hunks for touch in list_touches(repo, "long.md")]
    assert [(hunk.taken, hunk.given) for hunk in last] == [((), (b"last",))]
    assert touches[0].given[-1] == b"line 119999 of a long file, with words"
    assert len(touches[0].taken) <= 1
    (repo / "long.md").write_bytes(rows + b"next\n")
    git("add", "-A")
    (staged,) = churn.staged(repository.find(repo), None, "*.md")
    assert staged.hunks[0].given == (b"next",)


def test_a_merge_is_told_for_each_parent_that_it_differs_from(repo, git):
    """`-s ours` drops the lines of the other side: that shows against the other side alone."""
    git("checkout", "-qb", "side")
    (repo / "side.md").write_text("only here\n")
    git("add", "-A")
    git("commit", "-qm", "side")
    git("checkout", "-q", "main")
    git("commit", "-qm", "main", "--allow-empty")
    git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    (merge,) = [touch for touch in list_touches(repo) if len(touch.parents) == 2]
    assert (merge.path, merge.after, merge.hunks[0].taken) == ("side.md", None, (b"only here",))


def test_no_configuration_changes_what_is_read(repo, git):
    for key, value in {
        "diff.noprefix": "true",
        "color.ui": "always",
        "diff.context": "9",
        "diff.external": "/bin/false",
        "diff.renames": "copies",
        "core.quotePath": "true",
        "diff.mnemonicPrefix": "true",
        "log.showSignature": "true",
    }.items():
        git("config", key, value)
    (repo / ".gitattributes").write_text("*.md diff=odd\nfirst.md -diff\n")
    git("config", "diff.odd.textconv", "false")
    (repo / "é.md").write_text("first\nmore\n")
    git("add", "-A")
    git("commit", "-qm", "more")
    assert [(touch.path, touch.hunks[0].given) for touch in list_touches(repo)] == [
        ("é.md", (b"first", b"more")),
        ("first.md", (b"first",)),
    ]


def test_a_missing_object_is_a_gap_and_the_others_go_on(repo, git):
    for text in ("lost\n", "then\n", "now\n"):
        (repo / "first.md").write_text(text)
        git("commit", "-qam", text)
    blob = git("rev-parse", "HEAD~2:first.md").strip()
    (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    touches = list_touches(repo)
    gaps = [touch.commit for touch in touches if isinstance(touch, Gap)]
    assert gaps == git("rev-list", "-2", "HEAD~1").split()
    assert [touch.hunks[0].given for touch in touches if isinstance(touch, Touch)] == [(b"now",), (b"first",)]
