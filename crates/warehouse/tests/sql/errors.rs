//! Tests of the error messages and error locations for invalid statements.

use warehouse::Reason;

use super::fixture::SqlFixture;

#[test]
fn faults_have_a_message_and_location() {
    let cases = [
        ("", "the query is empty", "[1:1]"),
        ("SELEC 1", "Syntax error", "[1:1]"),
        ("SELECT 'a", "Syntax error", "[1:9]"),
        ("SELECT 1; SELECT 2", "not a script", "[1:11]"),
        ("SELECT titel FROM items", "Unrecognized name: titel; Did you mean title?", "[1:8]"),
        (
            "SELECT\n  i.titel FROM items i",
            "Name titel not found inside i; Did you mean title?",
            "[2:5]",
        ),
        ("SELECT id FROM nothing", "Not found: Table site-1:d.nothing", "[1:16]"),
        ("SELECT id FROM `other.d.items`", "unknown project \"other\"", "[1:16]"),
        ("SELECT id FROM items a, items b", "Column name id is ambiguous", "[1:8]"),
        ("SELECT 1 FROM items, items", "Duplicate table alias items", "[1:22]"),
        ("SELECT app, COUNT(*) FROM plays", "app is neither grouped nor aggregated", "[1:8]"),
        ("SELECT app FROM plays GROUP BY item", "app is neither grouped nor aggregated", "[1:8]"),
        ("SELECT SUM(app) FROM plays", "No matching signature", "[1:8]"),
        ("SELECT 1 FROM plays WHERE COUNT(*) > 1", "not allowed in WHERE", "[1:27]"),
        ("SELECT SUM(SUM(count)) FROM plays", "argument of an aggregate", "[1:12]"),
        ("SELECT 1 FROM plays WHERE ROW_NUMBER() OVER () = 1", "not allowed in WHERE", "[1:27]"),
        (
            "SELECT id FROM items WHERE title",
            "should return type BOOL, but returns STRING",
            "[1:28]",
        ),
        ("SELECT 1 + 'a'", "operator + for argument types: INT64, STRING", "[1:8]"),
        ("SELECT id = 'x' FROM items", "operator = for argument types: INT64, STRING", "[1:8]"),
        ("SELECT day = 'x' FROM items", "Invalid", "[1:8]"),
        ("SELECT NOPE(1)", "Function not found: NOPE", "[1:8]"),
        ("SELECT UPER('a')", "Did you mean UPPER?", "[1:8]"),
        ("SELECT 1 AS a, 2 AS A", "Duplicate column names", "[1:1]"),
        ("SELECT 1 AS 'a'", "optionally in backticks", "[1:1]"),
        ("SELECT 5 % 2", "MOD(a, b)", "[1:8]"),
        ("SELECT 1 UNION SELECT 2", "ALL or DISTINCT", "[1:1]"),
        ("SELECT 1 UNION ALL SELECT 1, 2", "column count", "[1:1]"),
        ("SELECT @x", "Query parameter 'x' not found", "[1:8]"),
        ("SELECT @`x`", "Query parameter 'x' not found", "[1:8]"),
        (
            "SELECT 1 FROM shop.INFORMATION_SCHEMA.TABLES",
            "INFORMATION_SCHEMA is not supported",
            "[1:15]",
        ),
        (
            "SELECT 1 FROM `p.shop.INFORMATION_SCHEMA.TABLES`",
            "INFORMATION_SCHEMA is not supported",
            "[1:15]",
        ),
        ("SELECT owner.nane FROM items", "Did you mean name?", "[1:14]"),
        (
            "SELECT extra FROM items ORDER BY extra",
            "ORDER BY is not defined for the type JSON",
            "[1:34]",
        ),
        ("SELECT 99999999999999999999", "does not fit INT64", "[1:8]"),
        ("SELECT '\\q'", "Illegal escape", "[1:8]"),
        (
            "SELECT * FROM broken",
            "in the view d.broken: Unrecognized name: nothing at [1:8]",
            "[1:15]",
        ),
        ("SELECT * FROM itself", "in the view d.itself", "[1:15]"),
        ("SELECT id FROM items LIMIT -1", "non-negative", "[1:29]"),
        ("SELECT id FROM items ORDER BY 2", "the SELECT list has 1 columns", "[1:31]"),
        ("SELECT id FROM items TABLESAMPLE SYSTEM (10 PERCENT)", "TABLESAMPLE", "[1:16]"),
        ("FROM items", "must begin with SELECT", "[1:1]"),
        ("INSERT INTO items (title) VALUES ('x')", "Required column id has no value", "[1:13]"),
        (
            "INSERT INTO items (id, titel) VALUES (1, 'x')",
            "not present in table d.items; Did you mean title?",
            "[1:24]",
        ),
        (
            "INSERT INTO plays (item) VALUES ('x')",
            "cannot be assigned to item, which has type INT64",
            "[1:34]",
        ),
        (
            "INSERT INTO plays (item) VALUES (1, 2)", "wrong column count; Has 2, expected 1",
            "[1:34]",
        ),
        ("INSERT INTO titled (id) VALUES (1)", "is a view", "[1:13]"),
        ("UPDATE plays SET count = 1", "must have a WHERE clause", "[1:8]"),
        ("DELETE FROM plays", "must have a WHERE clause", "[1:13]"),
        ("CREATE TABLE t (a NUMERIC)", "NUMERIC is not supported", "[1:17]"),
        ("CREATE TABLE t (a INT64) PARTITION BY a", "remove PARTITION BY", "[1:14]"),
        ("CREATE TEMP TABLE t (a INT64)", "temporary tables are not supported", "[1:19]"),
        ("DECLARE x INT64", "start a job for each", "[1:1]"),
        ("ATTACH 'x' AS y", "ATTACH is not supported", "[1:1]"),
        ("PRAGMA page_size", "PRAGMA is not supported", "[1:1]"),
        ("MERGE t USING u ON TRUE WHEN MATCHED THEN DELETE", "UPDATE and an INSERT", "[1:1]"),
        ("ALTER TABLE items ADD COLUMN x INT64", "ALTER TABLE is not supported", "[1:1]"),
    ];
    let fixture = SqlFixture::new();
    let mut wrong = Vec::new();
    for (text, message, place) in cases {
        match fixture.bind(text) {
            Ok(plan) => wrong.push(format!("{text}: is taken for {plan:?}")),
            Err(fault) => {
                let is_expected = fault.message.contains(message)
                    && fault.message.ends_with(&format!(" at {place}"))
                    && fault.location.as_deref() == Some("query")
                    && matches!(fault.reason, Reason::InvalidQuery | Reason::NotFound);
                if !is_expected {
                    wrong.push(format!("{text}\n  {:?} {}", fault.reason, fault.message));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
