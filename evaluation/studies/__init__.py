"""Studies: questions with a plan, inputs that are written down, and findings that can be defended. Pure."""
