"""Timers of other programs that call clawgit."""
