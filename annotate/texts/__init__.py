"""The texts that people and models write beside topics: backstories and query variants."""
