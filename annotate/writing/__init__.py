"""Texts that models write: prompts, profiles, and batches of backstories and query variants."""
