"""Results of a benchmark's scorings: accuracy, pairs of models, strata and examples."""
