"""Facts by class, with their terms."""
