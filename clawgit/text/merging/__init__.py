"""Merges versions of a file over the graph of their commits."""
