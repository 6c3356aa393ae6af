"""Finds in a message what is worth keeping."""
