"""What the addresses of the record may ask for, read with suspicion: a bad wish becomes a message, never an error."""

from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ladder.core.cursors import LONGEST
from ladder.selectors.access import Access
from ladder.selectors.audit import act_words, actions, choices, person_id
from ladder.selectors.rating_health import SPANS


class BoardForm(forms.Form):
    """A leaderboard's address."""

    q = forms.CharField(label=_("Find a player"), max_length=60, required=False)
    season = forms.CharField(max_length=50, required=False)
    tier = forms.IntegerField(min_value=0, max_value=200, required=False)
    division = forms.IntegerField(min_value=0, max_value=200, required=False)
    at = forms.CharField(max_length=30, required=False)
    on = forms.DateField(label=_("As of"), required=False)
    after = forms.CharField(max_length=LONGEST, required=False)
    before = forms.CharField(max_length=LONGEST, required=False)
    seen = forms.CharField(max_length=64, required=False)


class ProfileForm(forms.Form):
    """A profile's address."""

    queue = forms.CharField(max_length=50, required=False)
    season = forms.CharField(max_length=50, required=False)
    after = forms.CharField(max_length=60, required=False)


class HealthForm(forms.Form):
    """The address of the health page."""

    queue = forms.CharField(max_length=50, required=False)
    span = forms.ChoiceField(choices=[("", ""), *((name, "") for name in SPANS)], required=False)


def asked(form_class: type[forms.Form], request: HttpRequest) -> dict[str, Any]:
    """What the address asks for; a value that makes no sense counts as not given."""
    form = form_class(request.GET)
    form.is_valid()
    return {name: form.cleaned_data.get(name) for name in form.fields}


class AuditForm(forms.Form):
    """The filters of the audit list, in the words a person would type. Dates are days of the club's zone."""

    player = forms.CharField(label=_("Player"), max_length=60, required=False)
    queue = forms.ChoiceField(label=_("Queue"), required=False)
    season = forms.ChoiceField(label=_("Season"), required=False)
    kinds = forms.MultipleChoiceField(label=_("Kinds"), required=False, widget=forms.CheckboxSelectMultiple)
    actor = forms.CharField(label=_("By whom"), max_length=60, required=False)
    match = forms.UUIDField(label=_("Match"), required=False)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, access: Access, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._access = access
        offered = choices(access)
        self._offer("queue", (("", _("every queue")), *offered.queues))
        self._offer("season", (("", _("every season")), *offered.seasons))
        self._offer("kinds", offered.kinds)

    def _offer(self, name: str, pairs: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = pairs

    def clean_player(self) -> UUID | None:
        """The player's id."""
        return self._person("player")

    def clean_actor(self) -> UUID | None:
        """The actor's id."""
        return self._person("actor")

    def clean_since(self) -> datetime | None:
        """The first moment of the first day."""
        return self._midnight(self.cleaned_data["since"])

    def clean_until(self) -> datetime | None:
        """The first moment after the last day."""
        day: date | None = self.cleaned_data["until"]
        return self._midnight(day + timedelta(days=1) if day and day.year <= 3000 else day)

    def _person(self, name: str) -> UUID | None:
        handle = self.cleaned_data[name].strip()
        if not handle:
            return None
        found = person_id(self._access, handle)
        if found is None:
            raise forms.ValidationError(
                _("Nobody of this club has the handle “%(handle)s”."), params={"handle": handle}
            )
        return found

    def _midnight(self, day: date | None) -> datetime | None:
        if day is None:
            return None
        if not 1970 <= day.year <= 3000:
            raise forms.ValidationError(_("Please give a year between 1970 and 3000."))
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(self._access.club.time_zone))


class ActForm(AuditForm):
    """The filters of the acts."""

    action = forms.ChoiceField(label=_("Act"), required=False)

    def __init__(self, *args: Any, access: Access, **kwargs: Any) -> None:
        super().__init__(*args, access=access, **kwargs)
        for name in ("player", "queue", "season", "kinds", "match"):
            del self.fields[name]
        self._offer("action", [("", _("every act")), *((code, act_words(code)) for code in actions(access))])
