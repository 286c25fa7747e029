"""Gold by the API: cases to settle, gold labels, frozen versions, releases."""
