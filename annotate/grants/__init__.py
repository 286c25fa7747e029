"""What is granted to datasets: the endpoints that they may use."""
