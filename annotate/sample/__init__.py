"""The sample collection, made from the documentation of the Python that runs Lacuna. Pure."""
