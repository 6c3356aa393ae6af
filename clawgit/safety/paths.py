"""The check of a path that somebody names."""

from clawgit.git.paths import check, inside

__all__ = ["check", "inside"]
