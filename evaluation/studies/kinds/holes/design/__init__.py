"""Hole study: grades are taken away, filled again, and what becomes of conclusions (arXiv:2405.04727, and beyond)."""
