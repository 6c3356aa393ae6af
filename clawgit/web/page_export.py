"""Writes what the page shows to one file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markupsafe import Markup

from clawgit.errors import Command, file_exists, unwritable
from clawgit.git import regular_file
from clawgit.web import web_pages
from clawgit.web.web_routes import STATIC, environment
from clawgit.web.web_site import Look, Site

COMMITS, DIFF, WHOLE = 500, 100_000, 5_000_000
"""So many versions, bytes of one difference, bytes of the file, at most."""


def write(site: Site, path: Path) -> int:
    """Write the file, for its owner alone to read, and return its bytes. Raises ClawgitError where one is there."""
    text = rendered(site).encode("utf-8", "replace")
    try:
        regular_file.create(path, text)
    except FileExistsError as exc:
        raise file_exists(f"{path} is there already", fix=Command("rm {}", path, note="or name another file")) from exc
    except OSError as exc:
        raise unwritable(path, exc) from exc
    return len(text)


def rendered(site: Site) -> str:
    """Return the page as one text without a single address in it: who the agent is, what it remembers, how it grew."""
    look = Look(site, {}, patient=True)
    rows = look.ask("soul log", n=COMMITS + 1).rows
    versions = list(_fitting(look, rows[:COMMITS]))
    memories, soul, growth = web_pages.memory(look), web_pages.soul(look), web_pages.growth(look)
    template = environment(site, lambda page, *_state, **_more: f"#{page}").get_template("export.html")
    return template.render(
        style=Markup((STATIC / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
        status=look.ask("status"),
        versions=versions,
        left=len(rows) - len(versions),
        memories=memories.parts["memory"],
        growth=growth,
        soul=soul,
        now=site.today().isoformat(),
    )


def _fitting(look: Look, rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    room = WHOLE
    for row in rows:
        hunks = look.ask("soul diff", of=str(row["commit"])).record.get("hunks", [])
        size = len(json.dumps(hunks))
        if room <= 0:
            return
        yield row, hunks if size <= DIFF else []
        room -= min(size, DIFF) * 3
