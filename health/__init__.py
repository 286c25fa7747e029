"""How the server is: addresses for probes, and checks that say in sentences what it lacks."""
