"""Every rating stands on the model of its last event; one without events on its queue's.

The highest rating so far is known where the last event tells it.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import FloatField, OuterRef, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce


def forward(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One statement for all ratings."""
    events = (
        apps.get_model("ratings", "RatingEvent")
        .objects.filter(player_rating=OuterRef("pk"), rating_model__isnull=False)
        .order_by("-seq")
    )
    models = (
        apps.get_model("ratings", "RatingModel")
        .objects.filter(queue=OuterRef("queue"), valid_during__isnull=False)
        .order_by("-version")
    )
    top = Cast(KeyTextTransform("top_rating", "state_after"), FloatField())
    apps.get_model("ratings", "PlayerRating").objects.filter(rating_model__isnull=True).update(
        rating_model=Coalesce(Subquery(events.values("rating_model")[:1]), Subquery(models.values("pk")[:1])),
        top_rating=Subquery(events.annotate(top=top).values("top")[:1]),
    )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0006_beliefs_name_their_model")]
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
