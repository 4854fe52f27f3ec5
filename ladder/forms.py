"""Forms of play: shape and clean alone; what may be done is the services' business."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from django import forms
from django.utils.translation import gettext_lazy as _

from ladder.core.results import HIGHEST_SCORE
from ladder.models import Player

DRAW, VOID = "draw", "void"
Choices = list[tuple[str, Any]]


class SideChoice(Protocol):
    """What the form needs to know of a side."""

    @property
    def index(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def is_mine(self) -> bool: ...


if TYPE_CHECKING:
    _PlayerForm = forms.ModelForm[Player]
else:  # Django's ModelForm takes no type argument at run time
    _PlayerForm = forms.ModelForm


class JoinClubForm(forms.Form):
    """How somebody judges their own play, in the words that the club offers."""

    self_assessment = forms.ChoiceField(
        label=_("How well do you play?"),
        help_text=_("It only sets where we begin to look for fair games; your first matches soon say more than it."),
        error_messages={"invalid_choice": _("This answer is no longer offered. Please choose one of these.")},
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, answers: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["self_assessment"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = answers


class RevisionForm(forms.Form):
    """What the page was drawn from, so that a stale tab is refused."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class ResultForm(RevisionForm):
    """Who won, and by how much where it was counted. `cleaned_winner` and `cleaned_scores` are for the services."""

    winner = forms.ChoiceField(label=_("Who won?"), widget=forms.RadioSelect)
    score_0 = forms.IntegerField(required=False, min_value=0, max_value=HIGHEST_SCORE)
    score_1 = forms.IntegerField(required=False, min_value=0, max_value=HIGHEST_SCORE)

    def __init__(self, *args: Any, sides: Sequence[SideChoice], draws_allowed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(str(side.index), _("I won") if side.is_mine else _("%s won") % side.name) for side in sides]
        if draws_allowed:
            choices.append((DRAW, _("A draw")))
        self.fields["winner"].choices = self.extra_choices(choices)  # type: ignore[attr-defined]
        self._order = [f"score_{side.index}" for side in sides[:2]]
        for side in sides[:2]:
            field = self.fields[f"score_{side.index}"]
            field.label = _("Mine") if side.is_mine else side.name
            field.widget.attrs.update({"inputmode": "numeric", "autocomplete": "off"})

    @property
    def scores(self) -> list[forms.BoundField]:
        """The score fields in the order of the sides."""
        return [self[name] for name in self._order]

    def extra_choices(self, choices: Choices) -> Choices:
        """For forms that offer more than the result."""
        return choices

    def clean(self) -> dict[str, Any]:
        """A score is given for both sides or for none."""
        cleaned = super().clean() or {}
        given = [cleaned.get(f"score_{index}") for index in (0, 1)]
        if None in given and given != [None, None]:
            raise forms.ValidationError(_("Give the score of both sides, or of none."), code="half_a_score")
        return cleaned

    @property
    def cleaned_winner(self) -> int | None:
        """The side's index; None for a draw."""
        winner = self.cleaned_data["winner"]
        return int(winner) if winner.isdigit() else None

    @property
    def cleaned_scores(self) -> tuple[int, int] | None:
        """Per side, or None where nobody counted."""
        first, second = self.cleaned_data.get("score_0"), self.cleaned_data.get("score_1")
        return None if first is None or second is None else (first, second)


class DecisionForm(ResultForm):
    """A moderator's word on a disputed match."""

    note = forms.CharField(
        label=_("Why?"),
        help_text=_("Both sides read this sentence."),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def extra_choices(self, choices: Choices) -> Choices:
        return [*choices, (VOID, _("It does not count"))]

    @property
    def is_void(self) -> bool:
        """Whether the match shall count for nobody."""
        return bool(self.cleaned_data["winner"] == VOID)


class DisputeForm(RevisionForm):
    """What was wrong with the report."""

    note = forms.CharField(
        label=_("What happened?"),
        help_text=_("A moderator reads it and decides. The other side sees that you object, and this text."),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class SettingsForm(_PlayerForm):
    """How the app looks and calls for one person."""

    class Meta:
        model = Player
        fields = ["display_name", "theme", "alerts"]
        widgets = {"theme": forms.RadioSelect}
        help_texts = {
            "display_name": _("What others see in place of your handle; leave it empty for the handle itself."),
            "alerts": _("You have only seconds to accept a match. Without this, watch the page."),
        }
