"""Checks for forbidden content of a workspace."""
