"""The house keeps the promises that no single room can keep."""

import ast
import graphlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from clawgit.reading.operations import ROLES
from clawgit.workspace.manifest import MAIN, WRITERS, How, Kind
from clawgit.workspace.settings import ALIASES, KEYS
from tests.promises.test_defaults import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "clawgit").rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.md"))
AGENTS = {"memory-miner", "soul-keeper", "recall-validator", "conflict-detector", "memory-compactor"}
MORE_AGENTS = {"organizer", "decay-engine", "lessons"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def repository_files() -> list[Path]:
    """The files of a clone, also future ones; outside of git (a source archive) everything that is not hidden."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0 and (ROOT / ".git").exists():
        paths = [ROOT / path for path in listing.stdout.split("\0") if path]
    else:
        excluded = re.compile(r"/(\.(?!ci/)|__pycache__)")
        paths = [path for path in ROOT.rglob("*") if not excluded.search("/" + name(path))]
    return [path for path in paths if path.is_file()]


def token_ceiling(text: str) -> float:
    """More tokens than any tokenizer makes of English prose: three letters each."""
    return len(text) / 3


# --- modules


def test_a_module_opens_with_a_caption_of_at_most_ten_words() -> None:
    captions = {name(path): ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "" for path in MODULES}
    first_lines = {path: caption.partition("\n")[0] for path, caption in captions.items()}
    assert {path: line for path, line in first_lines.items() if not 0 < len(line.split()) <= 10} == {}


def test_a_module_has_at_most_500_lines() -> None:
    lengths = {name(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {path: length for path, length in lengths.items() if length > 500} == {}


def test_imports_point_down() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--no-cache"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


# --- templates


@pytest.mark.parametrize("template", TEMPLATES, ids=name)
def test_a_template_is_clean_text_without_front_matter(template: Path) -> None:
    text = template.read_bytes().decode("utf-8")
    if template.name == "SKILL.md":  # OpenClaw knows a skill by its front matter
        text = re.sub(r"\A---\n(?:\w+: \S.*\n)+---\n\n", "", text)
    assert "\r" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.startswith("# ")
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)


def test_each_agent_has_a_prompt() -> None:
    assert {path.parent.name for path in (ROOT / "templates/agents").glob("*/SOUL.md")} == AGENTS | MORE_AGENTS


@pytest.mark.parametrize("role", sorted(ROLES))
def test_the_paragraph_of_a_role_names_its_operations(role: str) -> None:
    text = (ROOT / f"templates/agents/{role}/SOUL.md").read_text("utf-8")
    acts = {act for row in re.findall(r"^- (.*?):", text, re.MULTILINE) for act in re.findall(r"`(\w+)`", row)}
    extra_acts = {"correct"} if role == "memory-miner" else set()
    assert acts | extra_acts == set(ROLES[role])


@pytest.mark.parametrize("agent", sorted((AGENTS | MORE_AGENTS) - ROLES.keys()))
def test_a_prompt_says_what_is_read_what_may_be_written_and_what_proves_it(agent: str) -> None:
    headings = (ROOT / f"templates/agents/{agent}/SOUL.md").read_text("utf-8")
    assert "\n## You read\n" in headings
    assert "\n## You may write\n" in headings
    assert re.search(r"\n## Evidence", headings)


def test_the_workspace_has_every_file_that_openclaw_and_clawgit_expect() -> None:
    openclaws = {"SOUL", "IDENTITY", "USER", "AGENTS", "TOOLS", "HEARTBEAT", "BOOTSTRAP", "MEMORY"}
    ours = {"CONFIG", "CORRECTIONS", "CONFLICTS", "gitignore"}
    assert {path.stem for path in (ROOT / "templates/workspace").iterdir()} == openclaws | ours


def test_the_soul_has_openclaws_sections_and_fits_its_slot() -> None:
    soul = (ROOT / "templates/workspace/SOUL.md").read_text("utf-8")
    assert re.findall(r"^## (.+)$", soul, re.MULTILINE) == ["Core Truths", "Boundaries", "Vibe", "Continuity"]
    assert token_ceiling(soul) < 700


def test_memory_starts_without_a_single_entry() -> None:
    memory = (ROOT / "templates/workspace/MEMORY.md").read_text("utf-8")
    assert re.findall(r"^## (.+)$", memory, re.MULTILINE) == ["Decisions", "Knowledge", "Skills", "Events"]
    assert not re.search(r"^\s*[-*+] ", memory, re.MULTILINE)


def test_nothing_in_identity_could_be_taken_for_a_value() -> None:
    """OpenClaw takes every `Label: value` line at its word, so a hint stands on a line without a colon."""
    identity = (ROOT / "templates/workspace/IDENTITY.md").read_text("utf-8")
    filled = [line for line in identity.splitlines() if line.partition(":")[2].strip("*_` ")]
    assert filled == []


def test_the_heartbeat_wakes_nobody() -> None:
    """OpenClaw skips a heartbeat with a file of headings only."""
    heartbeat = (ROOT / "templates/workspace/HEARTBEAT.md").read_text("utf-8")
    assert all(line.startswith("# ") for line in heartbeat.splitlines() if line)


def test_config_holds_the_defaults_and_nothing_else() -> None:
    """One fence, every key, every value; and no key is lost on its way through ruamel (covers P13)."""
    config = (ROOT / "templates/workspace/CONFIG.md").read_text("utf-8")
    (fence,) = re.findall(r"^```yaml\n(.*?)^```$", config, re.MULTILINE | re.DOTALL)
    assert config.count("```") == 2
    values = YAML(typ="safe", pure=True).load(fence)
    assert list(values.items()) == list(SETTINGS.items())
    assert [type(value) for value in values.values()] == [type(value) for value in SETTINGS.values()]


# --- documents


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading of the format, without its head."""
    section = (ROOT / "docs/format.md").read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in section.split("\n") if row.startswith("|")]
    return rows[:1] + rows[2:]


