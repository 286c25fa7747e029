"""Many annotators at once, on PostgreSQL and Redis with the processes of the Procfile."""
