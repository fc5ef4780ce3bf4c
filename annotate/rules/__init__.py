"""Pure rules of judging: values in, values out, no Django."""
