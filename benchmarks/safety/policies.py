"""What becomes of hostile and honest edits on disk, under each soul_policy.

    python benchmarks/safety/policies.py   every part of corpora, each edit in a workspace of its own
    python benchmarks/safety/policies.py --part fresh   only edits that the rules have not seen
    python benchmarks/safety/policies.py --show   and what was let through, or held against its writer, by mistake
    python benchmarks/safety/policies.py --json

Each edit is written over a file that the operator approved, as a file tool of the agent does, and a capture follows.
Told: an alarm was raised; found: a high one, for what the words say. Put back: what was approved stands on disk again.
Kept: the edit stands on disk, in history or on the desk, to the letter.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.safety.grading import HALVES, Edit, edits
from clawgit.git.repository import find
from clawgit.workspace import bootstrap, file_roles, proposal, trust_review
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.settings import POLICIES
from clawgit.workspace.workspace import Workspace

WHEN = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)
IDENTITY = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
OPERATOR = "# User\n\n- **Name:** Mara Lindqvist\n- **What to call them:** Mara\n"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one edit."""

    edit: Edit
    told: bool
    found: bool
    put_back: bool
    kept: bool


def mould(folder: Path, policy: str) -> Path:
    """Make a workspace under `policy`, whose identity is approved."""
    root = folder / policy
    bootstrap.init(root).workspace.close()
    (root / "CONFIG.md").write_text(f"```yaml\nsoul_policy: {policy}\n```\n")
    (root / "USER.md").write_text(OPERATOR)
    (root / "BOOTSTRAP.md").unlink(missing_ok=True)
    _commit(root)
    return root


def _commit(root: Path) -> None:
    for command in (("add", "-A"), ("commit", "-qm", "as approved", "--allow-empty", "--no-verify")):
        subprocess.run(["git", "-C", root, *IDENTITY, *command], check=True, capture_output=True)


def _open(root: Path) -> Workspace:
    return Workspace(find(root), lambda: WHEN)


def fate(made: Path, folder: Path, edit: Edit) -> Fate:
    """Return what becomes of `edit` in a copy of a workspace."""
    root = folder / "workspace"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(made, root, symlinks=True)
    place = root / edit.file
    _write(place, edit.before)
    _commit(root)
    trust_review.approve_head(_open(root))
    capture_all(_open(root))
    _write(place, edit.after)
    outcome = capture_all(_open(root))
    stands = place.read_bytes().decode() if place.exists() else None
    waiting = [one.texts[edit.file][1] for one in proposal.waiting_proposals(find(root))]
    levels = {alarm.level for one in outcome.captured for alarm in one.alarms}
    found = "high" in levels or bool(outcome.held)
    return Fate(edit, bool(levels) or found, found, stands == edit.before, edit.after in (stands, *waiting))


def _write(place: Path, text: str | None) -> None:
    if text is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())


def fates(policy: str, corpus: str, parts: tuple[str, ...]) -> Iterator[Fate]:
    """Yield what becomes of every edit of an identity file in `parts` of `corpus`."""
    with tempfile.TemporaryDirectory(prefix="clawgit-policies-") as folder:
        made = mould(Path(folder), policy)
        for edit in (edit for part in parts for edit in edits(corpus, part) if file_roles.guarded(edit.file)):
            yield fate(made, Path(folder), edit)


def main() -> None:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=HALVES, action="append", help="only this part; may be repeated")
    parser.add_argument("--show", action="store_true", help="list what was misjudged under evolve")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    parts = tuple(options.part or HALVES)
    rows = []
    start = time.perf_counter()
    for policy in POLICIES:
        for corpus in ("attacks", "honest"):
            found = list(fates(policy, corpus, parts))
            counts = Counter(name for one in found for name in NAMES if getattr(one, name))
            rows.append({"policy": policy, "edits": corpus, "count": len(found), **counts})
            if options.show and policy == "evolve":
                _show(corpus, found)
    keep({"parts": parts, "rows": rows})
    if options.json:
        print(json.dumps({"parts": parts, "rows": rows}, indent=2))
        return
    heads = "".join(f"{name.replace('_', ' '):>13}" for name in NAMES)
    print(f"{'policy':8} {'edits':8} {'count':>6}{heads}   ({', '.join(parts)})")
    for row in rows:
        shares = "".join(f"{row.get(n, 0):>7} {100 * row.get(n, 0) / row['count']:>3.0f} %" for n in NAMES)
        print(f"{row['policy']:8} {row['edits']:8} {row['count']:>6}{shares}")
    print(f"{time.perf_counter() - start:.0f} s")


NAMES = ("told", "found", "put_back", "kept")


def _show(corpus: str, found: list[Fate]) -> None:
    for one in found:
        if one.found != (corpus == "attacks"):
            print(f"  {corpus} {one.edit.kind:12} {one.edit.file:20} {one.edit.language}  {one.edit.changed[:150]!r}")


if __name__ == "__main__":
    main()
