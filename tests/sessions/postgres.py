"""A PostgreSQL that lives for a moment."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote


def programs() -> Path | None:
    """The folder of its programs, None if it is not installed."""
    programs_found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    path = shutil.which("initdb")
    return programs_found[-1].parent if programs_found else Path(path).parent if path else None


def nobody() -> str | None:
    """Somebody else to be, since PostgreSQL refuses to run as root."""
    if os.geteuid():
        return None
    return next(name for name in ("postgres", "nobody") if any(user.pw_name == name for user in pwd.getpwall()))


@contextmanager
def throwaway(place: Path, *, durable: bool = False) -> Iterator[str]:
    """Run a server of the programs at `place` on a socket of its own; yield its address."""
    user = nobody()
    folder = Path(tempfile.mkdtemp(prefix="clawgit-pg-"))
    if user:
        shutil.chown(folder, user)

    def run(*command: str | Path) -> None:
        result = subprocess.run(
            command, cwd=folder, user=user, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False
        )
        assert result.returncode == 0, (folder / "log").read_text()

    data = folder / "data"
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c max_connections=20"
    settings += "" if durable else " -c fsync=off"
    with (folder / "log").open("w") as log:
        try:
            run(place / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
            run(place / "pg_ctl", "-D", data, "-w", "-t", "60", "-o", settings, "start")
            try:
                yield f"postgresql://tester@/postgres?host={quote(str(folder), safe='')}"
            finally:
                run(place / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
