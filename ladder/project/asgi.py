"""The ASGI application: the live stream first, Django behind it."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.project.settings")
os.environ.setdefault("LADDER_PROCESS", "web")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
