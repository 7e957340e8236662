"""The published Python client of the warehouse API, pointed at feedwright by its address alone.

warehouse.sh starts the server and says where it is.
"""

import datetime
import io
import json
import os
import pathlib

from google.api_core import exceptions
from google.auth.exceptions import RefreshError
from google.cloud import bigquery
from google.cloud.bigquery import dbapi
from google.cloud.bigquery import SchemaField
from google.oauth2.credentials import Credentials

PROJECT = "show"
SITE = pathlib.Path(os.environ["SITE"])
UTC = datetime.timezone.utc


def client(key):
    return bigquery.Client(
        project=PROJECT,
        credentials=Credentials(token=key),
        client_options={"api_endpoint": os.environ["ADDRESS"]},
    )


def fails(kind, call, words=""):
    try:
        call()
    except kind as error:
        assert words in str(error), error
        return error
    raise AssertionError(f"{kind} was expected")


def rows(found):
    return [tuple(row.values()) for row in found]


def datasets(own):
    made = own.create_dataset("logs")
    assert made.dataset_id == "logs" and made.created is not None
    fails(exceptions.Conflict, lambda: own.create_dataset("logs"))
    own.create_dataset("logs", exists_ok=True)
    assert [one.dataset_id for one in own.list_datasets()] == ["logs", "site"]
    made.description = "What is heard"
    made.labels = {"team": "audio"}
    updated = own.update_dataset(made, ["description", "labels"])
    assert updated.description == "What is heard" and updated.labels == {"team": "audio"}
    made.description = "From what was seen before"
    fails(exceptions.PreconditionFailed, lambda: own.update_dataset(made, ["description"]))
    assert own.get_dataset("logs").description == "What is heard"
    fails(exceptions.NotFound, lambda: own.get_dataset("none"))
    fails(exceptions.BadRequest, lambda: own.create_dataset("no-name"))
    own.delete_dataset("none", not_found_ok=True)


def tables(own):
    schema = [
        SchemaField("n", "INTEGER", mode="REQUIRED"),
        SchemaField("at", "TIMESTAMP"),
        SchemaField("tags", "STRING", mode="REPEATED"),
        SchemaField("who", "RECORD", fields=[SchemaField("name", "STRING"), SchemaField("age", "INT64")]),
    ]
    table = own.create_table(bigquery.Table("show.logs.people", schema=schema))
    assert table.num_rows == 0 and table.table_type == "TABLE"
    when = datetime.datetime(2026, 11, 21, 7, 5, 0, 250000, tzinfo=UTC)
    new = [
        {"n": n, "at": when.isoformat(), "tags": ["a", "b"][:n], "who": {"name": f"p{n}", "age": n}}
        for n in range(3)
    ]
    assert own.insert_rows_json(table, new) == []
    assert own.insert_rows(table, [(3, when, [], {"name": "é", "age": None})]) == []
    errors = own.insert_rows_json(table, [{"n": "many"}])
    assert errors[0]["index"] == 0 and errors[0]["errors"][0]["location"] == "n", errors
    found = own.list_rows(table, page_size=2)
    values = rows(found)
    assert found.total_rows == 4
    assert values[2] == (2, when, ["a", "b"], {"name": "p2", "age": 2}), values
    assert values[3] == (3, when, [], {"name": "é", "age": None}), values
    assert rows(own.list_rows(table, selected_fields=schema[:1], start_index=1, max_results=2)) == [(1,), (2,)]

    table = own.get_table(table)
    table.schema = [SchemaField("n", "INTEGER"), *schema[1:], SchemaField("note", "STRING")]
    table.expires = datetime.datetime.now(UTC) + datetime.timedelta(hours=1)
    table = own.update_table(table, ["schema", "expires"])
    assert table.schema[0].mode == "NULLABLE" and table.schema[-1].name == "note"
    table.schema = table.schema[1:]
    fails(exceptions.BadRequest, lambda: own.update_table(table, ["schema"]), "cannot be removed")

    view = bigquery.Table("show.logs.titles")
    view.view_query = "SELECT id, title FROM `show.site.items`"
    assert own.create_table(view).table_type == "VIEW"
    listed = {one.table_id: one.table_type for one in own.list_tables("logs")}
    assert listed == {"people": "TABLE", "titles": "VIEW"}, listed
    own.delete_table("logs.titles")
    fails(exceptions.NotFound, lambda: own.get_table("logs.titles"))
    assert "items" in {one.table_id for one in own.list_tables("site")}
    items = own.list_rows("show.site.items", selected_fields=[SchemaField("id", "STRING")])
    assert sorted(rows(items)) == [("one",), ("three",), ("two",)]


