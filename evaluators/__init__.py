"""Automatic evaluators: methods, runs, predictions, figures, comparison and subject models."""
