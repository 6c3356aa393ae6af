"""Classifies a message at once."""
