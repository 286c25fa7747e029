"""The error types that a sentence can be given (FACTOR appendix A.1)."""
