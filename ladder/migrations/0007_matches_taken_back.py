from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0006_margins_of_played_matches")]
    operations = [migrations.AddField("match", "reversed_at", models.DateTimeField(blank=True, null=True))]
