"""How much of a costly test is done."""

import os


def amount(whole: int, part: int) -> int:
    """Return `part`, or `whole` in the long runs (CLAWGIT_TEST_LONG)."""
    return whole if os.environ.get("CLAWGIT_TEST_LONG") else part
