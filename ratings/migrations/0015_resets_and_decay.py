from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0014_places_are_counted_over_an_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="playerrating",
            name="banked_days",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="playerrating",
            name="decayed_to",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="playerrating",
            name="start_position",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ratingevent",
            name="decay_date",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="ratingevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decay_date__isnull", False)),
                fields=("player_rating", "decay_date"),
                name="decay_once_a_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decay_date__isnull", False), ("kind", "decay")),
                    models.Q(models.Q(("kind", "decay"), _negated=True), ("decay_date__isnull", True)),
                    _connector="OR",
                ),
                name="decay_has_its_day",
            ),
        ),
    ]
