"""Checks of a workspace, and their views."""
