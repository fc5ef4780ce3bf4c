"""Scores, rankings, influence and agreement computed on arrays. Pure: numpy."""
