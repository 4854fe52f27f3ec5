from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0010_count_matches_of_earlier_seasons")]
    operations = [migrations.AddField("ratingevent", "effective_at", models.DateTimeField(null=True))]
