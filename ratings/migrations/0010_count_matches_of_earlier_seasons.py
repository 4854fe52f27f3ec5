"""What was played in the queue before a rating began."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import OuterRef, Subquery, Sum


def forward(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One statement for all ratings."""
    ratings = apps.get_model("ratings", "PlayerRating").objects
    before = ratings.filter(
        player=OuterRef("player"), queue=OuterRef("queue"), role=OuterRef("role"), created_at__lt=OuterRef("created_at")
    )
    played = before.order_by().values("player").annotate(played=Sum("games")).filter(played__gt=0).values("played")
    later = ratings.annotate(played=Subquery(played)).filter(played__isnull=False)
    later.update(earlier_games=Subquery(played))


class Migration(migrations.Migration):
    dependencies = [("ratings", "0009_matches_of_earlier_seasons")]
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
