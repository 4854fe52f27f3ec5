"""Many rows at once: COPY in, UPDATE from arrays. The ledger's only way to the database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Field


def copy_rows(model: type[models.Model], rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows by one COPY. A row maps every column's attribute to its value; JSON columns take finished text."""
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(_column(field)) for field in fields)
    statement = f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([row[name] for name in names])


def update_rows(model: type[models.Model], columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the columns (attribute names) of existing rows, found by their `id`, by one UPDATE."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    quote = connection.ops.quote_name
    used = ["id", *columns]
    arrays = ", ".join(f"%s::{fields[name].db_type(connection)}[]" for name in used)
    quoted = {name: quote(_column(fields[name])) for name in used}
    names = ", ".join(quoted.values())
    settings = ", ".join(f"{quoted[name]} = new.{quoted[name]}" for name in columns)
    statement = (
        f"UPDATE {quote(model._meta.db_table)} AS old SET {settings} "  # noqa: S608 - names come from our own models
        f"FROM unnest({arrays}) AS new({names}) WHERE old.id = new.id"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [[row[name] for row in rows] for name in used])


def _column(field: "Field[Any, Any]") -> str:
    assert field.column is not None, "concrete fields have a column"
    return field.column
