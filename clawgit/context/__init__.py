"""What goes into a prompt, within a budget of tokens."""