def loads(own):
    config = bigquery.LoadJobConfig(
        source_format="CSV",
        skip_leading_rows=1,
        schema=[SchemaField("episode", "STRING"), SchemaField("count", "INTEGER")],
    )
    few = b"episode,count\na,1\nb,2\n"
    job = own.load_table_from_file(io.BytesIO(few), "logs.plays", size=len(few), job_config=config)
    assert job.result().output_rows == 2

    # Larger than what the client sends at once, and of a length that it is not told.
    many = io.BytesIO(b"episode,count\n" + b"".join(b"e%d,%d\n" % (n % 50, n) for n in range(1_000_000)))
    config.write_disposition = "WRITE_TRUNCATE"
    job = own.load_table_from_file(many, "logs.plays", rewind=True, job_config=config)
    assert job.result().output_rows == 1_000_000
    assert own.get_table("logs.plays").num_rows == 1_000_000

    detected = [{"at": "2026-11-21T07:05:00Z", "deep": {"a": [1, 2]}, "flag": True}]
    job = own.load_table_from_json(detected, "logs.detected")
    job.result()
    types = {field.name: field.field_type for field in own.get_table("logs.detected").schema}
    assert types == {"at": "TIMESTAMP", "deep": "RECORD", "flag": "BOOLEAN"}, types
    bad = b"episode,count\na,many\n"
    config.write_disposition = "WRITE_APPEND"
    job = own.load_table_from_file(io.BytesIO(bad), "logs.plays", size=len(bad), job_config=config)
    error = fails(exceptions.BadRequest, job.result)
    assert error.errors[0]["reason"] == "invalid", error
    assert own.get_table("logs.plays").num_rows == 1_000_000


def exports_and_copies(own):
    own.copy_table("logs.people", "logs.copied").result()
    own.copy_table("site.items", "logs.items").result()
    assert own.get_table("logs.items").num_rows == 3
    assert own.get_table("logs.copied").num_rows == 4
    fails(exceptions.Conflict, own.copy_table("logs.people", "logs.copied").result)
    uri = "gs://out/people-*.json"
    config = bigquery.ExtractJobConfig(destination_format="NEWLINE_DELIMITED_JSON")
    own.extract_table("logs.people", uri, job_config=config).result()
    files = list((SITE / ".feedwright/warehouse/exports/out").iterdir())
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert len(lines) == 4, lines
    config = bigquery.LoadJobConfig(source_format="NEWLINE_DELIMITED_JSON", schema=own.get_table("logs.people").schema)
    own.load_table_from_uri(uri, "logs.again", job_config=config).result()
    assert rows(own.list_rows("logs.again")) == rows(own.list_rows("logs.people"))


def queries(own):
    config = bigquery.QueryJobConfig(
        query_parameters=[
            bigquery.ScalarQueryParameter("least", "INT64", 48),
            bigquery.ArrayQueryParameter("names", "STRING", ["e1", "e48", "e49"]),
        ]
    )
    text = """SELECT episode, SUM(count) AS total, COUNT(*) AS plays FROM logs.plays
        WHERE count >= @least AND episode IN UNNEST(@names) GROUP BY episode ORDER BY episode"""
    job = own.query(text, job_config=config)
    found = rows(job.result())
    assert [row[0] for row in found] == ["e1", "e48", "e49"] and found[1][2] == 20_000, found
    assert job.state == "DONE" and job.statement_type == "SELECT"
    assert rows(own.query_and_wait(text, job_config=config)) == found
    positional = bigquery.QueryJobConfig(query_parameters=[bigquery.ScalarQueryParameter(None, "STRING", "é")])
    assert rows(own.query_and_wait("SELECT ? AS a", job_config=positional)) == [("é",)]

    text = """SELECT 1.5 AS f, TRUE AS b, b'\\x00\\xff' AS y, DATE '2026-11-21' AS d, TIME '07:05:00.25' AS t,
        DATETIME '2026-11-21 07:05:00' AS dt, TIMESTAMP '2026-11-21 07:05:00.000001+00' AS ts, PARSE_JSON('{"a":[1]}') AS j,
        [1, 2] AS l, STRUCT('x' AS name, 2 AS n) AS s, CAST(NULL AS STRING) AS nothing"""
    (row,) = own.query_and_wait(text)
    assert dict(row.items()) == {
        "f": 1.5,
        "b": True,
        "y": b"\x00\xff",
        "d": datetime.date(2026, 11, 21),
        "t": datetime.time(7, 5, 0, 250000),
        "dt": datetime.datetime(2026, 11, 21, 7, 5),
        "ts": datetime.datetime(2026, 11, 21, 7, 5, 0, 1, tzinfo=UTC),
        "j": {"a": [1]},
        "l": [1, 2],
        "s": {"name": "x", "n": 2},
        "nothing": None,
    }, row

    numbers = "SELECT count FROM logs.plays WHERE count < 5000 ORDER BY count"
    paged = own.query(numbers).result(page_size=700)
    assert [page.num_items for page in paged.pages] == [700] * 7 + [100]
    assert [row[0] for row in own.query_and_wait(numbers, page_size=999)] == list(range(5000))
    assert rows(own.query(numbers).result(start_index=4998)) == [(4998,), (4999,)]

    dry = own.query(numbers, job_config=bigquery.QueryJobConfig(dry_run=True))
    assert dry.total_bytes_processed == 0 and dry.schema[0].name == "count"
    into = bigquery.QueryJobConfig(destination="show.logs.few", write_disposition="WRITE_TRUNCATE")
    own.query("SELECT 1 AS one", job_config=into).result()
    assert rows(own.list_rows("logs.few")) == [(1,)]
    assert own.query("UPDATE logs.few SET one = 2 WHERE TRUE").result().num_dml_affected_rows == 1
    own.query_and_wait("CREATE TABLE logs.made (a INT64)")
    assert own.get_table("logs.made").schema == [SchemaField("a", "INTEGER")]
    error = fails(exceptions.BadRequest, lambda: own.query_and_wait("SELECT\n  nothing FROM logs.few"), "[2:3]")
    assert error.errors[0]["reason"] == "invalidQuery", error
    fails(exceptions.NotFound, lambda: own.query_and_wait("SELECT 1 FROM logs.none"))


