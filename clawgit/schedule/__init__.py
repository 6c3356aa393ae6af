"""Runs due jobs by itself."""
