"""Completed qrels with the provenance of each grade, labels of models, and frozen versions of both."""
