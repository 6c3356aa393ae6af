"""Finds in the journals what is worth keeping for good."""
