"""Runs many workspaces from one process."""
