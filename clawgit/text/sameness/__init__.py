"""Tells when two notes say the same."""
