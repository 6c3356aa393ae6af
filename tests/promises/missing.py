"""Marks a promise that the code does not keep yet; whoever builds it takes the mark away, and none is added."""

import pytest


def missing(part: str) -> pytest.MarkDecorator:
    """Expect this test to fail, because `part` is not there yet."""
    return pytest.mark.xfail(reason=f"missing: {part}", strict=True)
