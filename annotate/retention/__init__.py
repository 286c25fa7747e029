"""What is too old, and cited by nothing, is deleted: answers of models, frozen pages, files of people's own data."""
