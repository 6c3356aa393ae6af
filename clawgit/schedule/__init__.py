"""Does what is due, by itself."""
