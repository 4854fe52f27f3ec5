"""The ASGI application: the live stream first, Django behind it."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.project.settings")
os.environ.setdefault("LADDER_PROCESS", "web")

from django.core.asgi import get_asgi_application

_django = get_asgi_application()

# Needs the models, which are loaded by the line above.
from ladder.project.live_stream import LiveStream  # noqa: E402

application = LiveStream(_django)
