"""Files for their owner alone are made without touching their surroundings."""

import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from clawgit.git.regular_file import make_private

TRY_TO_WRITE = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], timeout=0).execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as exc:
    print(exc.sqlite_errorname)
"""


def test_it_is_made_once_and_its_owner_alone_may_read_it(tmp_path):
    place = tmp_path / "deep" / "kept"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make_private, [place] * 64))
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [path.name for path in place.parent.iterdir()] == ["kept"]
    words = "what was said"
    place.write_text(words)
    make_private(place)
    assert place.read_text() == words


def test_a_lock_that_this_process_holds_stays(tmp_path):
    place = tmp_path / "a.db"
    make_private(place)
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (v)")
        connection.execute("BEGIN IMMEDIATE")
        make_private(place)
        result = subprocess.run([sys.executable, "-c", TRY_TO_WRITE, place], capture_output=True, text=True, check=True)
    assert result.stdout == "SQLITE_BUSY\n"
