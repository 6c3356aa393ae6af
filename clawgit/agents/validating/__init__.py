"""Finds what the operator corrects."""
