"""OpenClaw's records are read from its own database beside its writes."""

import sqlite3
import subprocess
import sys
from contextlib import closing

from clawgit.openclaw import openclaw_files
from tests.cli.test_memory_place import records

WRITER = """
import sqlite3, sys, time
connection = sqlite3.connect({database!r}, isolation_level=None)
connection.execute("PRAGMA wal_autocheckpoint=20")
end = time.monotonic() + 1
at = 0
while time.monotonic() < end:
    at += 1
    connection.execute("INSERT INTO plugin_state_entries VALUES ('p','n',?,'{{}}')", (str(at),))
    if at == 20:
        connection.execute("UPDATE plugin_state_entries SET value_json = replace(value_json, 'agent', 'untrusted')")
        print("writing", flush=True)
    if at % 300 == 0:
        connection.close()  # the last one out removes the log
        connection = sqlite3.connect({database!r}, isolation_level=None)
"""


def test_a_second_process_that_writes_is_neither_disturbed_nor_waited_for(tmp_path):
    """While it opens, writes, empties its log and closes, every answer is the true one, and its writes count."""
    space = tmp_path / "workspace"
    space.mkdir()
    (space / "MEMORY.md").write_text("# Memory\n")
    database = records(space, tmp_path, MEMORY="agent")
    code = WRITER.format(database=str(database))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        writer.stdout.readline()
        answers = []
        while writer.poll() is None:
            answers.append(openclaw_files.ledger([database], space))
        assert writer.returncode == 0, writer.stderr.read()
    lines_of_answers = [
        tuple((record.path, record.writer) for record in answer.records) for answer in answers if not answer.unknown
    ]
    assert len(lines_of_answers) > 5
    assert set(lines_of_answers) == {(("MEMORY.md", "untrusted"),)}
    assert len(lines_of_answers) > 0.9 * len(answers), {answer.unknown for answer in answers}
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
