"""Forms of the club's settings, of the answers at its door, and of where newcomers start: shape and clean, no rules."""

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.formsets import BaseFormSet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from ladder.selectors.club_settings import SETTINGS, zones
from ladder.selectors.self_assessments import SHIPPED_WORDS, AnswerRow
from ladder.services.clubs import LONGEST_CLUB_NAME
from ladder.services.newcomers import AnswerWish
from ratings.core.assessments import HIGHEST_RATING, LONGEST_KEY, LONGEST_LABEL, LOWEST_RATING
from ratings.core.prior_rules import PriorRules

if TYPE_CHECKING:
    _AnswerForms = BaseFormSet["AnswerForm"]
else:  # Django's formset takes no type argument at run time
    _AnswerForms = BaseFormSet

_RANGES = {one.name: one.metadata["range"] for one in dataclasses.fields(PriorRules)}


class ClubForm(forms.Form):
    """A club's settings. Four eyes stay on where the viewer may not end them."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_CLUB_NAME)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Seasons, rating periods and the hours of day on staff pages go by it."),
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("Public"),
        required=False,
        help_text=gettext_lazy("Everybody may see ladders, players, matches and seasons, also without an account."),
    )
    is_listed = forms.BooleanField(
        label=gettext_lazy("Listed"), required=False, help_text=gettext_lazy("The front page of this site names it.")
    )
    is_open_to_join = forms.BooleanField(
        label=gettext_lazy("Open"),
        required=False,
        help_text=gettext_lazy("Anybody may join. Otherwise one needs an invitation link."),
    )
    four_eyes = forms.BooleanField(
        label=gettext_lazy("Four eyes"),
        required=False,
        help_text=gettext_lazy("Who drafts a rating model cannot approve it. Only an owner can switch this off."),
    )
    seen = forms.CharField(max_length=16, required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, may_end_four_eyes: bool, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["time_zone"]
        assert isinstance(field, forms.ChoiceField)
        offered = sorted({*zones(), initial["time_zone"]}, key=lambda name: (name != "UTC", name))
        field.choices = [(name, name.replace("_", " ")) for name in offered]
        self.fields["four_eyes"].disabled = bool(initial["four_eyes"]) and not may_end_four_eyes

    @property
    def wanted(self) -> dict[str, Any]:
        """The settings as cleaned."""
        return {name: self.cleaned_data[name] for name in SETTINGS}


class AnswerForm(forms.Form):
    """One answer at the door; an empty row stands for none."""

    key = forms.CharField(max_length=LONGEST_KEY, required=False, widget=forms.HiddenInput)
    label = forms.CharField(
        label=gettext_lazy("What players read"),
        max_length=LONGEST_LABEL,
        required=False,
    )
    rating = forms.FloatField(
        label=gettext_lazy("Rating"),
        required=False,
        min_value=LOWEST_RATING,
        max_value=HIGHEST_RATING,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "numeric"}),
    )
    is_offered = forms.BooleanField(label=gettext_lazy("Offered to newcomers"), required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        key = self.initial.get("key")
        self.fields["rating"].required = bool(key)
        self.fields["label"].required = bool(key) and key not in SHIPPED_WORDS

    @override
    def clean(self) -> dict[str, Any]:
        """A new answer needs both its words and its rating; one that has a key needs the rating."""
        cleaned = super().clean() or {}
        key, label, rating = cleaned.get("key"), cleaned.get("label"), cleaned.get("rating")
        if rating is None and (key or label) and "rating" not in self.errors:
            self.add_error("rating", _("Give it a rating."))
        if not label and key not in SHIPPED_WORDS and (key or rating is not None) and "label" not in self.errors:
            self.add_error("label", _("Give it words."))
        return cleaned

    @property
    def wish(self) -> AnswerWish | None:
        """The answer as wanted; None for an empty row. Shipped words that were left alone stay translated."""
        told = self.cleaned_data
        if told.get("rating") is None:
            return None
        label = told["label"]
        if label == str(SHIPPED_WORDS.get(told["key"], "")):
            label = ""
        return AnswerWish(label, told["rating"], told["key"], told["is_offered"])


class _Answers(_AnswerForms):
    """Every answer, and two empty rows for more."""

    @property
    def wishes(self) -> list[AnswerWish]:
        """The answers as wanted."""
        return [wish for form in self.forms if (wish := form.wish) is not None]


AnswerFormSet: type[_Answers] = forms.formset_factory(  # type: ignore[assignment]  # the stubs lose the given base
    AnswerForm, formset=_Answers, extra=2, max_num=100, absolute_max=120
)


def answer_rows(rows: Sequence[AnswerRow]) -> list[dict[str, Any]]:
    """What the forms begin with, and how many members gave each answer."""
    return [
        {
            "key": row.key,
            "label": row.words,
            "rating": _short(row.rating),
            "is_offered": row.is_offered,
            "members": row.members,
        }
        for row in rows
    ]


def _short(value: float) -> float | int:
    """Whole points without a decimal."""
    return int(value) if float(value).is_integer() else value


class SeenForm(forms.Form):
    """What the page was drawn from."""

    seen = forms.CharField(max_length=16, required=False, widget=forms.HiddenInput)


class PriorRulesForm(SeenForm):
    """Where newcomers of a queue start, in points of the club scale."""

    offset = forms.FloatField(
        label=gettext_lazy("Offset"),
        help_text=gettext_lazy(
            "Added to a rating from another queue of the same game: above 0 where the same people rate higher here."
        ),
    )
    same_game_widening = forms.FloatField(
        label=gettext_lazy("Less sure by"),
        help_text=gettext_lazy("How far off such a rating may be here, on top of its own deviation."),
    )
    other_game_weight = forms.FloatField(
        label=gettext_lazy("Weight of another game"),
        help_text=gettext_lazy(
            "How much of the distance from the middle, 1500, a rating in another game keeps. 0: it says nothing here."
        ),
    )
    other_game_widening = forms.FloatField(
        label=gettext_lazy("Less sure by"), help_text=gettext_lazy("The same for another game.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (low, high) in _RANGES.items():
            self.fields[name] = _bounded(self.fields[name], low, high)

    @override
    def clean(self) -> dict[str, Any]:
        """Another game is never surer than the same one."""
        cleaned = super().clean() or {}
        least, other = cleaned.get("same_game_widening"), cleaned.get("other_game_widening")
        if least is not None and other is not None and other < least:
            self.add_error(
                "other_game_widening",
                _("Another game cannot be surer than the same one: at least %(n)g.") % {"n": least},
            )
        return cleaned

    @property
    def values(self) -> dict[str, float]:
        """The rules as cleaned."""
        return {name: self.cleaned_data[name] for name in _RANGES}

    @property
    def of_same_game(self) -> list[forms.BoundField]:
        """What is asked about other queues of the game."""
        return [self["offset"], self["same_game_widening"]]

    @property
    def of_other_games(self) -> list[forms.BoundField]:
        """What is asked about other games."""
        return [self["other_game_weight"], self["other_game_widening"]]


def rules_as_shown(rules: PriorRules) -> dict[str, float | int]:
    """What the form begins with."""
    return {name: _short(value) for name, value in rules.to_json().items()}


def _bounded(field: forms.Field, low: float, high: float) -> forms.FloatField:
    """The number field with its range, told in one sentence whichever end was passed."""
    range_words = _("From %(low)g to %(high)g.") % {"low": low, "high": high}
    return forms.FloatField(
        label=field.label,
        help_text=f"{field.help_text} {range_words}",
        min_value=low,
        max_value=high,
        widget=forms.NumberInput(attrs={"step": "any"}),
        error_messages=dict.fromkeys(("min_value", "max_value"), range_words),
    )
