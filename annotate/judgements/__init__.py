"""What there is to judge, one judgement of it, and all that a draft holds."""
