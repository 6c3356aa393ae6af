"""Heals texts that were written from old readings."""
