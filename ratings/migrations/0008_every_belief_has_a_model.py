import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0007_models_of_stored_beliefs")]

    operations = [
        migrations.AlterField(
            model_name="playerrating",
            name="rating_model",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ratings.ratingmodel"
            ),
        ),
    ]
