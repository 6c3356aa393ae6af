"""A workspace of the promises for the tests of this folder."""

from tests.promises.conftest import adopted, desk  # noqa: F401 - an adopted workspace
