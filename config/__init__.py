"""Settings, the Celery application, and the root of the URL configuration."""

import atexit
import gc

# A start makes hundreds of thousands of objects that stay. With Python's own 700 the collector looks through them
# again and again: more than a quarter of the processor time of a page's tests. At the end of a process, which gives all
# memory back anyway, it would look through them twice more: a fifth of the processor time of a short command.
gc.set_threshold(50_000)
atexit.register(gc.freeze)
