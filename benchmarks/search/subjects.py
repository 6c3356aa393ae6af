"""Questions that nobody made for a test: what the commits of a repository call the lines that they add.

    python benchmarks/search/subjects.py                     a history that is made here
    python benchmarks/search/subjects.py REPOSITORY...       repositories with Markdown, bare or not; they are only read

The subject of a commit is the question; the lines that it added, as far as they stand, are the answer. Every Markdown
file of the newest commit counts as memory. Core stands beside plain FTS5 on lines and on chunks of 100 and 400 tokens.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, suites
from benchmarks.lib.suites import Suite
from clawgit.search.corpus import is_searched

PERSON = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
PREFIX = re.compile(r"^[\w()/-]{1,30}:\s+")
FEWEST_WORDS, MOST_FILES = 2, 10
SYSTEMS = {
    "FTS5 lines": lambda suite: suites.fts5(suites.each_line(suite)),
    "FTS5 100 tokens": lambda suite: suites.fts5(suites.blocks(suite, 100)),
    "FTS5 400 tokens": lambda suite: suites.fts5(suites.blocks(suite, 400)),
    "Core": suites.core,
}


def git(root: Path, *words: str) -> bytes:
    return subprocess.run(["git", *PERSON, *words], cwd=root, check=True, capture_output=True).stdout


def made(root: Path, commits: int = 400) -> None:
    """Make a history in which each note is called by some of the words of the sentence that it was cut from."""
    chance, pool = random.Random(6), genres.sentences()
    git(root.parent, "init", "-q", "-b", "main", str(root))
    (root / "memory").mkdir()
    for number in range(commits):
        text = pool[number]
        place = root / f"memory/topic-{number % 9}.md"
        rows = place.read_text("utf-8").split("\n") if place.exists() else [f"# Topic {number % 9}", ""]
        rows.insert(2 if chance.random() < 0.5 else len(rows), f"- {text}")
        place.write_text("\n".join(rows), "utf-8")
        subject = genres.question(text, chance) if number % 2 else " ".join(text.split()[1:7]).strip(".")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"memory: {subject}")


def suite(repository: Path, root: Path) -> Suite:
    """Write the newest Markdown of a repository to `root`, and return its subjects as questions about that."""
    standing: dict[tuple[str, str], tuple[str, int]] = {}
    for path, text in _newest(repository):
        place = path if is_searched(path) else f"memory/{path}"
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, "utf-8", newline="")
        rows = text.split("\n")
        often = Counter(row.strip() for row in rows)
        standing |= {
            (path, row.strip()): (place, number) for number, row in enumerate(rows, 1) if often[row.strip()] == 1
        }
    questions: dict[str, frozenset[tuple[str, int]]] = {}
    for subject, addition in _commits(repository):
        gold = frozenset(standing[item] for item in addition if item[1] and item in standing)
        question = PREFIX.sub("", subject).strip()
        telling = len(suites.asked(question)) >= FEWEST_WORDS
        if telling and gold and len({path for path, _ in gold}) <= MOST_FILES:
            questions.setdefault(question, gold)
    day = date.fromisoformat(git(repository, "log", "-1", "--format=%cs").decode().strip())
    return Suite(
        repository.parent.name if repository.name == "repo" else repository.name, root, [*questions.items()], day
    )


def all_of(repositories: Sequence[Path], work: Path) -> Iterator[Suite]:
    """Yield what the subjects of each repository ask; one of which objects are missing is told and passed over."""
    for index, repository in enumerate(repositories):
        try:
            yield suite(repository, work / f"{index}")
        except subprocess.CalledProcessError as exc:
            print(f"{repository}: {exc}", file=sys.stderr)


def _newest(repository: Path) -> list[tuple[str, str]]:
    """Return the Markdown files of the newest commit; one whose bytes a partial copy lacks is left out."""
    results = []
    for row in git(repository, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace").split("\0"):
        kind, _, path = row.partition("\t")
        hidden = any(part.startswith(".") or part in ("node_modules", "templates") for part in path.split("/"))
        if path.endswith(".md") and kind.startswith("100") and not hidden:
            try:
                results.append((path, git(repository, "cat-file", "blob", kind.split()[2]).decode("utf-8", "replace")))
            except subprocess.CalledProcessError:
                print(f"{path}: not in this copy", file=sys.stderr)
    return results


def _commits(repository: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the subject of each commit that is no merge, with the lines that it added: path and text."""
    text = git(
        repository, "log", "--no-merges", "--no-renames", "-p", "-U0", "--no-ext-diff", "--no-textconv",
        "--format=%x00%s", "--", "*.md",
    ).decode("utf-8", "replace")  # fmt: skip
    results = []
    for commit in text.split("\0")[1:]:
        subject, *rows = commit.split("\n")
        addition, path, head = [], "", False
        for row in rows:
            if row.startswith("diff --git "):
                head = True
            elif head and row.startswith("+++ "):
                path = row[4:].strip('"\t').removeprefix("b/")
            elif row.startswith("@@"):
                head = False
            elif not head and row.startswith("+"):
                addition.append((path, row[1:].strip()))
        results.append((subject, addition))
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path, help="repositories with Markdown")
    suites.add_sizes(parser)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="clawgit-subjects-"))
    try:
        if not options.repositories:
            made(work / "made")
        for item in all_of(options.repositories or [work / "made"], work):
            if not item.questions:
                print(f"{item.name}: no commit has a subject that says what its lines are about")
                continue
            rows = {
                name: suites.measured(item, system(item)) for name, system in (suites.sizes(options) or SYSTEMS).items()
            }
            print(f"\n{item.name}: {len(item.questions)} questions\n\n{suites.table(rows)}", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
