"""Finds memories that cannot both hold, and decides between them."""