def test_the_format_lists_every_key_as_the_code_has_it() -> None:
    _, *rows = table("CONFIG.md")
    defaults = {key.name: f"`{key.default}`" if key.default != "" else "empty" for key in KEYS.values()}
    assert rows == [[f"`{key.name}`", key.kind.name, defaults[key.name], key.reader] for key in KEYS.values()]
    section = (ROOT / "docs/format.md").read_text("utf-8")
    assert all(f"`{alias}` is another name for `{name}`" in section for alias, name in ALIASES.items())


WORDS: dict[How, str] = {
    "edit": "edit",
    "keep": "add and change records, remove none",
    "move": "move records to the archive",
    "add": "add, remove no line",
}
KINDS: dict[Kind, str] = {
    "soul": "`SOUL.md`, `IDENTITY.md`",
    "rules": "`AGENTS.md`, `TOOLS.md`",
    "ritual": "`HEARTBEAT.md`, `BOOTSTRAP.md`",
    "persona": "`agents/*/SOUL.md` of other agents",
    "prompt": "`agents/*/SOUL.md` of the agents above",
    "user": "`USER.md`, `users/*/USER.md`, `CONFIG.md`",
    "memory": "`MEMORY.md`, `memory_file` and undated files below `memory/`",
    "journal": "journals",
    "corrections": "`CORRECTIONS.md`",
    "conflicts": "`CONFLICTS.md`",
    "archive": "`Archive/`, `memory/archive/`",
    "facts": "`memory/structured/`, `memory/INDEX.md`, `.clawgit/facts.tsv`",
    "view": "`CHANGELOG.md`, `SOUL_CHANGELOG.md`, `COMPACTION_LOG.md`",
    "other": "everything else",
}


def test_the_format_says_who_writes_what_as_the_code_has_it() -> None:
    (_, *agents, main), *rows = table("Write permissions")
    assert (agents, main) == (list(WRITERS), "main agent")
    assert set(agents) == AGENTS | MORE_AGENTS
    rights = [*WRITERS.values(), MAIN]
    assert rows == [
        [files, *(WORDS[may[kind]] if kind in may else "" for may in rights)] for kind, files in KINDS.items()
    ]


def test_each_word_of_the_glossary_stands_there_once_and_in_order() -> None:
    lines = (ROOT / "docs/glossary.md").read_text("utf-8").splitlines()
    words = [match[1] for line in lines if (match := re.match(r"- \*\*(.+?)\*\*: \S", line))]
    assert len(words) == sum(line.startswith("- ") for line in lines) > 0
    assert words == sorted(set(words))


