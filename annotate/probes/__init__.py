"""Tests of how a model is fooled: passages that are not relevant, in several perturbations."""
