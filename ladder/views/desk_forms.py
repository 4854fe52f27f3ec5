"""Forms of the club desk: shape and clean, no rules."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from ladder.core.permissions import Role
from ladder.models import Membership, Queue
from ladder.services.queues import MOST_MARGIN

_MOMENT = "%Y-%m-%dT%H:%M"


class AddressMixin(forms.Form):
    """A name and the address made from it, which may be chosen instead."""

    @override
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "name" in cleaned and "slug" in cleaned and not cleaned["slug"]:
            cleaned["slug"] = slugify(cleaned["name"])[:50]
            if not cleaned["slug"]:
                self.add_error("slug", _("Please choose an address: this name has no Latin letters to make one from."))
        return cleaned


class InvitationForm(forms.Form):
    """How long a link holds and for how many."""

    note = forms.CharField(
        label=_("What it is for"), max_length=80, required=False, help_text=_("Only organizers see it.")
    )
    days = forms.IntegerField(label=_("Valid for days"), min_value=1, max_value=365, initial=14)
    max_uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=10_000, initial=30)


class QueueForm(AddressMixin):
    """A new queue."""

    name = forms.CharField(label=_("Name"), max_length=60, help_text=_("What players see, for example Singles."))
    slug = forms.SlugField(
        label=_("Address"), max_length=50, required=False, help_text=_("Made from the name if left empty.")
    )
    game_name = forms.CharField(label=_("Game"), max_length=60)
    draws_allowed = forms.BooleanField(label=_("A match may end in a draw"), required=False)
    accept_seconds = forms.IntegerField(label=_("Seconds to accept a match"), min_value=5, max_value=300, initial=20)


class QueueStateForm(forms.Form):
    """Open or close."""

    state = forms.ChoiceField(choices=Queue.State.choices)


class MarginForm(forms.Form):
    """From which difference of the scores on a match counts as one-sided."""

    margin = forms.IntegerField(
        label=_("One-sided from"),
        min_value=1,
        max_value=MOST_MARGIN,
        required=False,
        help_text=_("The difference of the two scores. Empty: no match counts as one-sided."),
    )


class MembersForm(forms.Form):
    """Which members to list."""

    q = forms.CharField(label=_("Find a member"), max_length=60, required=False)
    role = forms.ChoiceField(required=False, choices=[("", ""), *((role.value, role.label) for role in Role.members())])
    state = forms.ChoiceField(required=False, choices=[("", ""), *Membership.State.choices])
    after = forms.CharField(max_length=30, required=False)


class RoleForm(forms.Form):
    """One of the four roles."""

    role = forms.ChoiceField(choices=[(role.value, role.label) for role in Role.members()])


class EndMembershipForm(forms.Form):
    """Why somebody is put out, and whether the way back is closed."""

    ban = forms.BooleanField(required=False)
    reason = forms.CharField(max_length=300, required=False)


class SeasonForm(AddressMixin):
    """A new season: which queues play it, and when, in the club's time zone."""

    name = forms.CharField(label=_("Name"), max_length=60, help_text=_("For example Spring 2027."))
    slug = forms.SlugField(
        label=_("Address"), max_length=50, required=False, help_text=_("Made from the name if left empty.")
    )
    queues = forms.ModelMultipleChoiceField(
        label=_("Queues"), queryset=Queue.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    starts_at = forms.DateTimeField(
        label=_("Starts"),
        input_formats=[_MOMENT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MOMENT),
    )
    ends_at = forms.DateTimeField(
        label=_("Ends"),
        required=False,
        input_formats=[_MOMENT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MOMENT),
        help_text=_("May be left open."),
    )

    def __init__(self, *args: Any, queues: list[Queue], zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._zone = ZoneInfo(zone)
        field = self.fields["queues"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = Queue.objects.filter(pk__in=[queue.pk for queue in queues])
        if len(queues) == 1:
            field.initial = [queues[0].pk]

    def clean_starts_at(self) -> datetime:
        """The start as a moment in the club's zone."""
        return self._in_club_zone(self.cleaned_data["starts_at"])

    def clean_ends_at(self) -> datetime | None:
        """The end as a moment in the club's zone."""
        moment = self.cleaned_data["ends_at"]
        return None if moment is None else self._in_club_zone(moment)

    def _in_club_zone(self, moment: datetime) -> datetime:
        local = moment.replace(tzinfo=self._zone)
        if local.astimezone(UTC).astimezone(self._zone).replace(tzinfo=None) != local.replace(tzinfo=None):
            raise forms.ValidationError(_("The clocks change then: there is no such time on that day."))
        return local
