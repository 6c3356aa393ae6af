"""Markdown as it is found: ugly."""

from hypothesis import strategies as st

ROW = st.one_of(
    st.sampled_from(
        [
            "",
            "   ",
            "---",
            "# Title #",
            "Setext",
            "===",
            "- a",
            "* b #event",
            "  - [ ] nested #decision #correction",
            "\t- tab",
            "  continued",
            "```",
            "```npm run x``` starts",
            "    ```",
            "~~~",
            "  ~~~~",
            "- ```",
            "  ```",
            "> ```",
            "- - -",
            "key: value",
            "<!-- ``` -->",
            "> quote",
            "| h | k |",
            "|---|---|",
            "| 1 | 2 |",
            "<!-- note -->",
            "<!-- open",
            "-->",
            "<div>",
            "    code",
            "- <!-- was: x --> y <!-- trigger: z -->",
            "记忆部署 결정",
        ]
    ),
    st.text("ab#-|`> \t\r\0\x0b\x0c\x1c\x85\u2028中", max_size=6),
)


@st.composite
def markdown(draw):
    """Lines of every kind in any order, BOM or not, any line ends, ended or not."""
    rows = draw(st.lists(st.tuples(ROW, st.sampled_from(["\n", "\n", "\r\n"])), max_size=12))
    text = draw(st.sampled_from(["", "\ufeff"])) + "".join(row + end for row, end in rows)
    return text if draw(st.booleans()) else text.rstrip("\r\n")
