"""What all evaluators say about one response."""
