"""Statistics over findings: rank correlation. Pure: numpy only."""
