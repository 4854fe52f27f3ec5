"""The database refuses a model in force that was never replayed or approved; the old place of reports goes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0004_reports_of_shipped_models")]

    operations = [
        migrations.AddConstraint(
            model_name="ratingmodel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "in_force"), _negated=True),
                    models.Q(
                        ("report__isnull", False),
                        models.Q(
                            ("approved_by__isnull", False), models.Q(("preset", ""), _negated=True), _connector="OR"
                        ),
                    ),
                    _connector="OR",
                ),
                name="rating_model_in_force_is_replayed_and_approved",
            ),
        ),
        migrations.RemoveField(
            model_name="ratingmodel",
            name="replay_report",
        ),
    ]
