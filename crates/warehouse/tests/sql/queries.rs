//! Tests of queries: clauses, operators, names and types.

use rusqlite::types::Value;
use serde_json::json;
use warehouse::Type;

use super::fixture::{SqlFixture, check, table_name};

#[test]
fn values_have_names_and_types() {
    check(&[
        (
            "SELECT 1, 'a' AS b, 1.5, TRUE, NULL",
            "f0_ INT64, b STRING, f1_ FLOAT64, f2_ BOOL, f3_ INT64",
            json!([[1, "a", 1.5, 1, null]]),
        ),
        ("SELECT id FROM items ORDER BY id LIMIT 1", "id INT64", json!([[1]])),
        ("SELECT i.title FROM d.items AS i WHERE i.id = 2;", "title STRING", json!([["Two"]])),
        ("SELECT TITLE FROM `site-1.d.items` WHERE Id = 1", "TITLE STRING", json!([["One"]])),
        (
            "SELECT 1 + 2 * 3, 7 / 2, -(-3), 5 - 2.5, 'a' || 'b'",
            "f0_ INT64, f1_ FLOAT64, f2_ INT64, f3_ FLOAT64, f4_ STRING",
            json!([[7, 3.5, 3, 2.5, "ab"]]),
        ),
        (
            "SELECT 6 & 3, 6 | 3, 6 ^ 3, 1 << 4, -1 >> 63, ~0",
            "f0_ INT64, f1_ INT64, f2_ INT64, f3_ INT64, f4_ INT64, f5_ INT64",
            json!([[2, 7, 5, 16, 1, -1]]),
        ),
        (
            "SELECT -9223372036854775808, 0x1F, 1e3, .5",
            "f0_ INT64, f1_ INT64, f2_ FLOAT64, f3_ FLOAT64",
            json!([[i64::MIN, 31, 1000.0, 0.5]]),
        ),
        (
            r#"SELECT 'a\tb\x41\u00e9', r'\t', "it's", '''x'y''', b'\x00a'"#,
            "f0_ STRING, f1_ STRING, f2_ STRING, f3_ STRING, f4_ BYTES",
            json!([["a\tbA\u{e9}", "\\t", "it's", "x'y", {"bytes": [0, 97]}]]),
        ),
        (
            "SELECT DATE '2026-01-01', DATETIME '2026-01-01 02:03:04', TIMESTAMP '1970-01-01 00:00:01+00', JSON '{\"a\": 1}'",
            "f0_ DATE, f1_ DATETIME, f2_ TIMESTAMP, f3_ JSON",
            json!([["2026-01-01", "2026-01-01T02:03:04", 1_000_000, "{\"a\":1}"]]),
        ),
        (
            "SELECT CURRENT_DATE, CURRENT_TIMESTAMP() = CURRENT_TIMESTAMP, CURRENT_DATETIME('UTC'), CURRENT_DATE('Asia/Tokyo')",
            "f0_ DATE, f1_ BOOL, f2_ DATETIME, f3_ DATE",
            json!([["2026-11-21", 1, "2026-11-21T07:05:00.25", "2026-11-21"]]),
        ),
    ]);
}

#[test]
fn conditions_use_three_valued_logic() {
    check(&[
        ("SELECT id FROM items WHERE is_draft OR id = 1 ORDER BY 1", "id INT64", json!([[1], [2]])),
        ("SELECT id FROM items WHERE NOT is_draft", "id INT64", json!([[1]])),
        (
            "SELECT id FROM items WHERE is_draft IS NOT TRUE ORDER BY id",
            "id INT64",
            json!([[1], [3]]),
        ),
        ("SELECT id FROM items WHERE day >= '2026-01-15'", "id INT64", json!([[2]])),
        (
            "SELECT id FROM items WHERE at < TIMESTAMP '1970-01-01 00:00:00.5+00'",
            "id INT64",
            json!([[1]]),
        ),
        ("SELECT id FROM items WHERE title LIKE 'T%' OR title LIKE 'o%'", "id INT64", json!([[2]])),
        (
            "SELECT 'a%b' LIKE r'a\\%b', 'axb' LIKE r'a\\%b', 'abc' LIKE 'a_c', 'abcbc' LIKE '%bc', '' LIKE '%%'",
            "f0_ BOOL, f1_ BOOL, f2_ BOOL, f3_ BOOL, f4_ BOOL",
            json!([[1, 0, 1, 1, 1]]),
        ),
        ("SELECT id FROM items WHERE title NOT LIKE ANY ('O%', 'x')", "id INT64", json!([[2]])),
        (
            "SELECT id FROM items WHERE id IN (1, 3.0) AND id BETWEEN 2 AND 4",
            "id INT64",
            json!([[3]]),
        ),
        ("SELECT id FROM items WHERE id NOT IN (SELECT item FROM plays)", "id INT64", json!([[3]])),
        (
            "SELECT 1 IN UNNEST([1, 2]), NULL IS NOT DISTINCT FROM NULL, 1 IS DISTINCT FROM 2, 5 NOT BETWEEN 1 AND 3",
            "f0_ BOOL, f1_ BOOL, f2_ BOOL, f3_ BOOL",
            json!([[1, 1, 1, 1]]),
        ),
        (
            "SELECT id FROM items i WHERE EXISTS (SELECT 1 FROM plays WHERE item = i.id) ORDER BY id DESC",
            "id INT64",
            json!([[2], [1]]),
        ),
        (
            "SELECT IF(id = 1, 'x', NULL) AS a, CASE id WHEN 1 THEN 1 ELSE 2.5 END AS b, COALESCE(title, '?') AS c, IFNULL(length, 0) AS d, NULLIF(id, 2) AS e FROM items WHERE id > 1 ORDER BY id",
            "a STRING, b FLOAT64, c STRING, d FLOAT64, e INT64",
            json!([[null, 2.5, "Two", 2.5, null], [null, 2.5, "?", 0.0, 3]]),
        ),
    ]);
}

