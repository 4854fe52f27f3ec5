"""All addresses."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("", include("matchmaking.urls")),
    path("", include("ladder.urls")),
]

handler400 = "ladder.views.answers.bad_request"
