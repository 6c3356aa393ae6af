"""All that is known of a language model."""
