"""What must not enter a workspace: secrets, hidden text, paths that lead out."""
