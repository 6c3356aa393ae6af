"""Search in the memory."""
