"""Pure file formats and records of TREC: what is read at the border, and what is written back to it."""
