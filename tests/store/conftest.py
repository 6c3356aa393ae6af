"""Workspaces with damaged state."""

from tests.promises.conftest import adopted, desk  # noqa: F401 - an adopted workspace
