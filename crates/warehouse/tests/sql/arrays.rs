//! Tests of arrays, structs and JSON.

use serde_json::json;

use super::fixture::check;

#[test]
fn arrays_are_constructed_and_unnested() {
    check(&[
        (
            "SELECT [1, 2.5] AS a, ARRAY<STRING>['x'] AS b, [] AS c, ARRAY<INT64>[] AS d",
            "a ARRAY<FLOAT64>, b ARRAY<STRING>, c ARRAY<INT64>, d ARRAY<INT64>",
            json!([["[1.0,2.5]", "[\"x\"]", "[]", "[]"]]),
        ),
        (
            "SELECT tags[OFFSET(0)], tags[SAFE_ORDINAL(2)], tags[0] FROM items WHERE id = 1",
            "f0_ STRING, f1_ STRING, f2_ STRING",
            json!([["a", "b", "a"]]),
        ),
        ("SELECT tags[SAFE_OFFSET(7)] FROM items WHERE id = 2", "f0_ STRING", json!([[null]])),
        (
            "SELECT id, tag FROM items, UNNEST(tags) AS tag ORDER BY id, tag",
            "id INT64, tag STRING",
            json!([[1, "a"], [1, "b"], [3, "b"]]),
        ),
        (
            "SELECT id, tag, o FROM items i LEFT JOIN UNNEST(i.tags) AS tag WITH OFFSET AS o ORDER BY id, o",
            "id INT64, tag STRING, o INT64",
            json!([[1, "a", 0], [1, "b", 1], [2, null, null], [3, "b", 0]]),
        ),
        (
            "SELECT i.id, p.name, age FROM items i, i.people AS p WHERE p.age > 30",
            "id INT64, name STRING, age INT64",
            json!([[3, "Bob", 40]]),
        ),
        ("SELECT x FROM UNNEST([3, 1, 2]) AS x ORDER BY x", "x INT64", json!([[1], [2], [3]])),
        ("SELECT * FROM UNNEST([STRUCT(1 AS a, TRUE AS b)])", "a INT64, b BOOL", json!([[1, 1]])),
        (
            "SELECT [STRUCT(1 AS a, 'x' AS b), STRUCT(2, 'y'), (3, 'z')] AS s",
            "s ARRAY<STRUCT<a INT64, b STRING>>",
            json!([["[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"},{\"a\":3,\"b\":\"z\"}]"]]),
        ),
        (
            "SELECT * FROM UNNEST([STRUCT(1 AS a, DATE '2026-01-01' AS b), STRUCT(2.5, DATETIME '2026-01-02 03:00:00')])",
            "a FLOAT64, b DATETIME",
            json!([[1.0, "2026-01-01T00:00:00"], [2.5, "2026-01-02T03:00:00"]]),
        ),
        (
            "SELECT x.b.d, x.b.e FROM UNNEST([STRUCT(1 AS a, STRUCT(2 AS d, ['p'] AS e) AS b), STRUCT(3, STRUCT(4, ['q']))]) AS x",
            "d INT64, e ARRAY<STRING>",
            json!([[2, "[\"p\"]"], [4, "[\"q\"]"]]),
        ),
        (
            "SELECT [STRUCT(1 AS a), STRUCT(2 AS other)] AS s, ARRAY<STRUCT<n INT64, t STRING>>[(1, 'x'), (2, NULL)] AS t",
            "s ARRAY<STRUCT<a INT64>>, t ARRAY<STRUCT<n INT64, t STRING>>",
            json!([["[{\"a\":1},{\"a\":2}]", "[{\"n\":1,\"t\":\"x\"},{\"n\":2,\"t\":null}]"]]),
        ),
        ("SELECT id FROM items WHERE 'a' IN UNNEST(tags)", "id INT64", json!([[1]])),
        (
            "SELECT ARRAY(SELECT tag FROM UNNEST(tags) AS tag ORDER BY tag DESC) AS t FROM items ORDER BY id",
            "t ARRAY<STRING>",
            json!([["[\"b\",\"a\"]"], ["[]"], ["[\"b\"]"]]),
        ),
        (
            "SELECT ARRAY(SELECT AS STRUCT id, is_draft FROM items WHERE id < 3 ORDER BY id) AS t",
            "t ARRAY<STRUCT<id INT64, is_draft BOOL>>",
            json!([["[{\"id\":1,\"is_draft\":false},{\"id\":2,\"is_draft\":true}]"]]),
        ),
        (
            "SELECT ARRAY_AGG(id ORDER BY id DESC LIMIT 2) AS a, ARRAY_AGG(title IGNORE NULLS ORDER BY id) AS b, ARRAY_AGG(id)[OFFSET(0)] > 0 AS c FROM items",
            "a ARRAY<INT64>, b ARRAY<STRING>, c BOOL",
            json!([["[3,2]", "[\"One\",\"Two\"]", 1]]),
        ),
        ("SELECT ARRAY_AGG(id) AS a FROM items WHERE id > 9", "a ARRAY<INT64>", json!([["[]"]])),
        (
            "SELECT ARRAY_LENGTH(tags), ARRAY_CONCAT(tags, ['z']), tags || ['y'] FROM items WHERE id = 3",
            "f0_ INT64, f1_ ARRAY<STRING>, f2_ ARRAY<STRING>",
            json!([[1, "[\"b\",\"z\"]", "[\"b\",\"y\"]"]]),
        ),
        (
            "SELECT d FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-30', '2026-02-01')) AS d",
            "d DATE",
            json!([["2026-01-30"], ["2026-01-31"], ["2026-02-01"]]),
        ),
        ("SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 100))", "f0_ INT64", json!([[100]])),
    ]);
}

