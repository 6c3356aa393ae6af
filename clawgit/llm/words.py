"""Words of strangers, fit to be shown in an error."""

_SEEN = 4096


def plain(text: str, longest: int, *secret: str) -> str:
    """Return text on one line, without what cannot be printed, without secrets, cut to a length in characters."""
    from clawgit.safety.redaction import redacted  # noqa: PLC0415 - its rules are for errors alone

    for one in filter(None, secret):
        text = text.replace(one, "…")
    shown = " ".join(redacted(text[:_SEEN]).split())
    shown = "".join(letter for letter in shown if letter.isprintable())
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