def test_the_architecture_describes_the_rooms_that_exist() -> None:
    table = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/architecture.md").read_text("utf-8"), re.MULTILINE)
    rooms = [path.stem for path in (ROOT / "clawgit").iterdir() if path.is_dir() or path.suffix == ".py"]
    assert sorted(table) == sorted(room for room in rooms if not room.startswith("_"))


def test_a_link_leads_somewhere() -> None:
    dead = []
    for document in [path for path in repository_files() if path.suffix == ".md"]:
        links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", document.read_text("utf-8"))
        dead += [f"{name(document)}: {link}" for link in links if not (document.parent / link).exists()]
    assert dead == []


def test_each_promise_of_security_has_its_test() -> None:
    rows = re.findall(r"\| `(\S+\.py)` `(\w+)` \|$", (ROOT / "docs/security.md").read_text("utf-8"), re.MULTILINE)
    missing = [test for file, test in rows if f"def {test}(" not in (ROOT / "tests" / file).read_text("utf-8")]
    assert rows
    assert missing == []


def test_changelog_and_shortcomings_speak() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    shortcomings = (ROOT / "SHORTCOMINGS.md").read_text("utf-8")
    assert re.search(r"^## \[Unreleased\]\n(?:(?!## \[).*\n)*(?:- |## \[)", changelog, re.MULTILINE)
    assert len(re.findall(r"^- ", shortcomings, re.MULTILINE)) >= 5


def test_no_file_names_anything_outside_the_repository() -> None:
    """Paths of a workbench and documents that no clone has; the pieces keep this file innocent."""
    papers = "DESIGN|STYLE|CLI|PROTOCOL|OPENCLAW|FEATURES|DEPENDENCIES|BENCH"
    pieces = [
        "/wo" + "rk/",
        r"\.\./sha" + r"red\b",
        r"\bsha" + r"red/(?:seeds|locomo)",
        r"\.libr" + r"ary\b",
        rf"\b(?:{papers}|DEVELOP" + r"ERS)\.m" + r"d\b",
        r"\bDESI" + r"GN §",
        r"\biss" + r"ue #?\d",
        r"\bseeds/\d",
    ]
    outside = re.compile("|".join(pieces))
    problems = []
    for path in repository_files():
        text = path.read_bytes().decode("utf-8", "replace")
        problems += [f"{name(path)}: {match[0]}" for match in outside.finditer(text)]
    assert problems == []


@pytest.mark.skipif(shutil.which("make") is None, reason="make; get it: apt-get install make")
def test_make_alone_explains_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY: gone (.+)$", makefile, re.MULTILINE)
    output = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  ([a-z-]+) +\S", output, re.MULTILINE) == phony.split()


def test_what_was_skipped_is_said_with_the_way_to_get_it(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\ndef test_it():\n    pytest.skip('a server; get it: apt-get install server')\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "1 for want of a server\n   get it: apt-get install server\n" in output
    assert "1 skipped" in output.splitlines()[-1]


def test_what_modules_import_at_their_top_makes_no_circle() -> None:
    """Whichever is imported first, all is there; import-linter counts late imports, too, and overlooks some."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}
    needs: dict[str, set[str]] = {}
    for module, path in names.items():
        tops = (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ImportFrom))
        imported = (
            f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in names else node.module
            for node in tops
            for alias in node.names
        )
        needs[module] = {name for name in imported if name in names and name != module}
    tuple(graphlib.TopologicalSorter(needs).static_order())  # raises CycleError, which names the circle


def test_what_contributing_names_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    code = "".join(place.read_text("utf-8") for place in (ROOT / "clawgit").rglob("*.py"))
    code += "".join(place.read_text("utf-8") for place in (ROOT / "tests").rglob("*.py"))
    for name in re.findall(r"`([A-Z_]{3,})`", text):
        assert re.search(rf"^{name}\b.* = ", code, re.MULTILINE), name
    for path in re.findall(r"`([\w/]+\.(?:py|md|toml|txt))`", text):
        places = (*ROOT.glob(path.replace("NAME", "*")), *(ROOT / "clawgit").rglob(path))
        assert places or path == "CONFIG.md", path
