"""Pages that see everything: the list of collections, a collection with its stages and figures, accounts."""
