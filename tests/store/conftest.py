"""Workspaces whose state is harmed."""

from tests.promises.conftest import adopted, desk  # noqa: F401 - an adopted workspace
