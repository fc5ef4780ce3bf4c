"""People's grades of a recorded random sample and a model's grades of all pairs: estimates with valid intervals."""
