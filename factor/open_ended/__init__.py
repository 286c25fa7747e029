"""What a model writes after the text before an edit, and whether people find it true (FACTOR §6)."""
