"""The page of a workspace, in a browser."""
