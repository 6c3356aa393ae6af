"""Writes the truth in the place of an error."""

from clawgit.errors import ClawgitError
from clawgit.text import lines
from clawgit.text.entry import Entry, entries, without_comments
from clawgit.text.identity import STATUS, normalise, split_tags

TAG = "correction"


def amended(text: str, entry: Entry, said: str, true: str, statement: str, remark: str) -> str:
    """Return `text` with `entry` corrected in its place: its tag stays, `#correction` is the second, `remark` behind.

    With `said` "" the whole entry becomes `statement`. Every other byte stays. Raises ClawgitError where the entry
    could not be read as this `statement` afterwards.
    """
    rows = lines.split(text)
    block = "".join(rows[entry.start - 1 : entry.end])
    body = lines.content(block) if entry.start == entry.end else block.rstrip("\r\n")
    ending = block[len(body) :]
    plain = without_comments(body)
    comments = body[len(plain.rstrip()) :].strip()
    core, tag, status = split_tags(plain)
    new = _exchanged(core, said, true) if said else core.replace(entry.text, statement) if entry.text in core else ""
    tags = [f"#{one}" for one in (tag, *dict.fromkeys((*status, TAG))) if one and (one == tag or one in STATUS)]
    line = " ".join(part for part in (new, *tags, comments, remark) if part)
    after = "".join((*rows[: entry.start - 1], line + ending, *rows[entry.end :]))
    if not new or not any(normalise(one.text) == normalise(statement) and TAG in one.status for one in entries(after)):
        raise ClawgitError(
            f"line {entry.start} cannot be corrected in its place: {entry.text[:60]!r}",
            fix="edit it by hand, and say so: clawgit correct TEXT",
        )
    return after


def _exchanged(core: str, said: str, true: str) -> str:
    """Return a line with its one `said` exchanged, "" where it stands there twice or not at all."""
    return core.replace(said, true) if core.count(said) == 1 else ""
