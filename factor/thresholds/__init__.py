"""Which thresholds the filters should have, by candidates that people label (FACTOR appendix A.2)."""
