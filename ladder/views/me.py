"""One's own page: rank cards, how the app looks and calls, one's data."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from ladder.forms import SettingsForm
from ladder.models import Player
from ladder.selectors.me import everything_about, my_clubs
from ladder.services.players import save_settings
from ladder.views.frame import staff_items
from ratings.errors import DomainError


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    """Ranks in every club, and the switches."""
    player = cast(Player, request.user)
    form = SettingsForm(request.POST or None, instance=Player.objects.get(pk=player.pk))
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                save_settings(player=player, **form.cleaned_data)
            except DomainError as refusal:
                form.add_error("display_name", refusal.message)
            else:
                messages.success(request, _("Saved."))
                return redirect("me")
    clubs = my_clubs(player, now=timezone.now())
    staff = [(row.access.club, staff_items(row.access)) for row in clubs]
    context = {"form": form, "clubs": clubs, "staff": [row for row in staff if row[1]]}
    return render(request, "me/me.html", context, status=status)


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Everything kept about oneself that one may read, as a file."""
    player = cast(Player, request.user)
    answer = JsonResponse(
        everything_about(player, now=timezone.now()), json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer
