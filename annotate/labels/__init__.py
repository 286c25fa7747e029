"""Labels: drafts that change in place, submitted labels that are only appended, and files of labels."""
