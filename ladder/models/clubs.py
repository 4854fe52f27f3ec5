"""Clubs (the tenants), who belongs to them and how people get in."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.core.permissions import Role
from ratings.ids import new_id


class Club(models.Model):
    """A tenant: everything else belongs to exactly one."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=80)
    time_zone = models.CharField(_("time zone"), max_length=50, default="UTC")
    language = models.CharField(_("language"), max_length=10, default="en")
    four_eyes = models.BooleanField(_("four eyes"), default=False)
    is_public = models.BooleanField(_("everybody may see ladders, players and matches"), default=False)
    is_listed = models.BooleanField(_("listed on the front page"), default=True)
    is_open_to_join = models.BooleanField(_("anybody may join"), default=True)
    self_assessments = models.JSONField(
        default=list, blank=True, help_text=_("Answers to “How well do you play?”; empty for the shipped ones.")
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a club, with one role."""

    class State(models.TextChoices):
        ACTIVE = "active", _("active")
        LEFT = "left", _("left")
        BANNED = "banned", _("banned")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(
        max_length=10, choices=[(role.value, role.label) for role in Role.members()], default=Role.PLAYER.value
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.ACTIVE)
    self_assessment = models.CharField(max_length=12, blank=True)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="one_membership_per_club")]
        indexes = [
            # The few who are no longer there, whom every leaderboard leaves out.
            models.Index(fields=["club", "player"], condition=~models.Q(state="active"), name="membership_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.club} ({self.role})"


class Invitation(models.Model):
    """A link that lets people into a club; only a hash of its token is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(_("note"), max_length=80, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    max_uses = models.PositiveIntegerField(default=100)
    uses = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation to {self.club} until {self.expires_at:%Y-%m-%d}"
