"""Workspaces that nobody manages yet, to be reported on."""

import json
import os
import stat
import subprocess
from pathlib import Path

from msgspec import to_builtins

from clawgit.git.repository import find
from clawgit.workspace import adopt
from clawgit.workspace.report.report import report

from .places import AWS, Place

GITHUB = "ghp_" + "a8Kd93LmQz71PxRt05VbNw26YcJh48Fs9GuE"
PEM_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
PEM = f"-----BEGIN PRIVATE KEY-----\n{PEM_BODY}\n{PEM_BODY[::-1]}\n-----END PRIVATE KEY-----"  # made up
JOURNAL = "memory/2026-01-20.md"
SOUL = "# Soul\n\n## Core Truths\n\n- Have a view.\n"


class Wild(Place):
    """A folder under git that clawgit has not touched."""

    def report(self, **more):
        """Report on it; what was touched fails."""
        before = self.everything()
        found = report(self.root, find(self.root) if (self.root / ".git").exists() else None, **more)
        assert self.everything() == before
        return found

    def everything(self):
        """Take down every file, those of git too."""
        found = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)  # noqa: PTH118
                status = os.lstat(path)
                data = Path(path).read_bytes() if stat.S_ISREG(status.st_mode) else None
                found[path] = status.st_mode, status.st_mtime_ns, data
        return found

    def manage(self):
        """Make it a managed workspace."""
        adopted = adopt.adopt(self.root)
        assert adopted.commit
        adopted.workspace.close()

    def run(self, command, *, refusable=False):
        """Run a command of the report, as pasted into a shell, in this process; `refusable` may end with 1."""
        import shlex  # noqa: PLC0415

        from clawgit.cli.main import main  # noqa: PLC0415

        words = shlex.split(command)
        if words[0] == "git":
            return subprocess.run(words, cwd=self.root, capture_output=True, check=True).stdout
        assert words[0] == "clawgit"
        assert main(["-C", str(self.root), *words[1:]]) in (0, int(refusable)), command
        return b""


def wild(folder):
    """Make such a folder in `folder`: branch main, an identity, a soul."""
    place = Wild(folder / "ws")
    place.root.mkdir()
    place.git("init", "--quiet", "-b", "main", "--template=")
    with (place.root / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    place.commit({"SOUL.md": SOUL})
    return place


def leaks(found, *secrets):
    """Return the secrets that stand anywhere in a report: its JSON, its repr, its lines."""
    from clawgit.cli import report_text  # noqa: PLC0415

    shown = "\n".join("".join(span.text for span in row) for row in report_text.lines(found))
    texts = (json.dumps(report_text.document(found)), repr(found), repr(to_builtins(found)), shown)
    return [secret for secret in secrets if any(secret in text for text in texts)]


__all__ = ["AWS", "GITHUB", "JOURNAL", "PEM", "PEM_BODY", "SOUL", "Wild", "leaks", "wild"]
