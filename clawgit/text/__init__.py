"""Markdown in, values out: pure functions without disk, git, clock or network."""
