"""What an existing workspace hides."""
