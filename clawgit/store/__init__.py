"""What git cannot tell at once: state beside it, and the table of every line of memory."""
