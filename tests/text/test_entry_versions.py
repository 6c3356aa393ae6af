"""Versions of a file read piece by piece have the entries that they have when they are read whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text.entry import entries, hash_entry
from clawgit.text.entry_versions import EntryReader
from tests.amounts import amount

ROWS = (
    *(
        "",
        "",
        "",
        "- a b c",
        "  - nested",
        "    deep",
        "1. first",
        "text here",
        "**Date:** x",
    ),
    *(
        "| a | b |",
        "|---|---|",
        "| c | d |",
        "```",
        "~~~",
        "***",
        "```py",
        "  ```",
        "```a``` b",
        "> quote",
        "> - q",
    ),
    *("<!-- c -->", "<!-- open", "-->", "<div>", "</div>", "<script>", "# Head", "## Sub ##", "# A # B"),
    *(
        "#",
        "---",
        "===",
        "* * *",
        "- ",
        "  cont",
        "- [ ] box",
        "- [x] done #event",
    ),
    *(
        "\tTab",
        "- - x",
        "- ```",
        "\ufeffbom",
        "a\rb",
        "- x\r",
        "nul\0",
        "- # h",
        "日本語",
    ),
    *(
        ">lazy",
        "- > q",
        "    ```",
        "\t```",
        "  - ```",
        "[ref]: x",
        "-     five",
        "text #decision",
        "- *it* is `so` <!-- x -->",
    ),
)
TEXTS = st.builds(
    lambda head, rows, end: head + "\n".join(rows) + end,
    st.sampled_from(["", "", "", "---\na: b\n---\n"]),
    st.lists(st.sampled_from(ROWS), max_size=9),
    st.sampled_from(["", "\n"]),
)


@settings(max_examples=amount(1500, 80))
@given(versions=st.lists(TEXTS, min_size=1, max_size=3))
def test_every_version_has_the_entries_of_its_text(versions):
    reader = EntryReader()
    for text in versions:
        entry_rows = [
            (row.statement.kind, row.statement.text, row.start, row.end, row.section) for row in reader.read(text)
        ]
        assert entry_rows == [
            (entry.kind, entry.text, entry.start, entry.end, entry.section) for entry in entries(text)
        ]
        assert all(row.statement.key == hash_entry(row.statement.text) for row in reader.read(text))
