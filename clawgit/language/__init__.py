"""Reads natural language: one reader of each thing.

What a language calls things stands in `data/<iso>.toml`; no other module holds such words.
"""
