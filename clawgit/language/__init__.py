"""Reads natural language: one reader of each thing.

The words of a language are in `data/<iso>.toml`; no other module has such words.
"""
