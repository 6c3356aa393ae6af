"""What the operator approved, kept outside the workspace."""
