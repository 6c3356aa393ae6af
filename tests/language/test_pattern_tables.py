"""Tables of patterns say what TOML says that they do."""

import re

import pytest

from clawgit.language import lexicon, pattern_tables
from clawgit.safety import secrets

FILES = {
    **{file: "triage" for file in sorted(lexicon.DATA.glob("*.toml")) if "\n[triage]" in file.read_text("utf-8")},
    secrets.OURS: "",
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_part_that_a_pattern_names_is_there(file) -> None:
    assert not re.search(r"\{[a-z_]+\}", repr(pattern_tables.read(file, FILES[file])))


def test_parts_stand_in_patterns_and_in_parts_below_them(tmp_path) -> None:
    file = tmp_path / "a.toml"
    rows = "a = '{w}{1,3}\\x{FF08}{W}{no}'\n[t.parts]\nw = 'u'\nv = [\n  '{w}',\n  '{w}.',\n]\n[[t.row]]\nb = ['{v}']\n"
    file.write_text(f"name = 'x'\n[t]\n{rows}[z]\na = 'x'\n", "utf-8")
    assert pattern_tables.read(file, "t") == {"a": "u{1,3}\\x{FF08}{W}{no}", "row": [{"b": ["u|u."]}]}
    assert pattern_tables.read(file, "y") == {}
