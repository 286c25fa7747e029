"""Error analysis: a sample of an evaluator's mistakes, tagged with their causes by two people."""
