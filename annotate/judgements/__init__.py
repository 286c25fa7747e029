"""Units to judge, judgements of them, and the entries of a draft."""
