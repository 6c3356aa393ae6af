"""A file that git would store other than it is on disk is refused; libgit2 would not notice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]

CRLF, LF = "a\r\nb\r\n", "a\nb\n"


@pytest.mark.parametrize(
    ("attributes", "autocrlf", "text", "refused_paths"),
    [
        ("*.md filter=git-crypt", None, LF, "filter=git-crypt"),
        ("*.md working-tree-encoding=UTF-16", None, LF, "working-tree-encoding"),
        ("*.md ident", None, LF, "ident"),
        ("*.md text=auto", None, CRLF, "line endings"),
        ("*.md eol=lf", None, CRLF, "line endings"),
        ("*.md eol=crlf", None, LF, "line endings"),
        ("*.md -text", "true", CRLF, None),
        ("", None, CRLF, None),
        ("", "input", LF, None),
        ("", "input", CRLF, "core.autocrlf=input"),
        ("", "true", CRLF, "core.autocrlf=true"),
        ("* text=auto\n*.md -text", "true", CRLF, None),
    ],
)
def test_only_what_git_would_keep_byte_for_byte_is_written(
    repo: Path, git: Git, write: Write, attributes: str, autocrlf: str | None, text: str, refused_paths: str | None
) -> None:
    (repo / ".gitattributes").write_text(attributes + "\n")
    git("add", ".gitattributes")
    git("commit", "-qm", "attributes")
    if autocrlf:
        git("config", "core.autocrlf", autocrlf)
    if refused_paths:
        with pytest.raises(ClawgitError, match=refused_paths) as caught:
            write({"new.md": text})
        assert ("core.autocrlf false" if autocrlf else ".gitattributes") in str(caught.value.fix)
        assert not (repo / "new.md").exists()
        return
    write({"new.md": text})
    assert (repo / "new.md").read_bytes() == text.encode()
    assert git("hash-object", "new.md") == git("rev-parse", "HEAD:new.md")
    assert git("status", "--porcelain") == ""
    (repo / "new.md").unlink()
    git("checkout", "--", "new.md")
    assert (repo / "new.md").read_bytes() == text.encode()


def test_the_fix_helps(repo: Path, git: Git, write: Write) -> None:
    git("config", "core.autocrlf", "true")
    with pytest.raises(ClawgitError) as caught:
        write({"new.md": CRLF})
    import subprocess  # noqa: PLC0415

    subprocess.run(["sh", "-c", str(caught.value.fix)], cwd=repo, check=True)
    write({"new.md": CRLF})
    assert git("hash-object", "new.md") == git("rev-parse", "HEAD:new.md")


def test_a_nested_attributes_file_counts(repo: Path, write: Write) -> None:
    (repo / "memory").mkdir()
    (repo / "memory/.gitattributes").write_text("*.md filter=crypt\n")
    write({"other.md": "fine\n"})
    with pytest.raises(ClawgitError, match="filter"):
        write({"memory/a.md": "secret\n"})
