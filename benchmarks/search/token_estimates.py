"""How far what a text is said to cost lies above real tokenizers, by kind of text.

    python benchmarks/search/token_estimates.py --anthropic FILE
    python benchmarks/search/token_estimates.py --anthropic FILE --write    make the tables of clawgit/context/data

Needs bpe-openai (`pip install bpe-openai`), and of Anthropic's package for Node (`npm install @anthropic-ai/tokenizer`)
the JSON file. Passages of 600 to 1,500 letters: translations of this machine's programs, the library's code, random
keys, and `--data` a folder of Markdown. `unknown` is held against the largest of the three.
"""

import argparse
import base64
import gettext
import gzip
import json
import random
import statistics
import sys
import sysconfig
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.context import token_cost

RANKS = {"cl100k": 48_000, "o200k": 82_000, "anthropic": 40_000}
"""How much of each table is kept: with less, what is not English comes out too high."""
ROOT = Path(__file__).resolve().parents[2]


def cut(text: str, most: int, chance: random.Random) -> list[str]:
    """Return passages of a text, chosen by chance."""
    found, held, wanted = [], "", chance.randint(600, 1500)
    for line in text.split("\n"):
        held += f"{line[:1500]}\n"
        if len(held) >= wanted:
            found.append(held)
            held, wanted = "", chance.randint(600, 1500)
    return chance.sample(found, min(most, len(found)))


def passages(data: Path | None) -> Iterator[tuple[str, str]]:
    """Yield passages by the kind of text that they are."""
    chance = random.Random(5)
    for place in sorted(Path("/usr/share/locale").glob("*/LC_MESSAGES")):
        said = [text for mo in sorted(place.glob("*.mo"))[:12] for text in _messages(mo)]
        chance.shuffle(said)
        yield from (("translations", one) for one in cut("\n".join(said), 12, chance))
    for place in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        yield from (("code", one) for one in cut(place.read_text("utf-8", "replace"), 2, chance))
    for place in sorted((ROOT / "docs").rglob("*.md")):
        yield from (("documents", one) for one in cut(place.read_text("utf-8"), 4, chance))
    for at in range(60):
        data_ = chance.randbytes(500)
        yield "keys", (base64.b64encode(data_).decode(), data_.hex(), str([*data_]))[at % 3]
    for place in sorted(data.rglob("*.md")) if data else ():
        yield from (("data", one) for one in cut(place.read_text("utf-8", "replace"), 3, chance))


def _messages(place: Path) -> list[str]:
    try:
        with place.open("rb") as file:
            known = vars(gettext.GNUTranslations(file))["_catalog"]
    except (OSError, ValueError, IndexError):
        return []
    return [said for key, said in known.items() if key and isinstance(said, str) and len(said) > 20 and said != key]


def tables(published: Path) -> dict[str, list[bytes]]:
    """Return the tokens of each whole table in the order of their ranks."""
    import bpe_openai  # noqa: PLC0415 - no dependency

    found = {}
    for name in ("cl100k", "o200k"):
        ranks = vars(bpe_openai.get_encoding(f"{name}_base"))["_mergeable_ranks"]
        found[name] = sorted(ranks, key=ranks.get)
    found["anthropic"] = [
        base64.b64decode(token) for token in json.loads(published.read_text("utf-8"))["bpe_ranks"].split()[2:]
    ]
    return found


def write(whole: dict[str, list[bytes]]) -> None:
    for name, tokens in whole.items():
        kept = [token for token in tokens[: RANKS[name]] if len(token) > 1]
        place = token_cost.DATA / f"{name}.gz"
        place.write_bytes(gzip.compress(token_cost.APART.join(kept), 9, mtime=0))
        print(f"{place.relative_to(ROOT)}: {len(kept)} tokens, {place.stat().st_size} bytes")


def real(whole: dict[str, list[bytes]]) -> dict[str, Callable[[str], int]]:
    """Return what counts by the whole tables."""
    import bpe_openai  # noqa: PLC0415 - no dependency

    cl100k, o200k = (bpe_openai.get_encoding(f"{name}_base").encode_ordinary for name in ("cl100k", "o200k"))
    pieces, tokens = token_cost.counting({token: rank for rank, token in enumerate(whole["anthropic"])}, "anthropic")

    def largest(text: str) -> int:
        anthropic = sum(map(tokens, pieces(unicodedata.normalize("NFKC", text))))
        return max(len(cl100k(text)), len(o200k(text)), anthropic)

    return {"cl100k": lambda text: len(cl100k(text)), "o200k": lambda text: len(o200k(text)), "unknown": largest}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anthropic", type=Path, required=True, help="the JSON file of @anthropic-ai/tokenizer")
    parser.add_argument("--data", type=Path, help="a folder of Markdown")
    parser.add_argument("--write", action="store_true", help="make the tables")
    given = parser.parse_args()
    whole = tables(given.anthropic)
    if given.write:
        write(whole)
        return 0
    texts, counts = list(passages(given.data)), real(whole)
    results = {}
    print("| tokenizer | texts | n | median | 95 % | over | worst |\n|---|---|---|---|---|---|---|")
    for name in token_cost.TOKENIZERS:
        rates = [(kind, token_cost.cost(text, name) / counts[name](text)) for kind, text in texts]
        for kind in ("all", *dict.fromkeys(kind for kind, _ in texts)):
            some = sorted(rate for one, rate in rates if kind in ("all", one))
            over = sum(rate < 1 for rate in some)
            row = {
                "n": len(some),
                "median": statistics.median(some),
                "95 %": some[len(some) * 19 // 20],
                "over": over / len(some),
                "worst": some[0],
            }
            results[f"{name} {kind}"] = row
            cells = f"{row['median']:.3f} | {row['95 %']:.3f} | {row['over']:.2%} | {row['worst']:.3f}"
            print(f"| {name} | {kind} | {row['n']} | {cells} |", flush=True)
    keep(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
