"""The figures of the project that may only fall, and how each is measured."""

import ast
import io
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from tests.ratchets import entered

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("templates", "hooks")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
PERCENTILE = 0.95
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


@cache
def modules() -> Mapping[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted((ROOT / "clawgit").rglob("*.py"))}


@cache
def trees() -> Mapping[Path, ast.Module]:
    return {path: ast.parse(text) for path, text in modules().items()}


@cache
def nodes() -> tuple[ast.AST, ...]:
    return tuple(node for tree in trees().values() for node in ast.walk(tree))


@cache
def functions() -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    return tuple(node for node in nodes() if isinstance(node, FUNCTIONS))


@cache
def docstrings() -> tuple[str, ...]:
    """Return every docstring, with code in it as one word."""
    documented = (*FUNCTIONS, ast.ClassDef, ast.Module)
    texts = (ast.get_docstring(node) for node in nodes() if isinstance(node, documented))
    return tuple(re.sub(r"`[^`]*`", "X", text) for text in texts if text)


# size
def count_files() -> int:
    return len(modules())


def count_lines() -> int:
    """Return the lines of all modules without those of comments, as the formatter lays them out."""
    return sum(not _is_comment(line) for text in modules().values() for line in text.splitlines())


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and "noqa" not in line


def count_statements() -> int:
    """Return the statements of the syntax trees, so that denser lines do not count as fewer."""
    return sum(isinstance(node, ast.stmt) for node in nodes())


def count_tokens() -> int:
    """Return the tokens without comments, docstrings and layout."""
    return sum(map(_count_tokens, modules().values())) - len(docstrings())


def _count_tokens(source: str) -> int:
    return sum(token.type not in LAYOUT for token in tokenize.generate_tokens(io.StringIO(source).readline))


def count_plugin_lines() -> int:
    """Return the lines of JavaScript that OpenClaw runs."""
    return sum(path.read_text("utf-8").count("\n") for path in (ROOT / "hooks").rglob("*.js"))


def count_data_kilobytes() -> int:
    """Return the kilobytes that ship and are neither Python nor JavaScript."""
    folders = [ROOT / "clawgit", *(ROOT / name for name in SHIPPED)]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    data = (path for path in files if path.suffix not in (".py", ".pyc", ".js") and "__pycache__" not in path.parts)
    return sum(path.stat().st_size for path in data) // 1000


def count_test_lines() -> int:
    return sum(path.read_text("utf-8").count("\n") for path in (ROOT / "tests").rglob("*.py"))


# shape
def rank_tokens_of_functions() -> int:
    """Return how many tokens 95 of 100 functions have at most."""
    sizes = []
    for path, tree in trees().items():
        lines = ["" if _is_comment(line) else line for line in modules()[path].splitlines(keepends=True)]
        places = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
        sizes += [len(re.findall(r"\w+|[^\w\s]", "".join(lines[node.lineno - 1 : node.end_lineno]))) for node in places]
    return _percentile(sizes)


def rank_depth_of_functions() -> int:
    """Return how deep the blocks of 95 of 100 functions are nested at most."""
    return _percentile(list(map(_depth, functions())))


def _depth(node: ast.AST) -> int:
    blocks = (child for child in ast.iter_child_nodes(node) if not isinstance(child, (*FUNCTIONS, ast.expr)))
    inner = max(map(_depth, blocks), default=0)
    return inner + isinstance(node, BLOCKS)


def _percentile(values: list[int]) -> int:
    return sorted(values)[int(PERCENTILE * (len(values) - 1))]


# surface
def count_commands() -> int:
    """Return the commands that do something, hidden ones too."""
    return sum(1 for _ in _commands())


def count_options() -> int:
    return sum(name not in ("help", "as_json") for command in _commands() for name in _options(command))


def _options(command: object) -> list[str]:
    import click  # noqa: PLC0415 - only these two measures load it

    assert isinstance(command, click.Command)
    return [option.name or "" for option in command.params if isinstance(option, click.Option)]


