"""What the site knows of a person: given to them as a file, and forgotten."""
