from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0008_every_belief_has_a_model")]

    operations = [
        migrations.AddField(
            model_name="playerrating",
            name="earlier_games",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
