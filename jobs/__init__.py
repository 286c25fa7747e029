"""All work longer than a request: rows that workers lease, one loop, one Celery task, one page of progress."""
