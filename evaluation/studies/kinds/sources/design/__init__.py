"""Source study: systems under the labels of people, of a model, and of both; and who moves their ranking, how far."""
