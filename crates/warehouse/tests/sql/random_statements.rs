//! Tests with random statements: binding is fast and never panics.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use warehouse::sql::Statement;

use super::fixture::SqlFixture;

/// Returns whether a statement can be bound. Panics if SQLite rejects the generated SQL.
fn binds_and_prepares(fixture: &SqlFixture, text: &str) -> bool {
    let Ok(plan) = fixture.bind(text) else {
        return false;
    };
    let sql = match plan.statement {
        Statement::Query(query) | Statement::CreateTable { query: Some(query), .. } => query.sql,
        Statement::Change(change) => change.sql,
        _ => return true,
    };
    if let Err(error) = fixture.connection.prepare(&sql) {
        panic!("{text}\n{sql}\n{error}");
    }
    true
}

const WORDS: [&str; 96] = [
    "SELECT", "SELECT", "DISTINCT", "FROM", "FROM", "WHERE", "GROUP BY", "HAVING", "QUALIFY",
    "ORDER BY", "LIMIT 1", "OFFSET", "UNION ALL", "EXCEPT DISTINCT", "WITH", "RECURSIVE", "AS",
    "JOIN", "LEFT JOIN", "FULL JOIN", "ON", "USING (id)", "CROSS JOIN", "items", "plays", "titled",
    "broken", "i", "p", "id", "title", "item", "count", "tags", "people", "owner", "extra", "day",
    "is_draft", "items.id", "p.count", "owner.name", "*", "COUNT(*)", "SUM(", "MAX(count)",
    "ARRAY_AGG(", "STRING_AGG(", "ROW_NUMBER() OVER (", "SUM(count) OVER (", "PARTITION BY",
    "ROWS 1 PRECEDING", "UNNEST(tags)", "UNNEST([1, 2])", "ARRAY(", "STRUCT(", "EXISTS (", "IN (",
    "NOT", "AND", "OR", "=", "<", "+", "-", "/", "||", "LIKE '%a'", "IS NULL", "BETWEEN 1 AND 2",
    "CASE WHEN", "THEN", "ELSE", "END", "IF(", "CAST(", "AS INT64)", "DATE '2026-01-01'", "'text'",
    "1", "2", "1.5", "TRUE", "NULL", "(", ")", ")", ",", ",", ";", "[OFFSET(0)]", "INTERVAL 1 DAY",
    "INSERT INTO plays", "VALUES (1)", "DELETE FROM plays", "DESC",
];

thread_local! {
    static FIXTURE: SqlFixture = SqlFixture::new();
}

/// The SQL of a number, a string and a condition.
type TypedExpressions = (String, String, String);

/// Generates expressions of the three types, composed of `leaves`. If `in_queries` is true, the
/// leaves are also used in subqueries.
fn typed_expressions(
    leaves: BoxedStrategy<TypedExpressions>,
    in_queries: bool,
) -> BoxedStrategy<TypedExpressions> {
    leaves
        .prop_recursive(3, 12, 2, move |inner| {
            (0..6_usize, 0..4_usize, 0..8_usize, inner.clone(), inner).prop_map(
                move |(number, text, test, (m, s, a), (n, t, b))| {
                    let query = |query: String, other: &str| {
                        if in_queries { query } else { other.to_owned() }
                    };
                    let numbers = [
                        format!("({m} + {n})"),
                        format!("({m} / {n})"),
                        format!("IF({a}, {m}, {n})"),
                        format!("COALESCE({m}, {n}, 0)"),
                        query(
                            format!(
                                "(SELECT MAX(q.count) FROM plays AS q WHERE {a} AND q.item = {n})"
                            ),
                            "7",
                        ),
                        format!("CASE {s} WHEN {t} THEN {m} ELSE -{n} END"),
                    ];
                    let texts = [
                        format!("UPPER({s})"),
                        format!("({s} || {t})"),
                        format!("CAST({m} AS STRING)"),
                        format!("STRUCT({s} AS a, {n} AS b).a"),
                    ];
                    let tests = [
                        format!("({m} < {n})"),
                        format!("({s} = {t})"),
                        format!("({a} AND NOT {b})"),
                        format!("{s} LIKE 'a%'"),
                        query(format!("({m} IN (SELECT item FROM plays WHERE app = {t}))"), "TRUE"),
                        query(
                            format!("EXISTS (SELECT 1 FROM UNNEST([{m}, 1.5]) AS y WHERE y = {n})"),
                            "FALSE",
                        ),
                        format!("({n} BETWEEN {m} AND 3 OR {b})"),
                        format!("({t} IS NULL)"),
                    ];
                    (numbers[number].clone(), texts[text].clone(), tests[test].clone())
                },
            )
        })
        .boxed()
}

