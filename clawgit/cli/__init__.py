"""The clawgit command."""