#[test]
fn rows_are_grouped_and_ordered() {
    check(&[
        (
            "SELECT app, SUM(count) AS n, COUNT(*) FROM plays GROUP BY app ORDER BY n DESC",
            "app STRING, n INT64, f0_ INT64",
            json!([["Pod", 17, 2], ["Web", 6, 2]]),
        ),
        (
            "SELECT UPPER(app) AS a, AVG(count) FROM plays GROUP BY a HAVING AVG(count) > 4",
            "a STRING, f0_ FLOAT64",
            json!([["POD", 8.5]]),
        ),
        (
            "SELECT app, COUNT(DISTINCT item) AS n FROM plays GROUP BY 1 HAVING n > 1 ORDER BY 1",
            "app STRING, n INT64",
            json!([["Pod", 2], ["Web", 2]]),
        ),
        (
            "SELECT app, MAX(count) m FROM plays GROUP BY ALL ORDER BY m LIMIT 1",
            "app STRING, m INT64",
            json!([["Web", 5]]),
        ),
        (
            "SELECT item + 1 AS x, COUNT(*) FROM plays GROUP BY item + 1 ORDER BY item + 1",
            "x INT64, f0_ INT64",
            json!([[2, 2], [3, 1], [10, 1]]),
        ),
        (
            "SELECT COUNT(*), COUNT(title), COUNTIF(id > 1), SUM(length), LOGICAL_OR(is_draft) FROM items",
            "f0_ INT64, f1_ INT64, f2_ INT64, f3_ FLOAT64, f4_ BOOL",
            json!([[3, 2, 2, 4.0, 1]]),
        ),
        ("SELECT SUM(count) FROM plays WHERE FALSE", "f0_ INT64", json!([[null]])),
        (
            "SELECT STRING_AGG(DISTINCT app, '|' ORDER BY app), STRING_AGG(app, '+' ORDER BY count DESC LIMIT 2) FROM plays",
            "f0_ STRING, f1_ STRING",
            json!([["Pod|Web", "Pod+Pod"]]),
        ),
        (
            "SELECT id, title FROM items ORDER BY title",
            "id INT64, title STRING",
            json!([[3, null], [1, "One"], [2, "Two"]]),
        ),
        (
            "SELECT id FROM items ORDER BY title DESC NULLS FIRST, id LIMIT 2 OFFSET 1",
            "id INT64",
            json!([[2], [1]]),
        ),
        (
            "SELECT DISTINCT app AS a FROM plays ORDER BY a DESC",
            "a STRING",
            json!([["Web"], ["Pod"]]),
        ),
        ("SELECT id AS title FROM items ORDER BY title LIMIT 1", "title INT64", json!([[1]])),
        (
            "SELECT item, app FROM plays QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY count DESC) = 1 ORDER BY -item",
            "item INT64, app STRING",
            json!([[9, "Web"], [2, "Pod"], [1, "Pod"]]),
        ),
        (
            "SELECT count, SUM(count) OVER w AS s, LAG(count, 1, 0) OVER w AS l, RANK() OVER (w) AS r FROM plays WINDOW w AS (ORDER BY count) ORDER BY count",
            "count INT64, s INT64, l INT64, r INT64",
            json!([[1, 1, 0, 1], [5, 6, 1, 2], [7, 13, 5, 3], [10, 23, 7, 4]]),
        ),
        (
            "SELECT count, SUM(count) OVER (ORDER BY count ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM plays ORDER BY 1 LIMIT 2",
            "count INT64, s INT64",
            json!([[1, 1], [5, 6]]),
        ),
        (
            "SELECT app, SUM(SUM(count)) OVER () AS total FROM plays GROUP BY app ORDER BY app",
            "app STRING, total INT64",
            json!([["Pod", 23], ["Web", 23]]),
        ),
    ]);
}

