"""Connections to git's hooks and to other programs."""
