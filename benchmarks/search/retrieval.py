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
    groups: dict[str, list[Suite]], sample: Mapping[str, Callable[[Suite], Search]]
) -> dict[str, dict[str, dict[str, float]]]:
    results: dict[str, dict[str, dict[str, float]]] = {}
    for title, found in groups.items():
        rows = {}
        for system, build in sample.items():
            rows[system] = suites.mean([(len(item.questions), suites.measured(item, build(item))) for item in found])
        results[title] = rows
        print(f"\n{title}: {sum(len(item.questions) for item in found)} questions\n\n{suites.table(rows)}", flush=True)
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
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="clawgit-retrieval-"))
    try:
        groups = {"conversations": conversations(options.data, work)} if options.data else {}
        pool = pools.pool(options.vocabulary, options.seed)
        groups |= {
            name: build(work, pool) for name, build in (genres.GENRES | genres.MISSPELT).items() if options.only in name
        }
        if pool == genres.ENGLISH:
            groups |= {name: build(work) for name, build in genres.SCRIPTS.items() if options.only in name}
        systems = suites.sizes(options) or suites.SYSTEMS
        sample = {name: systems[name] for name in systems if not options.systems or name in options.systems.split(",")}
        results = run({name: results for name, results in groups.items() if options.only in name}, sample)
        keep(results)
        if options.json:
            print(json.dumps(results, ensure_ascii=False))
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
