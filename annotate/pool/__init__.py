"""Pools from runs, held-out judgments, and retrieval with the built-in systems."""
