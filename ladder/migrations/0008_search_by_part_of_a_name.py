import django.contrib.postgres.indexes
import django.db.models.functions.text
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ladder", "0007_matches_taken_back")]

    operations = [
        migrations.AddIndex(
            "player",
            django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("handle"), name="gin_trgm_ops"
                ),
                name="player_by_part_of_handle",
            ),
        ),
        migrations.AddIndex(
            "player",
            django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("display_name"), name="gin_trgm_ops"
                ),
                name="player_by_part_of_name",
            ),
        ),
    ]
