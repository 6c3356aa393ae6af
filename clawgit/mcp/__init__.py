"""The workspace as tools of the Model Context Protocol."""
