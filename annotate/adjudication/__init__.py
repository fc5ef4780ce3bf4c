"""Pairs on which assessors disagree: the queue, the card with the evidence, the final grade."""
