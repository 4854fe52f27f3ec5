"""Many rows at once: COPY for thousands, one statement for the few of a match. The ledger's only way to write.

A row maps the attribute of every column to its value; JSON columns hold finished text.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, models
from django.db.models import Field, JSONField

from ratings.core.ledger import canonical, moment


def copy_rows(model: type[models.Model], rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows by one COPY."""
    columns = _columns(model)
    names = ", ".join(_quoted(column) for column in columns.values())
    statement = f"COPY {connection.ops.quote_name(model._meta.db_table)} ({names}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([row[name] for name in columns])


def update_rows(model: type[models.Model], names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the named attributes of existing rows, found by their `id`, by one UPDATE."""
    with connection.cursor() as cursor:
        cursor.execute(_update(model, tuple(names)), [_as_json(model, rows)])


def insert_and_update(
    inserted: type[models.Model],
    new: Sequence[Mapping[str, Any]],
    updated: type[models.Model],
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Insert the rows of one table and update those of another by one statement."""
    statement = f"WITH moved AS ({_update(updated, tuple(names))}) {_insert(inserted)}"
    with connection.cursor() as cursor:
        cursor.execute(statement, [_as_json(updated, rows), _as_json(inserted, new)])


@cache
def _insert(model: type[models.Model]) -> str:
    table = connection.ops.quote_name(model._meta.db_table)
    names = ", ".join(_quoted(column) for column in _columns(model).values())
    source = f"json_populate_recordset(NULL::{table}, %s::json)"
    return f"INSERT INTO {table} ({names}) SELECT {names} FROM {source}"  # noqa: S608 - names of our own models


@cache
def _update(model: type[models.Model], names: tuple[str, ...]) -> str:
    table = connection.ops.quote_name(model._meta.db_table)
    columns = _columns(model)
    settings = ", ".join(f"{_quoted(columns[name])} = new.{_quoted(columns[name])}" for name in names)
    source = f"json_populate_recordset(NULL::{table}, %s::json)"
    return f"UPDATE {table} AS old SET {settings} FROM {source} AS new WHERE old.id = new.id"  # noqa: S608 - our models


@cache
def _columns(model: type[models.Model]) -> dict[str, "Field[Any, Any]"]:
    return {field.attname: field for field in model._meta.concrete_fields}


def _quoted(field: "Field[Any, Any]") -> str:
    assert field.column is not None, "concrete fields have a column"
    return connection.ops.quote_name(field.column)


def _as_json(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a JSON array of objects by column; numbers keep every digit, finished JSON goes in as it is."""
    columns = _columns(model)
    return "[" + ",".join(_object(columns, row) for row in rows) + "]"


def _object(columns: Mapping[str, "Field[Any, Any]"], row: Mapping[str, Any]) -> str:
    finished = [name for name in row if isinstance(columns[name], JSONField)]
    plain = {columns[name].column: _plain(value) for name, value in row.items() if name not in finished}
    inner = "".join(f',"{columns[name].column}":{row[name]}' for name in finished)
    return f"{canonical(plain)[:-1]}{inner}}}"


def _plain(value: object) -> object:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return moment(value)
    return value.isoformat() if isinstance(value, date) else value
