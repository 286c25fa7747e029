"""Agreement between annotators: their independent labels, read and described."""
