"""Programs and requests that lead outside, within bounds."""
