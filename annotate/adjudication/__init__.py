"""Adjudication: annotators' judgements side by side, decisions on disagreements, acceptance of agreement, review."""
