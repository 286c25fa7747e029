"""What became of an annotator's judgements, and what they think of that."""
