"""Measures of retrieval effectiveness: one small file each, computed on a grade matrix. Pure: numpy only."""
