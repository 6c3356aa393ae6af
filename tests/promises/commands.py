"""The names under which commands are promised, and what they are called today.

A command that is renamed changes its row here and nothing else; a row whose two sides agree goes.
"""

TODAY: dict[str, str] = {}
"""Promised name → today's; what is not here has its promised name."""