@cache
def _commands() -> tuple[object, ...]:
    import click  # noqa: PLC0415

    from clawgit.cli.lazy_commands import cli  # noqa: PLC0415

    def walk(group: click.Group) -> Iterator[click.Command]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from walk(command)
                if command.invoke_without_command:
                    yield command
            else:
                yield command

    return tuple(walk(cli))


def count_settings() -> int:
    from clawgit.workspace.settings import KEYS  # noqa: PLC0415

    return len(KEYS)


# dependencies
def count_packages() -> int:
    """Return the packages that an installation without extras brings."""
    return len(_dependencies())


def count_dependency_megabytes() -> int:
    """Return their size on the disk."""
    files = (file for name in _dependencies() for file in metadata.files(name) or ())
    return sum(file.size or 0 for file in files if "__pycache__" not in file.parts) // 1_000_000


@cache
def _dependencies() -> tuple[str, ...]:
    from packaging.requirements import Requirement  # noqa: PLC0415

    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    left, names = [Requirement(text) for text in requirements], {}
    while left:
        requirement = left.pop()
        extras = requirement.extras or {""}
        if not any(requirement.marker is None or requirement.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        name = requirement.name.lower().replace("_", "-")
        if name in names:
            continue
        names[name] = True
        inner = (Requirement(text) for text in metadata.requires(name) or ())
        left += [
            requirement
            for requirement in inner
            if requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in extras)
        ]
    return tuple(names)


def count_modules_of_version() -> int:
    """Return the modules that `clawgit --version` imports."""
    probe = "import sys; from clawgit.cli.main import main; main(['--version']); print(len(sys.modules))"
    result = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(result.stdout.split()[-1])


def count_state_files() -> int:
    """Return the kinds of files that a day leaves in `.git/clawgit` and `.clawgit`; digits and ids are one kind."""
    from tests.promises.desk import Desk  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        desk = Desk.adopt(Path(folder, "ws"))
        for arguments in DAY:
            desk.call(*arguments)
        files = (path for name in (".git/clawgit", ".clawgit") for path in (desk.root / name).rglob("*"))
        names = {path.relative_to(desk.root).as_posix() for path in files if path.is_file()}
    return len({re.sub(r"[0-9a-f]{8,}|[k-z]{8,}|[0-9]+", "N", name) for name in names})


DAY = (
    ("remember", "The lamps are rated at 400 watts."),
    ("correct", "not Tuesday evening, Thursday evening"),
    ("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", "Asked for."),
    ("soul", "edit", "--add", "Never wait.", "--section", "Core", "--why", "Asked for.", "--propose"),
    ("undo",),
    ("capture",),
    ("search", "pump"),
    ("context", "Who looks after the pumps?"),
    ("status",),
    ("doctor",),
    ("digest",),
    ("triage", "Remember that the boiler is serviced in March."),
    ("run", "memory-miner"),
    ("schedule", "run", "--once"),
)


# names and prose
DIALECT = frozenset((Path(__file__).parent / "dialect.txt").read_text("utf-8").split("\n", 1)[1].split())
FIELD_PREFIXES = {"to", "from", "on", "with", "is", "has", "as", "by", "in"}
FIELD_LOCALS = {"first", "last", "left", "other", "others", "before", "after", "next", "now", "all", "any", "none"}
PROSE = re.compile(
    r"\b(what|whoever|whatever|who|whose|where|told|tells?|said|says?|stands?|stood|lies|bears?|holds?|held)\b",
    re.IGNORECASE,
)


def count_dialect_functions() -> int:
    """Return the functions that begin with a participle or function word."""
    names = (node for node in functions() if not node.name.startswith("__"))
    plain = (
        node.name
        for node in names
        if not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
    )
    return sum(map(_is_dialect, plain))


def _is_dialect(name: str) -> bool:
    words = [word for word in name.strip("_").split("_") if word]
    word = words[0].lower() if words else ""
    return word in DIALECT and not (word in FIELD_PREFIXES and len(words) > 1)


def count_dialect_locals() -> int:
    """Return the variables and arguments that have such a word alone for a name."""
    return _count_locals(nodes())


