from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0013_ranks_of_any_moment")]

    operations = [
        migrations.AddIndex(
            "playerrating",
            models.Index(
                "queue",
                "season",
                models.F("position").desc(nulls_last=True),
                name="rating_counted_by_position",
                condition=models.Q(role="", games__gt=0),
            ),
        ),
    ]
