"""What to label next: prompts drawn with known probabilities, and an evaluator's figures from their labels."""
