"""Questions that nobody made for a test: what commits call the lines that they add.

    python benchmarks/subjects.py                     a history that is made here
    python benchmarks/subjects.py --repo FOLDER       a repository with long Markdown; it is cloned, not touched

The subject of a commit is the question; the lines that it added, as far as they stand, are the answer. Of a repository
every Markdown file counts as memory.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import genres
import suites
from suites import Suite

from clawgit.search.drafts import drafts
from clawgit.workspace.workspace import open_workspace

PERSON = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *PERSON, *words], cwd=root, check=True, capture_output=True)


def made(root: Path, commits: int = 400) -> None:
    """Make a history in which each note is called by some of the words of the sentence that it was cut from."""
    chance, pool = random.Random(6), genres.sentences()
    git(root.parent, "init", "-q", "-b", "main", str(root))
    (root / "memory").mkdir()
    for number in range(commits):
        said = pool[number]
        place = root / f"memory/topic-{number % 9}.md"
        rows = place.read_text("utf-8").split("\n") if place.exists() else [f"# Topic {number % 9}", ""]
        rows.insert(2 if chance.random() < 0.5 else len(rows), f"- {said}")
        place.write_text("\n".join(rows), "utf-8")
        subject = genres.question(said, chance) if number % 2 else " ".join(said.split()[1:7]).strip(".")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"memory: {subject}")


def cloned(source: Path, root: Path) -> None:
    """Clone a repository with all of its Markdown below memory/, history and all."""
    git(root.parent, "clone", "-q", "--no-hardlinks", str(source.resolve()), str(root))
    listed = "git ls-files -s | sed 's-\\t\\\"*-&memory/-'"
    move = f"{listed} | GIT_INDEX_FILE=$GIT_INDEX_FILE.new git update-index --index-info"
    move += ' && mv "$GIT_INDEX_FILE.new" "$GIT_INDEX_FILE" || true'
    subprocess.run(
        ["git", *PERSON, "filter-branch", "--index-filter", move, "HEAD"],
        cwd=root,
        check=True,
        capture_output=True,
        env={"FILTER_BRANCH_SQUELCH_WARNING": "1", "PATH": "/usr/bin:/bin"},
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, help="a repository with long Markdown")
    suites.add_sizes(parser)
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="clawgit-subjects-"))
    root = work / "ws"
    try:
        cloned(given.repo, root) if given.repo else made(root)
        with open_workspace(root) as workspace:
            questions = [
                (one.text, frozenset((path, at) for path, a, b in one.expected for at in range(a, b + 1)))
                for one in drafts(workspace)
            ]
        if not questions:
            print("no commit there has a subject that says what its lines are about")
            return 1
        suite = Suite("subjects", root, questions)
        rows = {
            name: suites.measured(suite, system(suite))
            for name, system in (suites.sizes(given) or suites.SYSTEMS).items()
        }
        print(f"{len(questions)} questions\n\n{suites.table(rows)}")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
