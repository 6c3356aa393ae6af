"""Lines of memory that are worth a look."""
