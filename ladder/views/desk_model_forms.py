"""Forms of rating models: one field per parameter of the engine, replays, searches. Shape and clean, no rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from ladder.selectors.rating_words import bound, parameter_name, range_words
from ratings.core.parameters import ParameterInfo, Parameters
from ratings.core.periods import MATCH, MONTH, WEEK
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine, parameter_schema

PERIOD_WORDS = {
    MATCH: gettext_lazy("at once, match by match"),
    WEEK: gettext_lazy("together, at the end of each week"),
    MONTH: gettext_lazy("together, at the end of each month"),
}
COMMON = tuple(info.name for info in Parameters.schema())
Choices = Sequence[tuple[str, Any]]


class DraftForm(forms.Form):
    """Every parameter of one engine, when results are rated, and what the model is for."""

    revision = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    note = forms.CharField(
        label=gettext_lazy("What it is for"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("For whoever approves it, and for yourself in a year."),
    )
    period = forms.ChoiceField(
        label=gettext_lazy("Results are rated"),
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, algorithm: str, periods: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.algorithm = algorithm
        self._schema = parameter_schema(algorithm)
        _offer(self, "period", [(period, PERIOD_WORDS[period]) for period in periods])
        if len(periods) == 1:
            del self.fields["period"]
        for info in self._schema:
            self.fields[info.name] = _field_of(info)

    @property
    def head(self) -> list[forms.BoundField]:
        """What is asked besides the parameters."""
        return [self[name] for name in ("note", "period") if name in self.fields]

    @property
    def own(self) -> list[forms.BoundField]:
        """The parameters that this engine alone has."""
        return [self[info.name] for info in self._schema if info.name not in COMMON]

    @property
    def common(self) -> list[forms.BoundField]:
        """The parameters that every engine has."""
        return [self[info.name] for info in self._schema if info.name in COMMON]

    @property
    def parameters(self) -> dict[str, Any]:
        """The engine's parameters as cleaned."""
        return {info.name: self.cleaned_data[info.name] for info in self._schema}

    @property
    def chosen_period(self) -> str:
        """When results are rated."""
        return str(self.cleaned_data.get("period") or MATCH)

    @override
    def clean(self) -> dict[str, Any]:
        """What only shows when parameters are seen side by side belongs to the field that the engine names."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                get_engine(self.algorithm, {info.name: cleaned[info.name] for info in self._schema})
            except RatingInputError as error:
                named = error.field if error.field in self.fields else None
                self.add_error(named, _sentence(error))
        return cleaned


def _sentence(error: RatingInputError) -> str:
    """The engine's words as a sentence; they begin with a verb."""
    return _("This %(problem)s.") % {"problem": error.message.rstrip(".")}


def _field_of(info: ParameterInfo) -> forms.Field:
    """The form field of one parameter, with its help and range in plain words."""
    told: dict[str, Any] = {
        "label": parameter_name(info.name),
        "help_text": f"{_(info.description)} {range_words(info)}",
        "initial": info.default,
    }
    if info.kind == "switch":
        return forms.BooleanField(required=False, **told)
    if info.kind == "choice":
        return forms.ChoiceField(choices=[(one, one) for one in info.choices], **told)
    told["error_messages"] = dict.fromkeys(("min_value", "max_value"), _out_of_range(info))
    told |= {"min_value": info.low, "max_value": info.high}
    if info.kind == "integer":
        return forms.IntegerField(**told)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **told)


def _out_of_range(info: ParameterInfo) -> str:
    told = {"low": bound(info.low), "high": bound(info.high)}
    if info.high is None:
        return _("Please give a number of at least %(low)s.") % told
    return _("Please give a number from %(low)s to %(high)s.") % told


class EngineForm(forms.Form):
    """Where a draft begins: an engine as shipped, a stored model, or what a search found."""

    engine = forms.CharField(max_length=40, required=False)
    model = forms.UUIDField(required=False)
    report = forms.UUIDField(required=False)


class RevisionForm(forms.Form):
    """What the page was drawn from, so that nobody approves what they have not seen."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class _HistoryForm(forms.Form):
    """What replays and searches both ask."""

    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("How you will know this report again; made from the models if left empty."),
    )
    ignore_first = forms.IntegerField(
        label=gettext_lazy("Not measured at first, in per cent"),
        min_value=0,
        max_value=90,
        initial=10,
        help_text=gettext_lazy("While nobody is known every model guesses: these matches are rated and not measured."),
    )
    ageing = forms.BooleanField(
        label=gettext_lazy("Idle time makes ratings less certain"),
        required=False,
        initial=True,
        help_text=gettext_lazy("As in the live ladder."),
    )

    @property
    def ignored_share(self) -> float:
        """The share of the matches that is not measured."""
        return float(self.cleaned_data["ignore_first"]) / 100.0


class ReplayForm(_HistoryForm):
    """Which models to replay side by side."""

    models = forms.MultipleChoiceField(
        label=gettext_lazy("Models"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose one model or more.")},
    )

    field_order = ["models", "title", "ignore_first", "ageing"]

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "models", choices)


class FitForm(_HistoryForm):
    """Which parameters of a model to search, and how long."""

    only = forms.MultipleChoiceField(
        label=gettext_lazy("Parameters to search"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose one parameter or more.")},
    )
    train = forms.IntegerField(
        label=gettext_lazy("Searched on, in per cent"),
        min_value=20,
        max_value=95,
        initial=60,
        help_text=gettext_lazy("The matches after that are held out: only what holds there is worth anything."),
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds at most"),
        min_value=1,
        max_value=200,
        initial=40,
        help_text=gettext_lazy("A search ends by itself when no step helps any more."),
    )

    field_order = ["only", "train", "rounds", "title", "ignore_first", "ageing"]

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "only", choices)

    @property
    def train_share(self) -> float:
        """The share of the matches that is searched on."""
        return float(self.cleaned_data["train"]) / 100.0

    @override
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"train", "ignore_first"} <= cleaned.keys() and cleaned["train"] <= cleaned["ignore_first"]:
            self.add_error("train", _("This must be more than what is not measured at first."))
        return cleaned


class CompareForm(forms.Form):
    """Which finished replays to put side by side."""

    report = forms.MultipleChoiceField(
        label=gettext_lazy("Finished replays"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "report", choices)


def _offer(form: forms.Form, name: str, choices: Choices) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def initial_of(parameters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The first values of a DraftForm."""
    return {**parameters, **more}


def errors_of(form: forms.Form) -> Iterator[str]:
    """Every error of a form, for a message."""
    for errors in form.errors.values():
        yield from map(str, errors)
