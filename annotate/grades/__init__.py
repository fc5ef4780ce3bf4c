"""What is known of pairs: raters, ratings, completed qrels, holes, rankings. Evaluation reads through here."""
