"""How well memory is found: Core beside grep, plain FTS5 and rapidfuzz alone, in one run.

    python benchmarks/search/retrieval.py   sets that are made here: notes, long messages, journals, CJK
    python benchmarks/search/retrieval.py --data FOLDER
        and the conversations of a folder with convert.py and a JSON file
    python benchmarks/search/retrieval.py --chunk-tokens 60,100,200 --overlap 0,20
        chunks of these sizes beside each other

Evidence counts within 1,000 and 2,000 returned tokens of four letters; file hit@1, recall@5 and MRR beside it.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, pools, suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.results import keep
from benchmarks.lib.suites import Search, Suite


def run(
    groups: dict[str, list[Suite]], chosen: Mapping[str, Callable[[Suite], Search]]
) -> dict[str, dict[str, dict[str, float]]]:
    results: dict[str, dict[str, dict[str, float]]] = {}
    for title, found in groups.items():
        rows = {}
        for system, made in chosen.items():
            rows[system] = suites.mean([(len(one.questions), suites.measured(one, made(one))) for one in found])
        results[title] = rows
        print(f"\n{title}: {sum(len(one.questions) for one in found)} questions\n\n{suites.table(rows)}", flush=True)
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--work", type=Path, help="where to put what is made; default: a temporary folder")
    parser.add_argument("--only", default="", help="only groups whose name has this")
    parser.add_argument("--systems", default="", help="only these systems, separated by commas")
    parser.add_argument("--vocabulary", default="en", choices=pools.VOCABULARIES, help="whose sentences")
    parser.add_argument("--seed", type=int, default=0, help="another order, and other questions")
    suites.add_sizes(parser)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    work = given.work or Path(tempfile.mkdtemp(prefix="clawgit-retrieval-"))
    try:
        groups = {"conversations": conversations(given.data, work)} if given.data else {}
        pool = pools.pool(given.vocabulary, given.seed)
        groups |= {
            name: made(work, pool) for name, made in (genres.GENRES | genres.MISSPELT).items() if given.only in name
        }
        if pool == genres.ENGLISH:
            groups |= {name: made(work) for name, made in genres.SCRIPTS.items() if given.only in name}
        systems = suites.sizes(given) or suites.SYSTEMS
        chosen = {name: systems[name] for name in systems if not given.systems or name in given.systems.split(",")}
        results = run({name: found for name, found in groups.items() if given.only in name}, chosen)
        keep(results)
        if given.json:
            print(json.dumps(results, ensure_ascii=False))
    finally:
        if not given.work:
            shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
