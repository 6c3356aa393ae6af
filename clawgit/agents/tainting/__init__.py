"""What one source taught, found through its evidence, and taken back as one change."""
