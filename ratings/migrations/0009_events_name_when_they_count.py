from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0008_every_belief_has_a_model")]
    operations = [migrations.AddField("ratingevent", "effective_at", models.DateTimeField(null=True))]
