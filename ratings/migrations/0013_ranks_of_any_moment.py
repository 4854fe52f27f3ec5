from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0012_when_stored_events_count")]

    operations = [
        migrations.AlterField("ratingevent", "effective_at", models.DateTimeField()),
        migrations.RemoveConstraint("ratingevent", "one_event_per_sequence_number"),
        migrations.AddConstraint(
            "ratingevent",
            models.UniqueConstraint(
                fields=["player_rating", "seq"],
                include=["effective_at", "position_after", "kind"],
                name="one_event_per_sequence_number",
            ),
        ),
    ]
