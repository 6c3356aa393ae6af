"""Lists of words, as they are written down."""


def listed(words: str) -> frozenset[str]:
    """Return the words between spaces."""
    return frozenset(words.split())
