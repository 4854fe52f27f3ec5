import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0005_in_force_needs_report_and_approval")]

    operations = [
        migrations.AddField(
            model_name="playerrating",
            name="rating_model",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ratings.ratingmodel"
            ),
        ),
        migrations.AddField(
            model_name="playerrating",
            name="top_rating",
            field=models.FloatField(blank=True, null=True),
        ),
    ]
