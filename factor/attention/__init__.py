"""Items for the list of what needs attention: texts to label, completions to rate, background work."""
