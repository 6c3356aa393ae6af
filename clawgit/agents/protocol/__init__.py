"""A model reads a batch and answers with operations; every claim is checked before it lands."""
