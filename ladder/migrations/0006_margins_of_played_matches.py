"""Two sides whose scores are known: the difference is how clearly it was decided."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Count, F, FloatField, Max, Min, OuterRef, Subquery
from django.db.models.functions import Cast


def forward(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One statement for all matches."""
    scores = (
        apps.get_model("ladder", "MatchTeam")
        .objects.filter(match=OuterRef("pk"))
        .order_by()
        .values("match")
        .annotate(sides=Count("pk"), known=Count("score"), margin=Max("score") - Min("score"))
        .filter(sides=2, known=2)
        .values(apart=Cast(F("margin"), FloatField()))
    )
    matches = apps.get_model("ladder", "Match").objects.filter(state="completed", margin__isnull=True)
    matches.annotate(apart=Subquery(scores)).filter(apart__isnull=False).update(margin=Subquery(scores))


class Migration(migrations.Migration):
    dependencies = [("ladder", "0005_where_newcomers_start")]
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