#[test]
fn tables_are_joined() {
    check(&[
        (
            "SELECT title, count FROM items JOIN plays ON item = id ORDER BY count",
            "title STRING, count INT64",
            json!([["One", 5], ["Two", 7], ["One", 10]]),
        ),
        (
            "SELECT i.id, SUM(p.count) AS n FROM items i LEFT JOIN plays p ON p.item = i.id GROUP BY i.id ORDER BY i.id",
            "id INT64, n INT64",
            json!([[1, 15], [2, 7], [3, null]]),
        ),
        (
            "SELECT id, item FROM items FULL JOIN (SELECT DISTINCT item FROM plays) p ON p.item = id ORDER BY id, item",
            "id INT64, item INT64",
            json!([[null, 9], [1, 1], [2, 2], [3, null]]),
        ),
        (
            "SELECT * FROM (SELECT 1 AS a, 2 AS b) JOIN (SELECT 1 AS a, 3 AS c) USING (a)",
            "a INT64, b INT64, c INT64",
            json!([[1, 2, 3]]),
        ),
        (
            "SELECT a FROM (SELECT 1 AS a) FULL JOIN (SELECT 2 AS a) USING (a) ORDER BY a",
            "a INT64",
            json!([[1], [2]]),
        ),
        ("SELECT COUNT(*) FROM items, plays", "f0_ INT64", json!([[12]])),
        ("SELECT COUNT(*) FROM items CROSS JOIN plays WHERE id = item", "f0_ INT64", json!([[3]])),
        (
            "SELECT (SELECT MAX(count) FROM plays WHERE item = i.id) AS most FROM items i ORDER BY id",
            "most INT64",
            json!([[10], [7], [null]]),
        ),
    ]);
}

#[test]
fn queries_are_nested_and_combined() {
    check(&[
        (
            "WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b",
            "x INT64, y INT64",
            json!([[1, 2]]),
        ),
        (
            "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT SUM(i) FROM n",
            "f0_ INT64",
            json!([[10]]),
        ),
        (
            "SELECT 1 AS a UNION ALL SELECT 2.5 UNION ALL SELECT NULL ORDER BY a DESC",
            "a FLOAT64",
            json!([[2.5], [1.0], [null]]),
        ),
        (
            "SELECT app FROM plays UNION DISTINCT SELECT 'Pod' ORDER BY 1 LIMIT 1",
            "app STRING",
            json!([["Pod"]]),
        ),
        ("SELECT item FROM plays EXCEPT DISTINCT SELECT id FROM items", "item INT64", json!([[9]])),
        (
            "(SELECT id FROM items INTERSECT DISTINCT SELECT item FROM plays) UNION ALL (SELECT 7 LIMIT 1) ORDER BY id",
            "id INT64",
            json!([[1], [2], [7]]),
        ),
        (
            "SELECT * EXCEPT (app) REPLACE (count * 2 AS count) FROM plays WHERE item = 9",
            "item INT64, count INT64",
            json!([[9, 2]]),
        ),
        (
            "SELECT p.* FROM plays AS p WHERE p.item = 9",
            "item INT64, app STRING, count INT64",
            json!([[9, "Web", 1]]),
        ),
        ("SELECT title FROM titled ORDER BY title", "title STRING", json!([["One"], ["Two"]])),
        (
            "SELECT d FROM (SELECT DATE '2026-01-01' AS d UNION ALL SELECT '2026-01-02') WHERE d > '2026-01-01'",
            "d DATE",
            json!([["2026-01-02"]]),
        ),
        (
            "SELECT EXTRACT(MONTH FROM day), DATE_TRUNC(day, MONTH), DATE_DIFF(day, DATE '2026-01-01', DAY), DATE_ADD(day, INTERVAL 1 DAY), day + 1 FROM items WHERE id = 2",
            "f0_ INT64, f1_ DATE, f2_ INT64, f3_ DATE, f4_ DATE",
            json!([[2, "2026-02-01", 31, "2026-02-02", "2026-02-02"]]),
        ),
        (
            "SELECT CAST('5' AS INT64) + 1, SAFE_CAST('x' AS INT64), CAST(1 AS STRING), SAFE_DIVIDE(1, 0)",
            "f0_ INT64, f1_ INT64, f2_ STRING, f3_ FLOAT64",
            json!([[6, null, "1", null]]),
        ),
    ]);
}

