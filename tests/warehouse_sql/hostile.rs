//! Statements that nobody means: they are answered, soon, and without a panic.

use std::time::{Duration, Instant};

use feedwright::warehouse::sql::Statement;
use proptest::prelude::*;

use super::bench::Bench;

/// What is bound is SQL that SQLite takes.
fn prepares(bench: &Bench, text: &str) -> bool {
    let Ok(plan) = bench.bind(text) else {
        return false;
    };
    let sql = match plan.statement {
        Statement::Query(query)
        | Statement::CreateTable {
            query: Some(query), ..
        } => query.sql,
        Statement::Change(change) => change.sql,
        _ => return true,
    };
    if let Err(error) = bench.connection.prepare(&sql) {
        panic!("{text}\n{sql}\n{error}");
    }
    true
}

const WORDS: [&str; 96] = [
    "SELECT",
    "SELECT",
    "DISTINCT",
    "FROM",
    "FROM",
    "WHERE",
    "GROUP BY",
    "HAVING",
    "QUALIFY",
    "ORDER BY",
    "LIMIT 1",
    "OFFSET",
    "UNION ALL",
    "EXCEPT DISTINCT",
    "WITH",
    "RECURSIVE",
    "AS",
    "JOIN",
    "LEFT JOIN",
    "FULL JOIN",
    "ON",
    "USING (id)",
    "CROSS JOIN",
    "items",
    "plays",
    "titled",
    "broken",
    "i",
    "p",
    "id",
    "title",
    "item",
    "count",
    "tags",
    "people",
    "owner",
    "extra",
    "day",
    "is_draft",
    "items.id",
    "p.count",
    "owner.name",
    "*",
    "COUNT(*)",
    "SUM(",
    "MAX(count)",
    "ARRAY_AGG(",
    "STRING_AGG(",
    "ROW_NUMBER() OVER (",
    "SUM(count) OVER (",
    "PARTITION BY",
    "ROWS 1 PRECEDING",
    "UNNEST(tags)",
    "UNNEST([1, 2])",
    "ARRAY(",
    "STRUCT(",
    "EXISTS (",
    "IN (",
    "NOT",
    "AND",
    "OR",
    "=",
    "<",
    "+",
    "-",
    "/",
    "||",
    "LIKE '%a'",
    "IS NULL",
    "BETWEEN 1 AND 2",
    "CASE WHEN",
    "THEN",
    "ELSE",
    "END",
    "IF(",
    "CAST(",
    "AS INT64)",
    "DATE '2026-01-01'",
    "'text'",
    "1",
    "2",
    "1.5",
    "TRUE",
    "NULL",
    "(",
    ")",
    ")",
    ",",
    ",",
    ";",
    "[OFFSET(0)]",
    "INTERVAL 1 DAY",
    "INSERT INTO plays",
    "VALUES (1)",
    "DELETE FROM plays",
    "DESC",
];

/// Expressions that are mostly right.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "id",
        "title",
        "count",
        "i.id",
        "p.app",
        "is_draft",
        "day",
        "tags",
        "owner",
        "owner.name",
        "extra",
        "length",
        "1",
        "2.5",
        "'x'",
        "NULL",
        "TRUE",
        "DATE '2026-01-01'",
        "COUNT(*)",
        "MAX(count)",
        "SUM(id)",
        "[1, 2]",
        "i",
        "x",
        "ROW_NUMBER() OVER (ORDER BY id)",
        "SUM(count) OVER (PARTITION BY app)",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 20, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (
                two.clone(),
                prop::sample::select(vec![
                    "+",
                    "-",
                    "=",
                    "<",
                    "AND",
                    "OR",
                    "||",
                    "/",
                    "IS DISTINCT FROM"
                ])
            )
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "SUM",
                    "COUNT",
                    "MIN",
                    "ARRAY_AGG",
                    "UPPER",
                    "ABS",
                    "NOT ",
                    "TO_JSON_STRING",
                    "COUNT(DISTINCT ",
                    "ARRAY_LENGTH",
                    "STRUCT",
                    "ARRAY_AGG(DISTINCT ",
                    "COUNTIF",
                    "LENGTH",
                    "STRING_AGG",
                    "ANY_VALUE",
                ])
            )
                .prop_map(|(a, name)| if name.contains('(') {
                    format!("{name}{a})")
                } else {
                    format!("{name}({a})")
                }),
            two.clone()
                .prop_map(|(a, b)| format!("IF({a} IS NULL, {a}, {b})")),
            two.clone().prop_map(|(a, b)| format!(
                "(SELECT {a} FROM plays AS p WHERE {b} IS NULL LIMIT 1)"
            )),
            two.clone()
                .prop_map(|(a, b)| format!("{a} IN (SELECT {b} FROM items)")),
            two.clone().prop_map(|(a, b)| format!(
                "EXISTS (SELECT {a} FROM UNNEST(tags) AS x GROUP BY {b})"
            )),
            two.clone()
                .prop_map(|(a, b)| format!("LAG({a}) OVER (PARTITION BY {b} ORDER BY {a})")),
            two.clone()
                .prop_map(|(a, b)| format!("ARRAY(SELECT {a} FROM items AS i ORDER BY {b})")),
            two.prop_map(|(a, b)| format!("ARRAY_AGG({a} ORDER BY {b} LIMIT 1)")),
            inner.prop_map(|a| format!("({a} IS NULL)")),
        ]
    })
}

