"""Query variants: their measures, and people who check what they mean and who seems to have written them."""
