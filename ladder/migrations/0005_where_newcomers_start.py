from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0004_what_a_match_says_besides_its_ranks")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="self_assessments",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Answers to “How well do you play?”; empty for the shipped ones.",
            ),
        ),
        migrations.AddField(
            model_name="queue",
            name="prior_rules",
            field=models.JSONField(blank=True, default=dict, help_text="Where newcomers start."),
        ),
    ]