def _count_locals(tree_nodes: Collection[ast.AST]) -> int:
    names = [node.id for node in tree_nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names += [node.arg for node in tree_nodes if isinstance(node, ast.arg)]
    bare = (name.strip("_").lower() for name in names)
    return sum(name in DIALECT and name not in FIELD_LOCALS for name in bare)


def count_dialect_of_tests() -> int:
    """Return such functions, variables and arguments of the tests, and the words of the dialect in their docstrings."""
    sources = [path.read_text("utf-8") for path in sorted((ROOT / "tests").rglob("*.py"))]
    tree_nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    names = sum(_is_dialect(node.name) for node in tree_nodes if isinstance(node, FUNCTIONS))
    documented = (node for node in tree_nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)))
    texts = (re.sub(r"`[^`]*`", "X", ast.get_docstring(node) or "") for node in documented)
    return names + _count_locals(tree_nodes) + sum(len(PROSE.findall(text)) for text in texts)


def count_repeated_names() -> int:
    """Return the functions and classes at the top of a module that share their name with those of others."""
    places: defaultdict[str, int] = defaultdict(int)
    for tree in trees().values():
        for name in {node.name for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))}:
            places[name] += 1
    return sum(times for times in places.values() if times > 1)


def count_clauses_in_docstrings() -> int:
    """Return the words of the private dialect in docstrings."""
    return sum(len(PROSE.findall(text)) for text in docstrings())


def count_clauses_in_documents() -> int:
    """Return them in the documents of the project, but for decisions and the log of changes."""
    return sum(len(PROSE.findall(_plain_text(path))) for path in _documents())


def _documents() -> Iterator[Path]:
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "SHORTCOMINGS.md"))
    yield from (path for path in sorted((ROOT / "docs").rglob("*.md")) if "decisions" not in path.parts)


def _plain_text(path: Path) -> str:
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)))


# words of languages, which are data
LONG_PATTERN_CHARS = 200
PATTERN_MARKS = ("|", "(?", "\\b", "\\s", "\\d", "\\w")


@cache
def literals() -> Mapping[Path, tuple[str, ...]]:
    """Return the strings of each module, an f-string as one; no docstrings."""
    return {path: tuple(_literals(tree)) for path, tree in trees().items()}


def _literals(tree: ast.AST) -> Iterator[str]:
    match tree:
        case ast.JoinedStr():
            yield "".join(str(part.value) for part in tree.values if isinstance(part, ast.Constant))
        case ast.Constant(value=str(text)):
            yield text
        case ast.Expr(value=ast.Constant()):
            pass
        case _:
            for node in ast.iter_child_nodes(tree):
                yield from _literals(node)


def count_long_patterns() -> int:
    """Return the patterns of more than 200 letters."""
    texts = (
        text for texts_of_module in literals().values() for text in texts_of_module if len(text) > LONG_PATTERN_CHARS
    )
    return sum(any(mark in text for mark in PATTERN_MARKS) for text in texts)


def count_foreign_literals() -> int:
    """Return the strings with letters that are not Latin: words of a language belong into data."""
    return sum(
        any(map(_is_foreign, text))
        for texts_of_module in literals().values()
        for text in texts_of_module
        if not text.isascii()
    )


@cache
def _is_foreign(letter: str) -> bool:
    latin = ("LATIN", "FULLWIDTH LATIN", "MICRO", "FEMININE", "MASCULINE")
    return letter.isalpha() and not unicodedata.name(letter, "LATIN").startswith(latin)


def count_late_imports() -> int:
    """Return the imports inside functions."""
    return sum(isinstance(inner, (ast.Import, ast.ImportFrom)) for node in functions() for inner in node.body)


def count_repeated_modules() -> int:
    """Return the names that several modules have."""
    return sum(times > 1 for times in Counter(path.stem for path in modules() if path.stem != "__init__").values())


def count_comments() -> int:
    lines = [line.strip() for text in modules().values() for line in text.split("\n")]
    return len(lines) // max(1, sum(line.startswith("#") and "noqa" not in line for line in lines))


