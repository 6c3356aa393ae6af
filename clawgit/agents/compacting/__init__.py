"""What the memory compactor condenses, moves and leaves alone."""
