"""Backstories of topics: written by hand, approved before assessors and models see them, overlap with queries."""
