"""Matches, their sides, who plays in them and what was reported."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.queues import Queue
from ladder.models.seasons import Season
from ratings.ids import new_id


class Match(models.Model):
    """One game, from formation to its agreed end.

    `revision` grows with every change of what was reported; a form carries the one it was drawn from, so that a
    stale tab is refused. Completed matches are ordered by (completed_at, id), and a player's matches complete at
    moments that only grow. `margin` says how clearly it was decided, in the game's own unit; `side` is the index of
    the team with the side advantage, empty on neutral ground. `unrated_reason` is a code, empty when the match is to
    be rated; `rated_at` is written with its rating events. `period_ends_at` is set when a completed match waits for
    the end of a rating period, and stays as it was when the period was closed. `reversed_at`: since when it was taken
    back by a moderator and counts for nobody; it stays on the record, and is empty again once it is reinstated.
    """

    class State(models.TextChoices):
        READY_CHECK = "ready_check", _("ready check")
        ASSIGNED = "assigned", _("to be played")
        PLAYING = "playing", _("being played")
        REPORTED = "reported", _("reported, not yet confirmed")
        DISPUTED = "disputed", _("disputed")
        COMPLETED = "completed", _("completed")
        CANCELLED = "cancelled", _("cancelled")
        ABANDONED = "abandoned", _("abandoned")
        REMADE = "remade", _("remade")

    class Source(models.TextChoices):
        QUEUE = "queue", _("queue")
        FIXTURE = "fixture", _("fixture")
        CHALLENGE = "challenge", _("challenge")
        IMPORT = "import", _("import")
        API = "api", _("API")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="matches")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="matches")
    source = models.CharField(max_length=10, choices=Source.choices)
    external_id = models.CharField(max_length=120, blank=True, default="")
    state = models.CharField(max_length=12, choices=State.choices)
    revision = models.PositiveIntegerField(default=0)
    label = models.CharField(max_length=80, blank=True, help_text=_("Round or event it was played in."))
    place_to_play = models.CharField(max_length=80, blank=True)
    margin = models.FloatField(null=True, blank=True, help_text=_("How clearly it was decided."))
    side = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Which team had the side advantage; empty on neutral ground.")
    )
    unrated_reason = models.CharField(max_length=30, blank=True)
    end_reason = models.CharField(max_length=30, blank=True)
    formed_at = models.DateTimeField()
    assigned_at = models.DateTimeField(null=True, blank=True)
    reported_at = models.DateTimeField(null=True, blank=True)
    confirm_by = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True)
    period_ends_at = models.DateTimeField(null=True, blank=True)
    reversed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "external_id"],
                condition=~models.Q(external_id=""),
                name="one_match_per_external_id",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="completed") | models.Q(completed_at__isnull=False),
                name="completed_match_has_its_time",
            ),
            models.CheckConstraint(
                condition=models.Q(margin__isnull=True) | models.Q(margin__gte=0.0, margin__lte=1e9),
                name="margin_is_not_negative",
            ),
        ]
        indexes = [
            models.Index(fields=["queue", "-completed_at", "-id"], name="match_newest_in_queue"),
            models.Index(
                fields=["confirm_by"],
                condition=models.Q(confirm_by__isnull=False, state__in=["assigned", "playing", "reported"]),
                name="match_waiting_confirm",
            ),
            models.Index(
                fields=["completed_at", "id"],
                condition=models.Q(state="completed", unrated_reason="", rated_at__isnull=True),
                name="match_waiting_rating",
            ),
            models.Index(
                fields=["period_ends_at"],
                condition=models.Q(
                    state="completed", unrated_reason="", rated_at__isnull=True, period_ends_at__isnull=False
                ),
                name="match_waiting_period",
            ),
            models.Index(
                fields=["season"],
                condition=~models.Q(state__in=["completed", "cancelled", "abandoned", "remade"]),
                name="match_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.id}"


class MatchTeam(models.Model):
    """One side. `rank` is 1 for the best, equal for a draw, empty until the match is completed."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="teams")
    index = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="one_side_per_index")]

    def __str__(self) -> str:
        return f"side {self.index} of {self.match_id}"


class MatchParticipant(models.Model):
    """A player in a match.

    `is_live` holds from the ready check (or the start) until the game is over, that is until a result is reported
    or the match is called off: one live match a player. Waiting for the other side's word keeps nobody from playing.
    `party`: equal numbers within a team came together, empty for alone. `share_played`: 0 did not play, 1 all of it.
    `performance`: an individual figure, higher is better. `left_early`: whether they left before the end.
    `points_percent`: how much of its points the match pays and costs this player; `points_reason`: a code that says
    why it is not all, empty where it is.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="participants")
    team = models.ForeignKey(MatchTeam, on_delete=models.PROTECT, related_name="participants")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="participations")
    role = models.CharField(max_length=40, blank=True, default="")
    ticket_created_at = models.DateTimeField(null=True, blank=True)
    matched_at = models.DateTimeField(null=True, blank=True)
    window = models.PositiveIntegerField(null=True, blank=True)
    party = models.PositiveSmallIntegerField(null=True, blank=True)
    share_played = models.FloatField(default=1.0)
    performance = models.FloatField(null=True, blank=True)
    left_early = models.BooleanField(default=False)
    points_percent = models.PositiveSmallIntegerField(default=100)
    points_reason = models.CharField(max_length=30, blank=True, default="")
    is_live = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="player_once_in_a_match"),
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(is_live=True), name="one_live_match_per_player"
            ),
            models.CheckConstraint(
                condition=models.Q(share_played__gte=0.0, share_played__lte=1.0), name="share_played_is_a_share"
            ),
            models.CheckConstraint(
                condition=models.Q(performance__isnull=True) | models.Q(performance__gte=-1e9, performance__lte=1e9),
                name="performance_is_a_number",
            ),
            models.CheckConstraint(
                condition=models.Q(points_percent=100, points_reason="")
                | (models.Q(points_percent__lt=100) & ~models.Q(points_reason="")),
                name="reduced_points_have_a_reason",
            ),
        ]
        indexes = [models.Index(fields=["player", "-match"], name="participations_newest_first")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.match_id}"


class ResultReport(models.Model):
    """What somebody said about a match. `ranks` and `scores` are per side, by index. Rows are never edited."""

    class Kind(models.TextChoices):
        REPORT = "report", _("reported")
        CONFIRM = "confirm", _("confirmed")
        DISPUTE = "dispute", _("disputed")
        WITHDRAW = "withdraw", _("taken back")
        SILENCE = "silence", _("confirmed by silence")
        DECISION = "decision", _("decided")
        IMPORT = "import", _("imported")
        CANCEL = "cancel", _("asked to cancel")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    revision = models.PositiveIntegerField()
    ranks = models.JSONField(default=list)
    scores = models.JSONField(default=list)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "revision"], name="one_report_per_revision")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.match_id}"
