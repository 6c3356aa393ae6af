"""The operator's approvals, kept outside the workspace."""
