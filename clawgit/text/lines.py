"""Lines as git counts them: by line feed alone."""

_BLANK = " \t\r\n"


def split(text: str) -> list[str]:
    r"""Return the lines with their ends; joined they are the text. Only "\n" ends a line."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    if parts[-1]:
        lines.append(parts[-1])
    return lines


def eol(text: str) -> str:
    r"""Return the line ending most lines have: "\n" or "\r\n"; "\n" on a tie or without any."""
    carriage = text.count("\r\n")
    return "\r\n" if carriage > text.count("\n") - carriage else "\n"


def uniform(text: str) -> str | None:
    """Return the one line ending of all lines, "" without any, None when they are mixed."""
    total = text.count("\n")
    carriage = text.count("\r\n")
    if not total:
        return ""
    if carriage in {0, total}:
        return "\r\n" if carriage else "\n"
    return None


def end_of(line: str) -> str:
    r"""Return what ends this line: "\r\n", "\n" or ""."""
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def content(line: str) -> str:
    """Return the line without its end."""
    ending = end_of(line)
    return line[: -len(ending)] if ending else line


def is_blank(line: str) -> bool:
    """Tell whether Markdown sees nothing on this line."""
    return not line.strip(_BLANK)


def ends_with_newline(text: str) -> bool:
    """Tell whether a line appended to `text` would start at a line's start."""
    return not text or text.endswith("\n")


def convert(text: str, ending: str) -> str:
    r"""Give every line the same ending; a "\r" that belongs to the content stays."""
    if uniform(text) in {ending, ""}:
        return text
    return "".join(content(line) + fill(content(line), ending) if end_of(line) else line for line in split(text))


def fill(line: str, ending: str) -> str:
    r"""Return the ending that `line` can take: after a bare "\r" only "\r\n" keeps the content apart."""
    return "\r\n" if line.endswith("\r") else ending


def closed(rows: list[str], ending: str, *, final: bool) -> str:
    """Join lines so that none runs into the next; `final` tells whether the last one is ended."""
    inner = [row if end_of(row) else row + fill(row, ending) for row in rows[:-1]]
    last = rows[-1] if rows else ""
    if final and last and not end_of(last):
        last += fill(last, ending)
    elif not final and content(last):
        last = content(last)
    return "".join(inner) + last
