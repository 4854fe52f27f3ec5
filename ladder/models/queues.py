"""What is played and rated."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.clubs import Club
from ratings.ids import new_id


class Game(models.Model):
    """A game that a club plays."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="games")
    name = models.CharField(_("name"), max_length=60)
    build = models.CharField(_("build"), max_length=40, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_game_per_name")]

    def __str__(self) -> str:
        return self.name


class Queue(models.Model):
    """A way to play a game: its sides, whether it is ranked, and its result rules.

    Durations are in seconds.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="queues")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="queues")
    slug = models.SlugField(max_length=50)
    name = models.CharField(_("name"), max_length=60)
    mode = models.CharField(_("mode"), max_length=20, default="1v1")
    teams = models.PositiveSmallIntegerField(_("sides"), default=2)
    team_size = models.PositiveSmallIntegerField(_("players a side"), default=1)
    is_ranked = models.BooleanField(_("ranked"), default=True)
    draws_allowed = models.BooleanField(_("draws allowed"), default=False)
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    accept_seconds = models.PositiveSmallIntegerField(_("time to accept"), default=20)
    confirm_seconds = models.PositiveIntegerField(_("silence confirms after"), default=24 * 3600)
    prior_rules = models.JSONField(default=dict, blank=True, help_text=_("Where newcomers start."))
    stomp_margin = models.PositiveSmallIntegerField(_("stomp margin"), null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slug", "club"], name="one_queue_per_slug"),
            models.CheckConstraint(condition=models.Q(teams__gte=2, team_size__gte=1), name="queue_has_sides"),
        ]

    def __str__(self) -> str:
        return self.name
