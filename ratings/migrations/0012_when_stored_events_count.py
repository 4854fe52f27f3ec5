"""What ratings.core.ledger.took_effect says of every event that is stored already.

The column is new and follows from the rest of its row, so the trigger that keeps events as they are rests meanwhile.
"""

from django.db import migrations

FORWARD = """
ALTER TABLE ratings_ratingevent DISABLE TRIGGER rating_event_append_only;
UPDATE ratings_ratingevent AS e
SET effective_at = LEAST(e.created_at, CASE e.kind
    WHEN 'match' THEN coalesce(
        (e.explanation -> 'period' ->> 'ends_at')::timestamptz, (e.state_after ->> 'last_match_at')::timestamptz)
    WHEN 'placement' THEN r.created_at
END)
FROM ratings_playerrating AS r WHERE r.id = e.player_rating_id AND e.effective_at IS NULL;
ALTER TABLE ratings_ratingevent ENABLE TRIGGER rating_event_append_only;
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0011_events_name_when_they_count")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
