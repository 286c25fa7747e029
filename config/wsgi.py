"""The web application, for gunicorn."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from config.error_reports import start_reports

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
start_reports()

# Objects of the start stay: the collector need not look through them again, nor the workers copy them for that.
gc.collect()
gc.freeze()
