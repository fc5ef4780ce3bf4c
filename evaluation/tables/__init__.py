"""Tables as plain data, and their text for a spreadsheet and for a paper. Pure."""