#[test]
fn parameters_replace_values() {
    let fixture = SqlFixture::new().with_parameters(&[
        ("id", Type::Integer, Value::Integer(2)),
        ("day", Type::String, Value::Text("2026-01-15".into())),
        ("ids", Type::Array(Box::new(Type::Integer)), Value::Text("[1,3]".into())),
    ]);
    let (columns, rows) = fixture.rows("SELECT @id AS x, id FROM items WHERE id = @ID OR day > @day OR id IN UNNEST(@ids) ORDER BY id LIMIT @id");
    assert_eq!((columns.as_str(), json!(rows)), ("x INT64, id INT64", json!([[2, 1], [2, 2]])));
    // Some published clients write the name in backticks.
    let quoted = "SELECT @`id` + 1 AS x FROM items WHERE id = @`ID` AND id NOT IN UNNEST(@`ids`) LIMIT @`id`";
    assert_eq!(json!(fixture.rows(quoted).1), json!([[3]]));
    // Parameters are assigned in text order, not in the order in which clauses are bound.
    let text = "SELECT ? AS a, COUNT(*) AS n FROM items WHERE id > ? GROUP BY a, ? + 1";
    let fixture = SqlFixture::new().with_positional_parameters(&[
        (Type::String, Value::Text("first".into())),
        (Type::Integer, Value::Integer(1)),
        (Type::Integer, Value::Integer(5)),
    ]);
    assert_eq!(json!(fixture.rows(text).1), json!([["first", 2]]));
}

