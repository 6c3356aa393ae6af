"""Whether anything of a secret is left after a purge, wherever it was planted, and what else changed.

    python benchmarks/safety/purge.py                 500 places, 2,000 commits, SQLite and PostgreSQL
    python benchmarks/safety/purge.py --kills 20      and as many runs that are killed at some moment, then run again

The secret is planted in entries, journals, commit messages, names of people, files, branches and tags, in stashes,
notes, working trees, binary files, base64, URLs, JSON, over two lines, in candidates, inbox, proposals, quarantine and
approvals, in kept conversations, in a remote. What is counted is every file below the folder, every object of every
repository, and the files of the PostgreSQL server after a checkpoint. Beside it: the same log of SOUL.md, blame and
reasons as before.
"""

import argparse
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "sessions"))

from postgres import programs, throwaway

from benchmarks.scale.histories import stream
from clawgit.git import history_rewrite
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.workspace import line_origins, memory_lines, records
from clawgit.workspace.bootstrap import init
from clawgit.workspace.workspace import Workspace, open_workspace

SECRET = "tern-örk+7/Pass word-41"
FORMS = history_rewrite.forms(SECRET.encode())
CODE = "import sys; from clawgit.cli.main import main; sys.exit(main(sys.argv[1:]))"
WAYS: Sequence[Callable[[int], bytes]] = (
    lambda _: SECRET.encode(),
    lambda _: quote(SECRET).encode(),
    lambda _: json.dumps({"token": SECRET}).encode(),
    lambda index: base64.encodebytes(b"k" * (index % 7 + 40) + SECRET.encode() + b"end"),
    lambda index: SECRET.encode()[: index % 20 + 3] + b"\n  " + SECRET.encode()[index % 20 + 3 :],
    lambda _: b"\0\1" + SECRET.encode("utf-16-le") + b"\0",
    lambda _: SECRET.encode().hex().encode(),
)