def database_api(own):
    cursor = dbapi.connect(own).cursor()
    cursor.execute("SELECT title FROM site.items WHERE id = %(id)s AND 1 = %(one:INT64)s", {"id": "two", "one": 1})
    assert [tuple(row) for row in cursor.fetchall()] == [("Item two",)]
    cursor.execute("SELECT id FROM site.items WHERE id > %s ORDER BY id", ("one",))
    assert [tuple(row) for row in cursor.fetchall()] == [("three",), ("two",)]


def jobs(own):
    endless = "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) AS n FROM t"
    job = own.query(endless, job_id="endless", job_retry=None)
    assert own.cancel_job("endless").job_id == "endless"
    fails(exceptions.GoogleAPICallError, lambda: job.result(retry=None), "cancel")
    assert own.get_job("endless").error_result["reason"] == "stopped"
    fails(exceptions.Conflict, lambda: own.query("SELECT 1", job_id="endless", job_retry=None))
    listed = [one.job_id for one in own.list_jobs(max_results=3)]
    assert len(listed) == 3 and listed[0] == "endless", listed
    kinds = {one.job_type for one in own.list_jobs(state_filter="done")}
    assert {"load", "query", "copy", "extract"} <= kinds, kinds
    own.delete_job_metadata("endless", location="local")
    fails(exceptions.NotFound, lambda: own.get_job("endless"))


def access(own):
    reader = client(os.environ["READ_KEY"])
    assert rows(reader.query_and_wait("SELECT COUNT(*) AS n FROM site.items")) == [(3,)]
    assert reader.get_table("logs.few").num_rows == 1
    fails(exceptions.Forbidden, lambda: reader.query_and_wait("DELETE FROM logs.few WHERE TRUE"))
    fails(exceptions.Forbidden, lambda: reader.query("SELECT 1"))
    fails(exceptions.Forbidden, lambda: reader.delete_table("logs.few"))
    fails(exceptions.Forbidden, lambda: reader.load_table_from_json([{"a": 1}], "logs.more"))
    fails(exceptions.Forbidden, lambda: list(client(os.environ["PLAIN_KEY"]).list_datasets()))
    # Told that its token is not valid (401), the client looks for another.
    fails(RefreshError, lambda: list(client("unknown").list_datasets(retry=None)))
    fails(exceptions.Forbidden, lambda: own.delete_table("site.items"))
    fails(exceptions.BadRequest, lambda: own.delete_dataset("logs"))
    own.delete_dataset("logs", delete_contents=True)
    assert [one.dataset_id for one in own.list_datasets()] == ["site"]


def main():
    own = client(os.environ["KEY"])
    for check in [datasets, tables, loads, exports_and_copies, queries, database_api, jobs, access]:
        check(own)
    print("warehouse API: the Python client loads, asks, copies and exports")


main()
