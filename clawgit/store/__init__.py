"""State of a clone beside git: `state.db`, and the log from which it is rebuilt."""
