"""Judges that give grades: values in, grades and probabilities out. Pure: no database, no network."""
