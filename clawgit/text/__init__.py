"""Markdown in, values out; pure."""
