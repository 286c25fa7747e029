"""What every address of the API shares: who asks, errors, pages of lists, versions, repeated requests, the schema."""
