"""What annotators judge: drafts that change in place, labels that only append, files of both ways."""
