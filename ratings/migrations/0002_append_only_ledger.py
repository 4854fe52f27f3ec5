"""The database itself refuses to change or remove a rating event."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION refuse_rating_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rating events are append-only: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER rating_event_append_only BEFORE UPDATE OR DELETE ON ratings_ratingevent
    FOR EACH ROW EXECUTE FUNCTION refuse_rating_event_change();
CREATE TRIGGER rating_event_no_truncate BEFORE TRUNCATE ON ratings_ratingevent
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rating_event_change();
"""

BACKWARD = """
DROP TRIGGER rating_event_no_truncate ON ratings_ratingevent;
DROP TRIGGER rating_event_append_only ON ratings_ratingevent;
DROP FUNCTION refuse_rating_event_change();
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
