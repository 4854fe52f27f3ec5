"""allauth's forms in our words."""

from typing import Any

from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django.utils.translation import gettext_lazy as _


class SignupForm(AllauthSignupForm):
    """A handle, an e-mail, a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name(self, "username", _("Handle"), _("2 to 30 letters or digits; what others call you."))
        _name(self, "email", _("E-mail"), _("For a lost password. Nobody in a club sees it."))
        _name(self, "password1", _("Password"), _("8 characters or more, nothing common, not only digits."))
        _name(self, "password2", _("Password once more"), "")


class LoginForm(AllauthLoginForm):
    """By handle or e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name(self, "login", _("Handle or e-mail"), "")
        _name(self, "password", _("Password"), "")
        _name(self, "remember", _("Stay signed in on this device"), "")


def _name(form: Any, field: str, label: Any, help_text: Any) -> None:
    form.fields[field].label = label
    form.fields[field].help_text = help_text
    form.fields[field].widget.attrs.pop("placeholder", None)
