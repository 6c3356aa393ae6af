"""Merges texts from old readings, item by item."""
