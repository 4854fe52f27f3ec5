from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0003_matches_wait_for_rating_periods")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="margin",
            field=models.FloatField(blank=True, help_text="How clearly it was decided.", null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="side",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="Which team had the side advantage; empty on neutral ground.", null=True
            ),
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="party",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="share_played",
            field=models.FloatField(default=1.0),
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="performance",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="matchparticipant",
            name="left_early",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("margin__isnull", True), models.Q(("margin__gte", 0.0), ("margin__lte", 1e9)), _connector="OR"
                ),
                name="margin_is_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchparticipant",
            constraint=models.CheckConstraint(
                condition=models.Q(("share_played__gte", 0.0), ("share_played__lte", 1.0)),
                name="share_played_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchparticipant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("performance__isnull", True),
                    models.Q(("performance__gte", -1e9), ("performance__lte", 1e9)),
                    _connector="OR",
                ),
                name="performance_is_a_number",
            ),
        ),
    ]
