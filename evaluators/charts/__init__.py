"""Charts: specifications, drawing in a process of its own, and the files for download."""
