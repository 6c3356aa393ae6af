"""Local state, and the table of entries."""
