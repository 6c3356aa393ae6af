"""The context of a prompt, within a budget of tokens."""
