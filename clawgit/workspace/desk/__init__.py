"""The review desk: what waits for the operator."""
