"""Which kinds of error a sentence can be given (FACTOR appendix A.1)."""
