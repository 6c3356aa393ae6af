"""Which call a line belongs to by the transcripts alone: one that may be another's is never named for certain."""

import pytest

from clawgit.sessions.session_import import describe_use
from clawgit.sessions.transcript import read_call
from clawgit.workspace.line_writers import find_writer

LINE = "- The crane is called Odin."
WHOLE = f"# Harbour\n\n{LINE}\n- The mole is long.\n"
PATH = "memory/harbour.md"
CALLS = {
    "echo": ("exec", {"command": f"echo '{LINE}' >> {PATH}"}),
    "script": ("exec", {"command": "./notes.sh"}),
    "write": ("write", {"path": PATH, "content": WHOLE}),
    "edit": ("edit", {"path": PATH, "oldText": "# Harbour", "newText": f"# Harbour\n{LINE}"}),
    "edit below": ("edit", {"path": PATH, "oldText": LINE, "newText": f"{LINE}\n- The mole is long."}),
    "grep": ("exec", {"command": f"grep -n '{LINE}' {PATH}"}),
}


def list_calls(*names):
    """Return these calls as transcripts tell them, the newest first."""
    calls = []
    for time, name in enumerate(names):
        tool, arguments = CALLS[name]
        (use,) = read_call(name, tool, arguments)
        calls.append(describe_use(use, use.path, "5b0f", float(time)))
    return calls[::-1]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("echo",), ("echo", "matched", 0)),
        (("script",), ("script", "while", 1)),
        (("edit", "grep"), ("edit", "matched", 0)),
        (("script", "write"), ("write", "probably", 1)),
        (("edit below",), (None, "", 0)),
        (("echo", "edit below"), ("echo", "matched", 0)),
    ],
)
def test_a_line_is_the_calls_that_first_had_it(names, expected):
    writer = find_writer(list_calls(*names), LINE)
    assert (writer.call.call if writer.call else None, writer.how, len(writer.commands)) == expected
