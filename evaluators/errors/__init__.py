"""Error analysis: a sample of an evaluator's mistakes whose causes two people tag."""
