"""Readers propose, code checks, what fits lands."""
