"""Links by which people join a dataset, with an account of their own or a new one."""
