"""One module for each subject that is checked."""
