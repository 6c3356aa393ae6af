"""What must not enter a workspace."""
