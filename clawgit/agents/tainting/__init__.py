"""What one source taught, and how it is taken back."""