fn query() -> impl Strategy<Value = String> {
    let from = prop::sample::select(vec![
        "items AS i",
        "plays AS p",
        "items AS i JOIN plays AS p ON id = item",
        "items AS i, UNNEST(tags) AS x",
        "items AS i LEFT JOIN UNNEST(people) AS x WITH OFFSET",
        "titled",
        "(SELECT * FROM plays) AS p",
        "(SELECT item AS id, count FROM plays) FULL JOIN items AS i USING (id)",
        "UNNEST([1, 2]) AS id",
        "w",
    ]);
    let some = |words: &'static str| {
        prop::option::of(expression())
            .prop_map(move |found| found.map_or(String::new(), |found| format!(" {words} {found}")))
    };
    (
        prop::sample::select(vec!["", "DISTINCT ", "AS STRUCT "]),
        prop::collection::vec(expression(), 1..4),
        from,
        some("WHERE"),
        prop_oneof![some("GROUP BY"), Just(" GROUP BY 1".to_owned()), Just(" GROUP BY ALL".to_owned())],
        some("HAVING"),
        some("QUALIFY"),
        some("ORDER BY"),
        prop::sample::select(vec!["", " UNION ALL SELECT 1", " LIMIT 2"]),
    )
        .prop_map(|(kind, items, from, filter, group, having, qualify, order, end)| {
            let items: Vec<String> = items.iter().enumerate().map(|(at, item)| format!("{item} AS c{at}")).collect();
            format!("WITH w AS (SELECT 1 AS id, 'x' AS title, 2 AS count) SELECT {kind}{} FROM {from}{filter}{group}{having}{qualify}{order}{end}", items.join(", "))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn what_binds_prepares(text in query()) {
        prepares(&Bench::new(), &text);
    }

    #[test]
    fn word_soup_is_answered(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..25)) {
        prepares(&Bench::new(), &words.join(" "));
    }

    #[test]
    fn any_text_is_answered(text in "(SELECT )?[ -~\\n]{0,60}\\PC{0,10}") {
        prepares(&Bench::new(), &text);
    }
}

#[test]
fn deep_and_wide_statements_are_answered_soon() {
    let bench = Bench::new();
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
        format!(
            "SELECT * FROM {}items{}",
            many("(SELECT * FROM ", 30),
            many(")", 30)
        ),
        format!(
            "SELECT {}1{}",
            many("CASE WHEN TRUE THEN ", 1000),
            many(" END", 1000)
        ),
        format!("SELECT {}1{}", many("IF(TRUE, ", 1000), many(", 1)", 1000)),
        format!("SELECT [{}1]", many("1, ", 100_000)),
        format!("SELECT {}1{}", many("[", 1000), many("]", 1000)),
        format!("SELECT '{}'", many("x", 2_000_000)),
        format!("SELECT {}", many("a.", 100_000)),
        format!("SELECT {}", many("ARRAY<", 50_000)),
        format!(
            "SELECT CAST(1 AS {}INT64{})",
            many("ARRAY<", 500),
            many(">", 500)
        ),
        format!("SELECT {}", "i".repeat(900_000)),
        "SELECT 1 WHERE ".to_owned() + &many("EXISTS (SELECT 1 WHERE ", 1000),
    ];
    for text in texts {
        let begin = Instant::now();
        let _ = bench.bind(&text);
        let took = begin.elapsed();
        let start: String = text.chars().take(40).collect();
        assert!(took < Duration::from_secs(10), "{start}: {took:?}");
    }
}

#[test]
fn views_of_views_do_not_grow_without_bound() {
    let mut bench = Bench::new();
    bench.view("d.v0", "SELECT 1 AS x");
    for at in 1..16 {
        let below = format!("d.v{}", at - 1);
        bench.view(
            &format!("d.v{at}"),
            &format!("SELECT a.x FROM {below} AS a, {below} AS b, {below} AS c"),
        );
    }
    let fault = bench.bind("SELECT * FROM v15").unwrap_err();
    assert!(fault.message.contains("at most 1000 queries"), "{fault}");
    assert!(bench.bind("SELECT * FROM v4").is_ok());
}