#[test]
fn a_plan_lists_the_tables_and_columns_read() {
    let fixture = SqlFixture::new();
    let reads = |text: &str| -> Vec<(String, Vec<String>)> {
        let plan = fixture.bind(text).unwrap();
        plan.reads
            .into_iter()
            .map(|(table, columns)| (table.to_string(), columns.into_iter().collect()))
            .collect()
    };
    let of = |table: &str, columns: &[&str]| {
        (table.to_owned(), columns.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(reads("SELECT COUNT(*) FROM plays"), [of("d.plays", &[])]);
    assert_eq!(
        reads("SELECT COUNT FROM plays WHERE App = 'x'"),
        [of("d.plays", &["app", "count"])]
    );
    assert_eq!(reads("SELECT title FROM titled"), [of("d.items", &["id", "title"])]);
    assert_eq!(reads("SELECT * FROM plays"), [of("d.plays", &["app", "count", "item"])]);
    let plan = fixture.bind("SELECT 1").unwrap();
    assert!(!plan.reads.contains_key(&table_name("d.items")));
}

#[test]
fn invalid_values_fail_the_query() {
    let fixture = SqlFixture::new();
    for (text, message) in [
        ("SELECT 1 / 0", "division by zero"),
        ("SELECT (SELECT id FROM items)", "more than one element"),
        ("SELECT tags[OFFSET(5)] FROM items", "out of bounds"),
        ("SELECT 1 << -1", "must be at least 0"),
    ] {
        let failure = fixture.failure(text);
        assert!(failure.contains(message), "{text}: {failure}");
    }
}

#[test]
fn a_constant_false_term_is_not_a_column_number() {
    check(&[
        (
            "SELECT id > 1 AND FALSE AS never, COUNT(*) AS items FROM items GROUP BY never",
            "never BOOL, items INT64",
            json!([[0, 3]]),
        ),
        (
            "SELECT id FROM items ORDER BY FALSE AND id > 1, id DESC",
            "id INT64",
            json!([[3], [2], [1]]),
        ),
    ]);
}

/// FLOAT64 values, some of which are NaN or infinite.
const ODD_FLOATS: &str = "WITH odd AS (SELECT x FROM UNNEST([1.5, CAST('nan' AS FLOAT64), CAST('-inf' AS FLOAT64), NULL, CAST('+infinity' AS FLOAT64)]) AS x)";

#[test]
fn nan_and_infinities_are_ordinary_values() {
    let nan = "NaN";
    let cases = [
        ("x FROM odd ORDER BY x", json!([[null], [nan], ["-inf"], [1.5], ["inf"]])),
        (
            "x FROM odd ORDER BY x DESC NULLS FIRST",
            json!([[null], ["inf"], [1.5], ["-inf"], [nan]]),
        ),
        ("x FROM odd ORDER BY 1 NULLS LAST", json!([[nan], ["-inf"], [1.5], ["inf"], [null]])),
        (
            "x FROM odd UNION ALL SELECT CAST('nan' AS FLOAT64) ORDER BY x LIMIT 3",
            json!([[null], [nan], [nan]]),
        ),
        (
            "x FROM odd UNION DISTINCT SELECT CAST('NaN' AS FLOAT64) ORDER BY x LIMIT 3",
            json!([[null], [nan], ["-inf"]]),
        ),
        ("DISTINCT x FROM odd, UNNEST([1, 2]) AS y ORDER BY x LIMIT 2", json!([[null], [nan]])),
        ("x FROM odd WHERE x > -1e308 ORDER BY x", json!([[1.5], ["inf"]])),
        ("x FROM odd WHERE x >= x ORDER BY x", json!([["-inf"], [1.5], ["inf"]])),
        ("x FROM odd WHERE NOT x <= 2 ORDER BY x", json!([[nan], ["inf"]])),
        ("x FROM odd WHERE x BETWEEN 0 AND x ORDER BY x", json!([[1.5], ["inf"]])),
        (
            "COUNTIF(x = x), COUNTIF(x <> x), COUNTIF(x IN (1.5, x)), COUNTIF(x IN UNNEST([x])) FROM odd",
            json!([[3, 1, 2 + 1, 3]]),
        ),
        (
            "COUNTIF(x IN (SELECT x FROM odd)), COUNTIF(x IS NOT DISTINCT FROM CAST('nan' AS FLOAT64)) FROM odd",
            json!([[3, 1]]),
        ),
        ("COUNT(*) FROM odd AS a JOIN odd AS b USING (x)", json!([[3]])),
        (
            "CASE x WHEN x THEN 1 ELSE 2 END, NULLIF(x, x) FROM odd WHERE IS_NAN(x)",
            json!([[2, nan]]),
        ),
        (
            "x, COUNT(*) FROM odd, UNNEST([1, 2]) AS y GROUP BY x HAVING IS_NAN(x)",
            json!([[nan, 2]]),
        ),
        (
            "SUM(x), AVG(x), MIN(x), MAX(x), STDDEV(x), COUNT(x) FROM odd",
            json!([[nan, nan, nan, nan, nan, 4]]),
        ),
        ("SUM(x), MIN(x), MAX(x) FROM odd WHERE NOT IS_NAN(x)", json!([[nan, "-inf", "inf"]])),
        ("SUM(x), MIN(x) FROM odd WHERE x = 1.5", json!([[1.5, 1.5]])),
        ("SUM(x), AVG(x), MIN(x) FROM odd WHERE x IS NULL", json!([[null, null, null]])),
        (
            "COUNT(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM odd WHERE x = 1.5",
            json!([[1]]),
        ),
        (
            "x + 1, 1 - x, x * 2, x / 2, -x, ABS(x) FROM odd WHERE IS_NAN(x)",
            json!([[nan, nan, nan, nan, nan, nan]]),
        ),
        (
            "CAST('inf' AS FLOAT64) - CAST('inf' AS FLOAT64), CAST('inf' AS FLOAT64) * 0",
            json!([[nan, nan]]),
        ),
        (
            "ARRAY_AGG(x ORDER BY x) FROM odd WHERE x IS NOT NULL",
            json!([["[\"NaN\",\"-Infinity\",1.5,\"Infinity\"]"]]),
        ),
        (
            "s.x, [x, 2.5][OFFSET(0)] FROM (SELECT STRUCT(x AS x) AS s, x FROM odd WHERE IS_INF(x)) ORDER BY 1",
            json!([["-inf", "-inf"], ["inf", "inf"]]),
        ),
        ("TO_JSON_STRING(STRUCT(x AS x)) FROM odd WHERE IS_NAN(x)", json!([["{\"x\":\"NaN\"}"]])),
        (
            "PERCENTILE_CONT(x, 1) OVER (), PERCENTILE_DISC(x, 0) OVER () FROM odd LIMIT 1",
            json!([["inf", nan]]),
        ),
    ];
    let fixture = SqlFixture::new();
    for (query, rows) in cases {
        let found = fixture.rows(&format!("{ODD_FLOATS} SELECT {query}")).1;
        assert_eq!(json!(found), rows, "{query}");
    }
    let failure = fixture.failure(&format!("{ODD_FLOATS} SELECT SUM(x) OVER () FROM odd"));
    assert!(failure.contains("with OVER"), "{failure}");
}