#[test]
fn structs_and_json_have_fields() {
    check(&[
        (
            "SELECT owner.name, i.owner.age FROM items i WHERE owner.age > 35",
            "name STRING, age INT64",
            json!([["Bob", 40]]),
        ),
        (
            "SELECT STRUCT(1 AS a, 'x' AS b).b, STRUCT<c FLOAT64>(1).c",
            "b STRING, c FLOAT64",
            json!([["x", 1.0]]),
        ),
        ("SELECT people[OFFSET(0)].name FROM items WHERE id = 3", "name STRING", json!([["Bob"]])),
        ("SELECT owner.* FROM items WHERE id = 1", "name STRING, age INT64", json!([["Ann", 30]])),
        (
            "SELECT extra.a.b, extra['a'], JSON_VALUE(extra, '$.a.b') FROM items WHERE id = 1",
            "b JSON, f0_ JSON, f1_ STRING",
            json!([["1", "{\"b\":1}", "1"]]),
        ),
        ("SELECT extra[1] FROM items WHERE id = 2", "f0_ JSON", json!([["2"]])),
        (
            "SELECT p FROM plays AS p WHERE item = 9",
            "p STRUCT<item INT64, app STRING, count INT64>",
            json!([["{\"item\":9,\"app\":\"Web\",\"count\":1}"]]),
        ),
        (
            "SELECT [b'\\x01'][OFFSET(0)], STRUCT(b'\\x02' AS h).h, [TRUE][OFFSET(0)], [JSON '{\"a\":\"b\"}'][OFFSET(0)].a",
            "f0_ BYTES, h BYTES, f1_ BOOL, a JSON",
            json!([[{"bytes": [1]}, {"bytes": [2]}, 1, "\"b\""]]),
        ),
        (
            "SELECT TO_JSON_STRING(owner) FROM items WHERE id = 1",
            "f0_ STRING",
            json!([["{\"name\":\"Ann\",\"age\":30}"]]),
        ),
    ]);
}

#[test]
fn a_null_in_a_struct_takes_the_sibling_type() {
    check(&[
        (
            "SELECT [STRUCT('x' AS a), STRUCT(NULL)] AS s",
            "s ARRAY<STRUCT<a STRING>>",
            json!([["[{\"a\":\"x\"},{\"a\":null}]"]]),
        ),
        (
            "SELECT [STRUCT(NULL AS a, [] AS b), STRUCT(DATE '2026-01-01', ['y'])] AS s",
            "s ARRAY<STRUCT<a DATE, b ARRAY<STRING>>>",
            json!([["[{\"a\":null,\"b\":[]},{\"a\":\"2026-01-01\",\"b\":[\"y\"]}]"]]),
        ),
        (
            "SELECT [STRUCT(STRUCT(NULL AS b) AS a), STRUCT(STRUCT(TRUE)), STRUCT(NULL)] AS s",
            "s ARRAY<STRUCT<a STRUCT<b BOOL>>>",
            json!([["[{\"a\":{\"b\":null}},{\"a\":{\"b\":true}},{\"a\":null}]"]]),
        ),
        (
            "SELECT IF(FALSE, STRUCT(NULL AS a), STRUCT(1.5)) AS s",
            "s STRUCT<a FLOAT64>",
            json!([["{\"a\":1.5}"]]),
        ),
        (
            "SELECT STRUCT(NULL AS a) AS s UNION ALL SELECT STRUCT('x')",
            "s STRUCT<a STRING>",
            json!([["{\"a\":null}"], ["{\"a\":\"x\"}"]]),
        ),
        (
            "SELECT a FROM UNNEST([STRUCT(NULL AS a), STRUCT('x')])",
            "a STRING",
            json!([[null], ["x"]]),
        ),
        (
            "SELECT STRUCT(NULL AS a, [] AS b) AS s, STRUCT(NULL AS a).a",
            "s STRUCT<a INT64, b ARRAY<INT64>>, a INT64",
            json!([["{\"a\":null,\"b\":[]}", null]]),
        ),
    ]);
}
