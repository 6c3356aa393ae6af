"""Brings the memory of several machines together."""