def run(root: Path, *words: str, **environment: str) -> str:
    """Run git there."""
    answer = subprocess.run(
        ["git", *words], cwd=root, env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return answer.stdout


class Planting:
    """Plants the secret, and counts where."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance, self.counts = root, random.Random(seed), Counter[str]()

    def text(self, kind: str) -> bytes:
        """Return the next way to write it."""
        index = self.counts[kind]
        self.counts[kind] += 1
        return WAYS[index % len(WAYS)](index)

    def commit(self, number: int) -> None:
        """Commit a file with it; some have it in their message, name or author."""
        name = f"memory/day-{number:03}.md"
        if number % 10 == 3:
            self.counts["file name"] += 1
            name = f"memory/{SECRET.replace('/', '-')}-{number}.md" if number % 20 == 3 else name
        (self.root / name).write_bytes(b"# Day\n\nhonest line\n\n" + self.text("file in history") + b"\n\nlast\n")
        run(self.root, "add", "-A")
        words, author = f"day {number}", "Ada"
        if number % 4 == 1:
            self.counts["commit message"] += 1
            words = f"{words}\n\nwith {SECRET} in it"
        if number % 9 == 2:
            self.counts["author"] += 1
            author = f"Ada {SECRET}"
        run(self.root, "commit", "-qm", words, GIT_AUTHOR_NAME=author, GIT_COMMITTER_NAME=author)
        if number % 3 == 0:
            (self.root / name).write_bytes(b"# Day\n\nhonest line\n\nlast\n")
            run(self.root, "commit", "-qam", f"taken out {number}")
        if number % 12 == 5:
            self.counts["tag"] += 1
            run(self.root, "tag", "-a", f"t{number}", "-m", f"told {SECRET}")
        if number % 15 == 6:
            self.counts["note"] += 1
            run(self.root, "notes", "add", "-m", f"noted {SECRET}")
        if number % 20 == 7:
            self.counts["branch name"] += 1
            run(self.root, "branch", f"b{number}-Pass-{SECRET.split('/', maxsplit=1)[0]}")
        if number % 25 == 8:
            self.counts["stash"] += 1
            (self.root / name).write_bytes(self.text("file in history") + b"\n")
            run(self.root, "stash", "-q", "-m", f"stashed {SECRET}")

    def beside(self, space: Workspace) -> None:
        """Plant it in what is kept beside history, and in files that nobody committed."""
        for number in range(60):
            place = space.repo.commondir / "clawgit" / self.chance.choice(("displaced", "quarantine", "state", "runs"))
            place.mkdir(parents=True, exist_ok=True)
            (place / f"kept-{number}.json").write_bytes(b"before " + self.text("kept file") + b" after")
        for number in range(20):
            (self.root / f"loose-{number}.txt").write_bytes(self.text("loose file"))
        (space.repo.commondir / "COMMIT_EDITMSG").write_text(SECRET)
        self.counts["git's own"] += 1
        soul = self.root / "SOUL.md"
        space.trusted.approve({"SOUL.md": soul.read_text() + f"\n- {SECRET}\n"})
        self.counts["approval"] += 1
        other = self.root.parent / "other"
        run(self.root, "worktree", "add", "-q", "--detach", str(other))
        (other / "alone.md").write_text(f"only here {SECRET}\n")
        run(other, "add", "-A")
        run(other, "commit", "-qm", f"alone {SECRET}")
        self.counts["working tree"] += 2

    def chats(self, space: Workspace, environ: dict[str, str], turns: int) -> None:
        """Plant it in kept conversations."""
        start = datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()
        events = []
        for number in range(turns):
            text = f"turn {number}: {SECRET if number % 2 else 'honest words'} and more"
            self.counts["turn of a conversation"] += number % 2
            moment = start + number
            events.append(
                Event(
                    f"e{number}", "", number, moment, "user", "operator", text, moment, digest=hash_words("user", text)
                )
            )
        with chat_store.open_chat_store(space.store, environ) as store:
            session = Session("s-1", "main", "agent:main:main", "direct", "web", start)
            store.meet(session)
            store.take(session, "file", events, "s-1.jsonl", {})


def left(folder: Path) -> list[str]:
    """Return the files below a folder that hold it, and the objects of every repository there."""
    results = []
    for place in folder.rglob("*"):
        name = os.fsencode(place.name)
        if history_rewrite.has_phrase(name, FORMS) or (
            place.is_file() and not place.is_symlink() and history_rewrite.has_phrase(place.read_bytes(), FORMS)
        ):
            results.append(str(place))
        if place.name == "objects" and place.is_dir():
            results += [f"{place}: {oid}" for oid, _, _ in history_rewrite.find_objects(place.parent, FORMS)]
    return results


def told(root: Path) -> dict[str, object]:
    """Return what people look at: the log of SOUL.md, and when and why each of its lines came."""
    with open_workspace(root) as space:
        log = [(item.subject, item.date.isoformat(), item.change) for item in records.list_records(space, "SOUL.md")]
        lines = [(item.text, item.record and item.record.change) for item in line_origins.lines(space)]
        why = [
            (
                item.subject.replace(SECRET, "[purged]"),
                item.change,
                [str(cited.pointer).partition("@")[0] for cited in item.evidence],
            )
            for item in records.list_records(space, limit=500)
            if "objects that were purged" not in item.subject
        ]
    return {"log": log, "blame": lines, "why": why[:400]}


def clawgit(root: Path, *words: str, **environment: str) -> tuple[int, str]:
    """Run the command, with the secret on its stdin."""
    result = subprocess.run(
        [sys.executable, "-c", CODE, *words],
        cwd=root,
        env=os.environ | environment,
        input=SECRET,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout or result.stderr


def built(folder: Path, commits: int, environment: dict[str, str], seed: int) -> Counter[str]:
    """Make a workspace with the secret in it; return how often it stands in which kind of place."""
    root = folder / "space"
    root.mkdir()
    run(root, "init", "-q", "-b", "main")
    run(root, "config", "user.name", "Ada")
    run(root, "config", "user.email", "ada@example.org")
    days = 190
    data = b"".join(stream(commits - 2 * days, 300))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=data, check=True)
    run(root, "reset", "-q", "--hard", "main")
    with init(root).workspace as space:
        plant = Planting(root, seed)
        for number in range(days):
            plant.commit(number)
            if number % 10 == 0:
                plant.counts["entry with a mention"] += 1
                space.apply(memory_lines.make_addition(space, f"The door {number} opens with {SECRET}.").change)
        plant.chats(space, environment, 120)
    remote = folder / "remote.git"
    run(folder, "init", "-q", "--bare", "-b", "main", str(remote))
    run(root, "remote", "add", "origin", str(remote))
    run(root, "push", "-q", "--no-verify", "--mirror", "origin")
    with open_workspace(root) as space:
        plant.beside(space)
    return plant.counts


def measured(folder: Path, environment: dict[str, str], commits: int, kills: int, seed: int = 3) -> None:
    """Plant, purge, and print what is left."""
    counts, root = built(folder, commits, environment, seed), folder / "space"
    print(f"planted in {sum(counts.values())} places: {', '.join(f'{name} {many}' for name, many in counts.items())}")
    before, before_count = told(root), int(run(root, "rev-list", "--count", "--all"))
    print(f"{before_count:,} commits, {len(left(folder))} files and objects hold it")
    results = json.loads(clawgit(root, "purge", "--text", "-", "--json", **environment)[1])
    chance = random.Random(seed)
    words = ("purge", "--text", "-", "--apply", "--json", "--hash")
    for _ in range(kills):
        child = subprocess.Popen(
            [sys.executable, "-c", CODE, *words, results["hash"]],
            cwd=root,
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert child.stdin
        child.stdin.write(SECRET.encode())
        child.stdin.close()
        time.sleep(chance.uniform(0.3, 6))
        if child.poll() is None:
            os.killpg(child.pid, 9)
        child.wait()
        text = clawgit(root, "purge", "--text", "-", "--json", **environment)[1]
        try:
            results = json.loads(text)
        except ValueError:
            print("after a kill:", text.strip()[:200])
    start = time.perf_counter()
    code, text = clawgit(root, *words, results["hash"], **environment)
    print(f"exit {code} in {time.perf_counter() - start:.1f} s: {text.strip()[:300]}")
    push = ["push", "-q", "--no-verify", "--force", "--mirror", "origin"]
    run(root, *push)
    run(folder / "remote.git", "reflog", "expire", "--expire=now", "--all")
    run(folder / "remote.git", "gc", "-q", "--prune=now")
    rest = left(folder)
    print(f"left: {len(rest)} {rest[:5]}")
    after = told(root)
    for name, value in before.items():
        print(f"{name}: {'as before' if after[name] == value else 'OTHERWISE'}")
    print(
        f"commits: {before_count} before, {run(root, 'rev-list', '--count', '--all').strip()} after (one tells of it)"
    )


def main() -> None:
    """Run it with SQLite, then with PostgreSQL."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    for name in ("SQLite", "PostgreSQL"):
        folder = Path(tempfile.mkdtemp(prefix="clawgit-purge-"))
        environment = {"XDG_STATE_HOME": str(folder / "home"), "HOME": str(folder / "home")}
        os.environ.update(environment)
        print(f"== conversations in {name}")
        try:
            if name == "SQLite":
                measured(folder, environment, options.commits, options.kills)
            elif (place := programs()) is None:
                print("PostgreSQL is not installed: apt-get install postgresql", file=sys.stderr)
            else:
                with throwaway(place) as address:
                    with_server(folder, environment | {"CLAWGIT_CHAT_URL": address}, options.commits)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def with_server(folder: Path, environment: dict[str, str], commits: int) -> None:
    """Purge, and look at the files of the server after checkpoints, when its log has gone round."""
    from urllib.parse import parse_qs, urlsplit  # noqa: PLC0415

    import psycopg  # noqa: PLC0415 - an extra

    measured(folder, environment, commits, 0)
    address = environment["CLAWGIT_CHAT_URL"]
    data = Path(parse_qs(urlsplit(address).query)["host"][0]) / "data"
    print(f"the server's files before its log went round: {len(left(data))} hold it")
    with psycopg.connect(address, autocommit=True) as server:
        for _ in range(4):
            server.execute("SELECT pg_switch_wal()")
            server.execute("CHECKPOINT")
    print(f"after checkpoints: {len(left(data))} {[Path(item).name for item in left(data)][:4]}")


if __name__ == "__main__":
    main()