/// Selects a random expression of each type.
fn select_one_of_each(
    numbers: Vec<String>,
    texts: Vec<String>,
    tests: Vec<String>,
) -> BoxedStrategy<TypedExpressions> {
    (prop::sample::select(numbers), prop::sample::select(texts), prop::sample::select(tests))
        .boxed()
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Generates expressions that are valid for a row.
fn row_expressions() -> BoxedStrategy<TypedExpressions> {
    let leaves = select_one_of_each(
        to_strings(&[
            "i.id", "p.count", "1", "2.5", "length", "owner.age", "ARRAY_LENGTH(i.tags)",
            "EXTRACT(MONTH FROM i.day)", "NULL",
        ]),
        to_strings(&[
            "i.title", "app", "'x'", "i.owner.name", "tags[SAFE_OFFSET(0)]", "NULL",
            "JSON_VALUE(i.extra, '$.a')",
        ]),
        to_strings(&["i.is_draft", "TRUE", "i.day > '2026-01-01'", "id = 1", "NULL"]),
    );
    typed_expressions(leaves, true)
}

/// Generates expressions that are valid in a query with `GROUP BY i.id, p.app`.
fn group_expressions() -> BoxedStrategy<TypedExpressions> {
    let leaves = (row_expressions(), row_expressions()).prop_flat_map(|((m, s, a), (n, _, _))| {
        select_one_of_each(
            vec![
                format!("SUM({m})"),
                format!("COUNT(DISTINCT {s})"),
                format!("COUNTIF({a})"),
                format!("ARRAY_LENGTH(ARRAY_AGG({m} ORDER BY {n} DESC LIMIT 2))"),
                format!("STDDEV({m})"),
                "COUNT(*)".into(),
                "i.id".into(),
            ],
            vec![
                format!("MAX({s})"),
                format!("STRING_AGG({s}, ',' ORDER BY {n})"),
                format!("ANY_VALUE({s} HAVING MAX {n})"),
                "app".into(),
            ],
            vec![format!("LOGICAL_OR({a})"), "i.id > 1".into()],
        )
    });
    typed_expressions(leaves.boxed(), false)
}

/// Generates window function calls whose arguments are valid for a row.
fn window_expressions(rows: BoxedStrategy<TypedExpressions>) -> BoxedStrategy<TypedExpressions> {
    let leaves = (rows.clone(), rows).prop_flat_map(|((m, s, a), (n, t, _))| {
        select_one_of_each(
            vec![
                format!("SUM({m}) OVER (PARTITION BY {s} ORDER BY {n} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"),
                format!("ROW_NUMBER() OVER (ORDER BY {m} DESC, {t})"),
                format!("LAG({m}, 1, 0) OVER (PARTITION BY {a} ORDER BY {n})"),
                format!("PERCENTILE_CONT({m}, 0.5) OVER (PARTITION BY {t})"),
                m,
            ],
            vec![format!("FIRST_VALUE({s}) OVER (ORDER BY {n} NULLS LAST)"), s],
            vec![a],
        )
    });
    typed_expressions(leaves.boxed(), false)
}

/// Generates queries that are mostly valid.
fn query() -> BoxedStrategy<String> {
    let plain = (Just(""), row_expressions(), window_expressions(row_expressions())).boxed();
    let grouped =
        (Just(" GROUP BY i.id, app"), group_expressions(), window_expressions(group_expressions()))
            .boxed();
    let from = prop::sample::select(vec![
        "items AS i JOIN plays AS p ON i.id = p.item",
        "plays AS p CROSS JOIN items AS i LEFT JOIN UNNEST(i.tags) AS tag WITH OFFSET",
        "items AS i, plays AS p, i.people AS someone",
        "(SELECT *, 1 AS one FROM items) AS i FULL JOIN (SELECT * FROM plays) AS p ON p.item = i.id AND one = 1",
        "w AS p RIGHT JOIN items AS i ON TRUE",
    ]);
    let clauses = prop::collection::vec(any::<bool>(), 8);
    (prop_oneof![plain, grouped], from, row_expressions(), clauses)
        .prop_map(|((group, (n, t, b), (m, s, a)), from, (_, _, filter), has)| {
            let some = |at: usize, clause: String| if has[at] { clause } else { String::new() };
            let distinct = some(0, "DISTINCT ".into());
            let filter = some(1, format!(" WHERE {filter}"));
            let having = some(2, if group.is_empty() { String::new() } else { format!(" HAVING {b}") });
            let qualify = some(3, format!(" QUALIFY {a}"));
            let end = match (has[4], has[5]) {
                (true, true) => format!(" ORDER BY {}, c1 DESC LIMIT 3", if has[0] { "1" } else { m.as_str() }),
                (true, false) => " UNION ALL SELECT 1, NULL, FALSE, '' ORDER BY c0 OFFSET".replace(" OFFSET", " LIMIT 9 OFFSET 1"),
                _ => String::new(),
            };
            let text = format!("WITH w AS (SELECT * FROM plays) SELECT {distinct}{m} AS c0, {t} AS c1, {b} AS c2, {s} AS c3 FROM {from}{filter}{group}{having}{qualify}{end}");
            if has[6] && has[7] {
format!("SELECT ARRAY(SELECT AS STRUCT c0, c1 FROM ({text})), {n} AS n FROM items AS i, plays AS p{}", if group.is_empty() { "" } else { " GROUP BY i.id, app" })
} else {
text
}
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_bound_query_prepares_in_sqlite(text in query()) {
        FIXTURE.with(|fixture| binds_and_prepares(fixture, &text));
    }

    #[test]
    fn random_sql_words_are_handled(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..25)) {
        FIXTURE.with(|fixture| binds_and_prepares(fixture, &words.join(" ")));
    }

    #[test]
    fn any_text_is_handled(text in "(SELECT )?[ -~\\n]{0,60}\\PC{0,10}") {
        FIXTURE.with(|fixture| binds_and_prepares(fixture, &text));
    }
}

/// Checks that most generated queries can be bound, so that the properties above are meaningful.
#[test]
fn most_generated_queries_bind() {
    let mut runner = TestRunner::deterministic();
    let fixture = SqlFixture::new();
    let queries = (0..500).map(|_| query().new_tree(&mut runner).unwrap().current());
    let bound = queries.filter(|text| binds_and_prepares(&fixture, text)).count();
    assert!(bound > 300, "{bound} of 500");
}

#[test]
fn deep_and_wide_statements_bind_quickly() {
    let fixture = SqlFixture::new();
    let many = |part: &str, count: usize| part.repeat(count);
    let texts = [
        format!("SELECT {}1{}", many("(", 100_000), many(")", 100_000)),
        format!("SELECT {}1{}", many("(", 38), many(")", 38)),
        format!("SELECT {}1", many("- ", 50_000)),
        format!("SELECT {}TRUE", many("NOT ", 100_000)),
        format!("SELECT 1{}", many(" + 1", 200_000)),
        format!("SELECT 1{}", many(" + 1", 700)),
        format!("SELECT 1{}", many(" IS NULL", 700)),
        format!("SELECT 1{}", many(" IS NULL", 90_000)),
        format!("SELECT 1{}", many(" UNION ALL SELECT 1", 50_000)),
        format!("SELECT 1{}", many(" UNION ALL SELECT 1", 400)),
        format!("SELECT 1{}", many(", 1", 100_000)),
        format!("SELECT 1 FROM items{}", many(", items", 3000)),
        format!("SELECT {}1{}", many("(SELECT ", 30), many(")", 30)),
        format!("SELECT * FROM {}items{}", many("(SELECT * FROM ", 30), many(")", 30)),
        format!("SELECT {}1{}", many("CASE WHEN TRUE THEN ", 1000), many(" END", 1000)),
        format!("SELECT {}1{}", many("IF(TRUE, ", 1000), many(", 1)", 1000)),
        format!("SELECT [{}1]", many("1, ", 100_000)),
        format!("SELECT {}1{}", many("[", 1000), many("]", 1000)),
        format!("SELECT '{}'", many("x", 2_000_000)),
        format!("SELECT {}", many("a.", 100_000)),
        format!("SELECT {}", many("ARRAY<", 50_000)),
        format!("SELECT CAST(1 AS {}INT64{})", many("ARRAY<", 500), many(">", 500)),
        format!("SELECT {}", "i".repeat(900_000)),
        "SELECT 1 WHERE ".to_owned() + &many("EXISTS (SELECT 1 WHERE ", 1000),
    ];
    for text in texts {
        let begin = Instant::now();
        let _ = fixture.bind(&text);
        let took = begin.elapsed();
        let start: String = text.chars().take(40).collect();
        assert!(took < Duration::from_secs(10), "{start}: {took:?}");
    }
}

#[test]
fn nested_views_have_a_size_limit() {
    let mut fixture = SqlFixture::new();
    fixture.view("d.v0", "SELECT 1 AS x");
    for at in 1..16 {
        let below = format!("d.v{}", at - 1);
        fixture.view(
            &format!("d.v{at}"),
            &format!("SELECT a.x FROM {below} AS a, {below} AS b, {below} AS c"),
        );
    }
    let fault = fixture.bind("SELECT * FROM v15").unwrap_err();
    assert!(fault.message.contains("at most 1000 queries"), "{fault}");
    assert!(fixture.bind("SELECT * FROM v4").is_ok());
}
