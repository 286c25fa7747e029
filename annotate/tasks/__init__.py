"""Tasks: cut from the responses, with places that are reserved, opened, leased and given back."""
