"""The experts' pages under load: one annotator and eight at once, on both databases."""
