"""All that is known of git."""
