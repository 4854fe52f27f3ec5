import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import ratings.ids


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0008_search_by_part_of_a_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="DecayWarning",
            fields=[
                ("id", models.UUIDField(default=ratings.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("idle_since", models.DateField()),
                ("begins_on", models.DateField()),
                ("created_at", models.DateTimeField()),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                ("id", models.UUIDField(default=ratings.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("first_day", models.DateField(verbose_name="first day")),
                ("last_day", models.DateField(blank=True, null=True, verbose_name="last day")),
                ("reason", models.CharField(max_length=80, verbose_name="reason")),
                ("is_closure", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="points_percent",
            field=models.PositiveSmallIntegerField(default=100),
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="points_reason",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
        migrations.AddField(
            model_name="player",
            name="mails",
            field=models.BooleanField(default=True, verbose_name="e-mail before my rank begins to fade"),
        ),
        migrations.AddField(
            model_name="season",
            name="closing_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seasonrules",
            name="decayed_to",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="matchparticipant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("points_percent", 100), ("points_reason", "")),
                    models.Q(("points_percent__lt", 100), models.Q(("points_reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="reduced_points_have_a_reason",
            ),
        ),
        migrations.AddField(
            model_name="decaywarning",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="decay_warnings", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="decaywarning",
            name="queue",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ladder.queue"),
        ),
        migrations.AddField(
            model_name="decaywarning",
            name="season",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ladder.season"),
        ),
        migrations.AddField(
            model_name="pause",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="ladder.club"
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="created_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="queue",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pauses",
                to="ladder.queue",
            ),
        ),
        migrations.AddConstraint(
            model_name="decaywarning",
            constraint=models.UniqueConstraint(
                fields=("player", "queue", "season", "idle_since"), name="one_warning_per_idle_spell"
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("last_day__isnull", True), ("last_day__gte", models.F("first_day")), _connector="OR"
                ),
                name="pause_ends_after_it_begins",
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_closure", True), ("last_day__isnull", True)),
                fields=("queue",),
                name="one_open_closure_per_queue",
            ),
        ),
    ]
