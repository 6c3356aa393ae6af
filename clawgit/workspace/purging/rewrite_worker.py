"""Rewrites a mirror with git-filter-repo."""

import base64
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from clawgit.git import phrase_forms
from clawgit.git.rewriting import renamed
from clawgit.text.evidence_pointer import rehashed


def main() -> None:
    """Read the order from stdin (phrases and names in base64, rows by old hash); write the map of blobs to stdout.

    The folder is that of the mirror. Its commits keep their number; their map is where git-filter-repo leaves it.
    """
    engine: Any = import_module("git_filter_repo")  # an extra

    order = json.load(sys.stdin)
    some = [base64.b64decode(one) for one in order["phrases"]]
    rows: dict[str, str] = order["rows"]
    names = {base64.b64decode(old): base64.b64decode(new) for old, new in order["names"].items()}
    blobs: dict[str, str] = {}

    def plain(data: bytes) -> bytes:
        return phrase_forms.without(data, some)

    def blob(one: Any, _: Any) -> None:
        data = renamed_rows(plain(one.data), rows)
        if data != one.data:
            blobs[one.original_id.decode()] = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324
            one.data = data

    words = ["--force", "--prune-empty", "never", "--prune-degenerate", "never", "--quiet"]
    for path in order["paths"]:
        words += ["--path", path]
    if order["paths"]:
        words.append("--invert-paths")
    kept, sys.stdout = sys.stdout, sys.stderr  # the engine talks
    engine.RepoFilter(
        engine.FilteringOptions.parse_args(words),
        blob_callback=blob,
        message_callback=lambda text: rehashed(plain(text)),
        name_callback=plain,
        email_callback=plain,
        filename_callback=lambda name: names.get(name) or (plain(name) if name else name),
        refname_callback=lambda name: os.fsencode(renamed(os.fsdecode(name), some)),
    ).run()
    json.dump(blobs, kept)


_HEADER = b"# clawgit entries"
_HASH = re.compile(rb"(?<=\t)[0-9a-f]{16}(?=\t)")


def renamed_rows(data: bytes, known: Mapping[str, str]) -> bytes:
    """Return a sidecar in which rows go by the new hashes of their entries; other files as they are."""
    if not known or not data.startswith(_HEADER):
        return data
    return _HASH.sub(lambda match: known.get(match[0].decode(), match[0].decode()).encode(), data)


if __name__ == "__main__":
    main()
