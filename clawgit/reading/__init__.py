"""What a model reads, what it answers, and how that is checked."""
