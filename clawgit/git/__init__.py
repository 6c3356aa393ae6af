"""All that is known of git: objects, references, locks, worktree files."""
