"""Statistics over findings: correlation, intervals, tests, variance. Pure: numpy, and scipy where it is called."""