# errors
def list_error_keys() -> tuple[str, ...]:
    from clawgit.errors import KEYS  # noqa: PLC0415

    return tuple(sorted(KEYS))


def list_handlers() -> Counter[str]:
    """Return the `except` clauses by package and type."""
    packages = {path: "/".join(path.relative_to(ROOT).parts[:-1][:2]) for path in trees()}
    return Counter(
        f"{packages[path]} except {_read_exceptions(node)}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
    )


def _read_exceptions(node: ast.ExceptHandler) -> str:
    """Return the exceptions of a handler, without the modules of the names."""
    return re.sub(r"\b[a-z_0-9]+\.", "", ast.unparse(node.type)) if node.type else "everything"


def list_fixes() -> tuple[str, ...]:
    """Return the templates of commands that errors and findings print as their fix."""
    calls = (node for node in nodes() if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    commands = (call.args[0] for call in calls if call.func.id == "Command" and call.args)
    return tuple(sorted({template for template in map(_read_template, commands) if template}))


def _read_template(node: ast.expr) -> str:
    """Return a template as it is written, with `{}` for each piece of an f-string; "" if it is neither."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return ""


def count_fixes_without_run() -> int:
    """Return the commands printed as a fix that no test runs as printed."""
    run = (ROOT / "tests/promises/fixes_run.txt").read_text("utf-8").splitlines()
    return len(set(list_fixes()) - set(run))


# tests
SENTENCE_WORDS = 3


def count_compared_sentences() -> int:
    """Return the strings of three or more words that tests compare with something."""
    return sum(map(list_compared_sentences, sorted((ROOT / "tests").rglob("test_*.py"))))


def list_compared_sentences(path: Path) -> int:
    """Return how many a file of tests has: in an `assert`, or in a `match=`."""
    tree = ast.parse(path.read_text("utf-8"))
    places = [node.test for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    places += [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "match"]
    texts = (node.value for place in places for node in ast.walk(place) if isinstance(node, ast.Constant))
    return sum(isinstance(text, str) and _is_sentence(text) for text in texts)


def _is_sentence(text: str) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= SENTENCE_WORDS and " " in text.strip()


def count_missing_promises() -> int:
    """Return the promises that are expected to fail."""
    texts = (path.read_text("utf-8") for path in (ROOT / "tests/promises").rglob("test_*.py"))
    return sum(len(re.findall(r"^@missing\(|marks=missing\(", text, re.MULTILINE)) for text in texts)


def count_functions_not_entered() -> int:
    """Return the functions that neither a promise nor a kept unit suite entered when entered.py ran last."""
    return len(set(entered.LIST.read_text("utf-8").splitlines()) & entered.list_functions())


FIGURES: Mapping[str, Callable[[], int]] = {
    "tokens": count_tokens,
    "lines": count_lines,
    "statements": count_statements,
    "files": count_files,
    "plugin_lines": count_plugin_lines,
    "data_kilobytes": count_data_kilobytes,
    "test_lines": count_test_lines,
    "packages": count_packages,
    "dependency_megabytes": count_dependency_megabytes,
    "tokens_of_a_function": rank_tokens_of_functions,
    "depth_of_a_function": rank_depth_of_functions,
    "commands": count_commands,
    "options": count_options,
    "settings": count_settings,
    "state_files": count_state_files,
    "modules_of_version": count_modules_of_version,
    "dialect_functions": count_dialect_functions,
    "dialect_locals": count_dialect_locals,
    "dialect_of_tests": count_dialect_of_tests,
    "repeated_names": count_repeated_names,
    "clauses_in_docstrings": count_clauses_in_docstrings,
    "clauses_in_documents": count_clauses_in_documents,
    "lines_for_a_comment": count_comments,
    "late_imports": count_late_imports,
    "repeated_modules": count_repeated_modules,
    "long_patterns": count_long_patterns,
    "foreign_literals": count_foreign_literals,
    "compared_sentences": count_compared_sentences,
    "fixes_without_run": count_fixes_without_run,
    "missing_promises": count_missing_promises,
    "functions_not_entered": count_functions_not_entered,
}
