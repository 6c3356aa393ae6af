"""What is taken out of all of history."""
