"""What the house does not want yet still has: numbers that may only go down.

python tests/test_ratchets.py    writes the lower numbers into tests/ratchets.toml; it never writes higher ones
"""

import ast
import io
import sys
import tokenize
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HELD = ROOT / "tests" / "ratchets.toml"
LONG = 200
"""Letters of a pattern that is read whole."""
PATTERN = ("|", "(?", "\\b", "\\s", "\\d", "\\w")
FIX = "python tests/test_ratchets.py"


@cache
def modules() -> Mapping[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted((ROOT / "clawgit").rglob("*.py"))}


def room(path: Path) -> str:
    """The package a module is in: what is counted is counted there, so that a move within it changes nothing."""
    parts = path.relative_to(ROOT / "clawgit").parts
    return parts[0] if len(parts) > 1 else "clawgit"


@cache
def read() -> Mapping[Path, tuple[list[str], int]]:
    """What is written between quotes in each module, neighbours and f-strings as one, no docstrings; late imports."""
    return {path: _read(ast.parse(text)) for path, text in modules().items()}


def _read(tree: ast.Module) -> tuple[list[str], int]:
    found, late = [], 0
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        match node:
            case ast.JoinedStr():
                found.append("".join(part.value for part in node.values if isinstance(part, ast.Constant)))
                left += (inner for inner in ast.walk(node) if isinstance(inner, ast.JoinedStr) and inner is not node)
            case ast.Constant(value=str(text)):
                found.append(text)
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    late += sum(isinstance(inner, (ast.Import, ast.ImportFrom)) for inner in node.body)
                left += ast.iter_child_nodes(node)
    return found, late


@cache
def foreign(letter: str) -> bool:
    return letter.isalpha() and not unicodedata.name(letter, "LATIN").startswith(
        ("LATIN", "FULLWIDTH LATIN", "MICRO", "FEMININE", "MASCULINE")
    )


def stems() -> dict[str, int]:
    found = Counter(path.stem for path in modules() if path.stem != "__init__")
    return {stem: times for stem, times in found.items() if times > 1}


def patterns() -> dict[str, int]:
    """Patterns of more than 200 letters, by room."""
    return counted(
        {
            path: sum(len(one) > LONG and any(mark in one for mark in PATTERN) for one in said)
            for path, (said, _) in read().items()
        }
    )


def scripts() -> dict[str, int]:
    """Pieces of strings with letters that are not Latin, by room; a range of a script stands in escapes."""
    return counted({path: sum(any(map(foreign, piece)) for piece in pieces(text)) for path, text in modules().items()})


def pieces(text: str) -> Iterator[str]:
    if not text.isascii():
        spoken = ('"""', "'" * 3)
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING and not token.string.startswith(spoken):
                yield token.string


def imports() -> dict[str, int]:
    """Imports inside functions, by room."""
    return counted({path: late for path, (_, late) in read().items()})


def counted(by_path: Mapping[Path, int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for path, times in by_path.items():
        found[room(path)] += times
    return {name: times for name, times in sorted(found.items()) if times}


MEASURES = {"stems": stems, "patterns": patterns, "scripts": scripts, "imports": imports}


@pytest.mark.parametrize("measure", MEASURES)
def test_a_number_only_goes_down(measure: str) -> None:
    """Held exactly, so that what was won is not lost again."""
    held = tomllib.loads(HELD.read_text("utf-8"))[measure]
    now = MEASURES[measure]()
    worse = {name: f"{held.get(name, 0)} -> {times}" for name, times in now.items() if times > held.get(name, 0)}
    assert not worse, f"more {measure} than before: {worse}"
    better = {name: f"{times} -> {now.get(name, 0)}" for name, times in held.items() if times > now.get(name, 0)}
    assert not better, f"fewer {measure}, well done; hold it: {FIX} ({better})"


def test_words_of_languages_are_data() -> None:
    """The readers of language hold no word of one, and no pattern that a person could not read."""
    assert "language" not in scripts()
    assert "language" not in patterns()


def write(*, fresh: bool) -> None:
    held = {} if fresh else tomllib.loads(HELD.read_text("utf-8"))
    parts = [
        "# What may only go down (tests/test_ratchets.py). Take nothing up; a lower number is written by the script.\n"
    ]
    for name, measure in MEASURES.items():
        now = measure()
        rows = {key: times if fresh else min(times, held[name].get(key, 0)) for key, times in sorted(now.items())}
        parts.append(f"\n[{name}]\n" + "".join(f"{key} = {times}\n" for key, times in rows.items() if times))
    HELD.write_text("".join(parts), "utf-8")


if __name__ == "__main__":
    write(fresh="--fresh" in sys.argv)
