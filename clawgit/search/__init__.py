"""Finds what is remembered."""
