"""Rows of annotate as the values that the engine computes on: grades, runs, rules, measures."""
