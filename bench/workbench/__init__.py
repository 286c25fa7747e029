"""The experts' pages under load: eight annotators at once beside one alone, on both databases."""
