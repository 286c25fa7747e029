"""Thresholds of the filters, chosen by candidates that people label (FACTOR appendix A.2)."""
