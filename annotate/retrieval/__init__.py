"""Retrieval on one machine: an inverted index, BM25 and other systems, fusion. Pure: numpy."""
