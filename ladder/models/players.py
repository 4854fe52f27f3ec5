"""People: the user model."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ladder.names import comparison_key
from ratings.ids import new_id


class PlayerManager(BaseUserManager["Player"]):
    """What Django's createsuperuser and allauth expect of a user model's manager."""

    def create_user(self, handle: str, email: str | None = None, password: str | None = None, **extra: Any) -> "Player":
        player = self.model(
            handle=handle, handle_key=comparison_key(handle), email=self.normalize_email(email or "") or None, **extra
        )
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, handle: str, email: str, password: str | None = None, **extra: Any) -> "Player":
        return self.create_user(handle, email, password, is_staff=True, is_superuser=True, **extra)


class Player(AbstractBaseUser, PermissionsMixin):
    """An account. The handle is unique by a comparison key under which look-alikes are equal.

    `last_result_at` is when the newest of this player's matches was completed, in any queue; the next one is
    completed later than that, whatever the clock says.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    handle = models.CharField(_("handle"), max_length=30, unique=True)
    handle_key = models.CharField(max_length=120, unique=True, editable=False)
    display_name = models.CharField(_("display name"), max_length=60, blank=True)
    email = models.EmailField(_("e-mail"), unique=True, null=True, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("birth year"), null=True, blank=True)
    is_bot = models.BooleanField(_("bot"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("may use the admin site"), default=False)
    theme = models.CharField(
        _("appearance"),
        max_length=6,
        default="auto",
        choices=[("auto", _("as the device")), ("light", _("light")), ("dark", _("dark"))],
    )
    alerts = models.BooleanField(_("sound and vibration when a match is found"), default=True)
    mails = models.BooleanField(_("e-mail before my rank begins to fade"), default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    last_result_at = models.DateTimeField(null=True, blank=True, editable=False)

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("player")
        indexes = [
            models.Index(fields=["id"], condition=models.Q(is_active=False), name="account_closed"),
            GinIndex(OpClass(Upper("handle"), name="gin_trgm_ops"), name="player_by_part_of_handle"),
            GinIndex(OpClass(Upper("display_name"), name="gin_trgm_ops"), name="player_by_part_of_name"),
        ]

    def __str__(self) -> str:
        return self.display_name or self.handle

    @property
    def name(self) -> str:
        """What others see."""
        return self.display_name or self.handle
