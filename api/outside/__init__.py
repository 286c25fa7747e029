"""Outside evaluators by the API: their runs, and the cases that they lease, judge and send back."""
