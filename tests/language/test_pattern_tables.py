"""Tables of patterns say what TOML says that they do."""

import re
import tomllib

import pytest

from clawgit.language import lexicon, pattern_tables
from clawgit.safety import script_patterns, secrets

FILES = {
    **{file: "triage" for file in sorted(lexicon.DATA.glob("*.toml")) if "\n[triage]" in file.read_text("utf-8")},
    secrets.OURS: "",
    **dict.fromkeys(sorted(script_patterns.DATA.glob("*.toml")), ""),
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_lines_are_read_as_toml_reads_them(file) -> None:
    name, text = FILES[file], file.read_text("utf-8")
    assert pattern_tables.lines(text, name) == (tomllib.loads(text)[name] if name else tomllib.loads(text))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_part_that_a_pattern_names_is_there(file) -> None:
    assert not re.search(r"\{[a-z_]+\}", repr(pattern_tables.read(file, FILES[file])))


@pytest.mark.parametrize(
    "written",
    [
        "a = '''it's'''\nb = ['x', '''y'z''']\n# said\n\nc = true\n[d]  # of it\ne = [\n  'f',\n\n  ['g', 'h'],\n]\n",
        "[a.b]\nc = 'd'\n[[a.e]]\nf = 'g'\n[[a.e]]\nf = ''\n",
        'a = "tab\\t"\nb = 1\n',
        "a = ['x', \"y\"]\n",
        "a = [\n  'x'\n]\n",
        "a = [\n  'x', 'y',\n]\n",
        "a = '''\nx\n'''\n",
        "a = [\n  'x',\n  # said\n]\nb.c = 'x'\n",
        "a = 'x'  # said\n",
        "a = [\n  'x', # said\n]\n",
        "a = { b = 'c' }\n",
    ],
)
def test_what_the_lines_do_not_say_toml_is_asked(written: str, tmp_path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(written, "utf-8")
    assert pattern_tables.read(file) == tomllib.loads(written)


def test_a_broken_file_is_refused(tmp_path) -> None:
    (tmp_path / "a.toml").write_text("a = 'b'\n[triage]\nmemory = [\n  'x',\n[triage.parts]\n", "utf-8")
    with pytest.raises(tomllib.TOMLDecodeError):
        pattern_tables.read(tmp_path / "a.toml", "triage")


def test_parts_stand_in_patterns_and_in_parts_below_them(tmp_path) -> None:
    file = tmp_path / "a.toml"
    rows = "a = '{w}{1,3}\\x{FF08}{W}{no}'\n[t.parts]\nw = 'u'\nv = [\n  '{w}',\n  '{w}.',\n]\n[[t.row]]\nb = ['{v}']\n"
    file.write_text(f"name = 'x'\n[t]\n{rows}[z]\na = 'x'\n", "utf-8")
    assert pattern_tables.read(file, "t") == {"a": "u{1,3}\\x{FF08}{W}{no}", "row": [{"b": ["u|u."]}]}
    assert pattern_tables.read(file, "y") == {}


@pytest.mark.parametrize(
    "written", ["[t]\na = 'b'\n", "[[t.row]]\nb = 'c'\n[t]\na = 'b'\n", "x = '[t]'\n[t]\na = 'b'\n"]
)
def test_a_table_is_found_wherever_it_begins(written: str) -> None:
    assert pattern_tables.lines(written, "t") == tomllib.loads(written)["t"]
