"""The report that each model in force came with becomes a row of its own."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forward(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One finished report per model that was ever in force."""
    rating_model, replay_report = apps.get_model("ratings", "RatingModel"), apps.get_model("ratings", "ReplayReport")
    for model in rating_model.objects.filter(valid_during__isnull=False, report__isnull=True).iterator():
        told = model.replay_report or {}
        model.report = replay_report.objects.create(
            queue_id=model.queue_id,
            kind="shipped",
            state="done",
            title=model.preset or model.algorithm,
            settings={"preset": model.preset, "algorithm": model.algorithm, "parameters": model.parameters},
            result={"reports": told.get("reports", [])},
            created_at=model.created_at,
            started_at=model.created_at,
            finished_at=model.created_at,
        )
        model.save(update_fields=["report"])


def backward(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Back into the model's own column."""
    for model in (
        apps.get_model("ratings", "RatingModel").objects.filter(report__kind="shipped").select_related("report")
    ):
        report, model.report = model.report, None
        model.replay_report = {"preset": model.preset, "reports": report.result.get("reports", [])}
        model.save(update_fields=["report", "replay_report"])
        report.delete()


class Migration(migrations.Migration):
    dependencies = [("ratings", "0003_stored_reports")]
    operations = [migrations.RunPython(forward, backward)]
