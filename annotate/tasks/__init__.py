"""Who labels what: tasks are cut from the responses, places on them reserved, opened, leased and given back."""
