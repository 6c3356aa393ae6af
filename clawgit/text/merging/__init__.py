"""Merges versions of a file over their commits."""
