"""Accounts by django-allauth, with our handle rules."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from ladder.names import clean_handle, comparison_key
from ladder.selectors.clubs import home_access
from ladder.selectors.members import handle_is_free
from ratings.errors import DomainError


class AccountAdapter(DefaultAccountAdapter):
    """Checks handles against look-alikes at sign-up; leads a member who signs in straight to Play."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The handle as it is stored, or a form error that says what is wrong with it."""
        try:
            handle = clean_handle(username)
        except DomainError as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        if not shallow and not handle_is_free(handle):
            raise ValidationError(_taken(), code="handle_taken")
        return handle

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Store the new account with its comparison key; two people choosing look-alikes at once is a sentence too."""
        user = super().save_user(request, user, form, commit=False)
        user.handle_key = comparison_key(user.handle)
        if commit:
            try:
                with transaction.atomic():
                    user.save()
            except IntegrityError as error:
                messages.error(request, _taken())
                raise ImmediateHttpResponse(redirect("account_signup")) from error
        return user

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Play in the club last joined; the landing page for somebody without a club."""
        access = home_access(request.user, None) if request.user.is_authenticated else None
        return resolve_url("play", access.club.slug) if access else resolve_url("home")


def _taken() -> str:
    return _("Somebody has this handle, or one that looks just like it. Please choose another one.")
