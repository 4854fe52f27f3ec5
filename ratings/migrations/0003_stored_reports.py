"""Stored replays and fits, and what a rating model says of its replay, its approval and its rating period."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import ratings.ids


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0002_leave_out_who_is_gone"),
        ("ratings", "0002_append_only_ledger"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="ratingmodel",
            name="approved_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ratingmodel",
            name="note",
            field=models.CharField(blank=True, default="", help_text="What it is for.", max_length=300),
        ),
        migrations.AddField(
            model_name="ratingmodel",
            name="period",
            field=models.CharField(
                choices=[("match", "every match"), ("week", "weekly"), ("month", "monthly")],
                default="match",
                help_text="When results are rated.",
                max_length=5,
            ),
        ),
        migrations.AddField(
            model_name="ratingmodel",
            name="revision",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="ratingmodel",
            name="approved_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="ratingmodel",
            name="author",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="ReplayReport",
            fields=[
                ("id", models.UUIDField(default=ratings.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("replay", "replay"), ("fit", "fit"), ("shipped", "shipped")], max_length=8
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=120)),
                ("settings", models.JSONField(blank=True, default=dict)),
                ("history_matches", models.PositiveIntegerField(blank=True, null=True)),
                ("history_digest", models.CharField(blank=True, default="", max_length=64)),
                ("history_until", models.DateTimeField(blank=True, null=True)),
                ("progress_done", models.PositiveBigIntegerField(default=0)),
                ("progress_total", models.PositiveBigIntegerField(default=0)),
                ("message", models.CharField(blank=True, default="", max_length=300)),
                ("error", models.CharField(blank=True, default="", max_length=300)),
                ("result", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="replay_reports", to="ladder.queue"
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReplayPart",
            fields=[
                ("id", models.UUIDField(default=ratings.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=120)),
                ("position", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("task", models.JSONField(default=dict)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(help_text="Until then nobody else need look after it.")),
                ("progress_done", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(blank=True, default=dict)),
                ("error", models.CharField(blank=True, default="", max_length=300)),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="ratings.replayreport"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="ratingmodel",
            name="report",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="models",
                to="ratings.replayreport",
            ),
        ),
        migrations.AddIndex(
            model_name="replayreport",
            index=models.Index(fields=["queue", "-created_at", "-id"], name="replay_report_newest_first"),
        ),
        migrations.AddIndex(
            model_name="replayreport",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=["created_at"],
                name="replay_report_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="replayreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["done", "failed", "cancelled"]), _negated=True),
                    ("finished_at__isnull", False),
                    _connector="OR",
                ),
                name="finished_replay_report_has_its_time",
            ),
        ),
        migrations.AddIndex(
            model_name="replaypart",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=["lease_until"],
                name="replay_part_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="replaypart",
            constraint=models.UniqueConstraint(fields=("report", "key"), name="one_replay_part_per_key"),
        ),
    ]
