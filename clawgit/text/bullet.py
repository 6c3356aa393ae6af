"""Writes one memory as one bullet."""

from clawgit.errors import ClawgitError
from clawgit.text.entry import entries
from clawgit.text.escape import escape
from clawgit.text.identity import STATUS, TAGS

_SPACE = " \t\r\n"


def bullet(text: str, tag: str | None = None, status: tuple[str, ...] = ()) -> str:
    r"""Return `- text #tag` without a final line end; further lines are indented under the first.

    Read back by `entries` it is one bullet with exactly this text (outer white space aside, "\r\n" as
    "\n"). Raises ClawgitError where Markdown cannot hold it.
    """
    unknown = {*([tag] if tag else []), *status}.difference(TAGS, STATUS)
    if unknown:
        raise ClawgitError(f"no tag #{min(unknown)}", fix="use one of: " + ", ".join(TAGS))
    plain = text.replace("\r\n", "\n").strip(_SPACE)
    first, *rest = plain.split("\n")
    body = [f"- {escape(first)}", *("  " + escape(row) if row.strip(_SPACE) else "" for row in rest)]
    out = " ".join(["\n".join(body), *(f"#{name}" for name in (tag, *status) if name)])
    found = entries(out)
    if len(found) == 1 and (found[0].kind, found[0].text, found[0].tag) == ("bullet", plain, tag):
        return out
    raise ClawgitError(
        "this text cannot stand as one bullet unchanged: " + repr(plain[:60]),
        fix="leave out a tag, comment or odd line end at its edge, or split it into several entries",
    )
