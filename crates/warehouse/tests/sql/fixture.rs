//! A fixture with a few in-memory tables, for tests that run statements.

use std::collections::BTreeMap;

use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::json;
use warehouse::sql::{
    self, Catalog, CatalogEntry, Parameter, Parameters, Plan, Session, Statement,
};
use warehouse::{DatasetId, Fault, Field, TableName, Type};

/// The tables and session of the tests.
pub struct SqlFixture {
    pub connection: Connection,
    sources: BTreeMap<TableName, CatalogEntry>,
    pub session: Session,
}

impl Catalog for SqlFixture {
    fn find(&self, name: &TableName) -> Result<Option<CatalogEntry>, Fault> {
        Ok(self.sources.get(name).cloned())
    }
}

fn array(of: Type) -> Type {
    Type::Array(Box::new(of))
}

impl SqlFixture {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        sql::register(&connection).unwrap();
        let mut fixture = Self {
            connection,
            sources: BTreeMap::new(),
            session: Session {
                project: "site-1".into(),
                dataset: Some(DatasetId::parse("d").unwrap()),
                parameters: Parameters::None,
                now: "2026-11-21T07:05:00.25Z".parse().unwrap(),
            },
        };
        let person =
            Type::Struct(vec![Field::new("name", Type::String), Field::new("age", Type::Integer)]);
        let required = Field { is_required: true, ..Field::new("id", Type::Integer) };
        fixture.table(
            "d.items",
            vec![
                required,
                Field::new("title", Type::String),
                Field::new("length", Type::Float),
                Field::new("is_draft", Type::Boolean),
                Field::new("day", Type::Date),
                Field::new("at", Type::Timestamp),
                Field::new("tags", array(Type::String)),
                Field::new("people", array(person.clone())),
                Field::new("owner", person),
                Field::new("extra", Type::Json),
                Field::new("hash", Type::Bytes),
            ],
            "(1, 'One', 1.5, 0, '2026-01-01', 0, '[\"a\",\"b\"]', '[{\"name\":\"Ann\",\"age\":30}]', '{\"name\":\"Ann\",\"age\":30}', '{\"a\":{\"b\":1}}', x'01'),
             (2, 'Two', 2.5, 1, '2026-02-01', 1000000, '[]', '[]', NULL, '[1,2]', NULL),
             (3, NULL, NULL, NULL, NULL, NULL, '[\"b\"]', '[{\"name\":\"Bob\",\"age\":40},{\"name\":\"Cy\",\"age\":null}]', '{\"name\":\"Bob\",\"age\":40}', NULL, NULL)",
        );
        fixture.table(
            "d.plays",
            vec![
                Field::new("item", Type::Integer),
                Field::new("app", Type::String),
                Field::new("count", Type::Integer),
            ],
            "(1, 'Pod', 10), (1, 'Web', 5), (2, 'Pod', 7), (9, 'Web', 1)",
        );
        fixture.view("d.titled", "SELECT id, title FROM items WHERE title IS NOT NULL");
        fixture.view("d.broken", "SELECT nothing FROM items");
        fixture.view("d.itself", "SELECT * FROM itself");
        fixture
    }

    fn table(&mut self, name: &str, fields: Vec<Field>, rows: &str) {
        let columns: Vec<String> = fields
            .iter()
            .map(|field| format!("\"{}\" {}", field.name, field.of.affinity()))
            .collect();
        let sql = format!("\"{name}\"");
        self.connection
            .execute_batch(&format!(
                "CREATE TABLE {sql} ({}) STRICT; INSERT INTO {sql} VALUES {rows};",
                columns.join(", ")
            ))
            .unwrap();
        self.sources.insert(table_name(name), CatalogEntry::Table { sql, fields });
    }

    pub fn view(&mut self, name: &str, query: &str) {
        let query = query.to_owned();
        self.sources.insert(table_name(name), CatalogEntry::View { query });
    }

    pub fn bind(&self, text: &str) -> Result<Plan, Fault> {
        sql::bind(text, &self.session, self)
    }

    /// Runs a query. Returns the names and types of its columns, and its rows.
    pub fn rows(&self, text: &str) -> (String, Vec<serde_json::Value>) {
        let plan = self.bind(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let Statement::Query(query) = plan.statement else {
            panic!("{text} is no query");
        };
        let columns: Vec<String> =
            query.columns.iter().map(|field| format!("{} {}", field.name, field.of)).collect();
        let mut statement = self
            .connection
            .prepare(&query.sql)
            .unwrap_or_else(|error| panic!("{text}: {error}\n{}", query.sql));
        let count = statement.column_count();
        assert_eq!(count, query.columns.len(), "{text}\n{}", query.sql);
        let parameters = rusqlite::params_from_iter(&query.parameters);
        let rows = statement
            .query_map(parameters, |row| {
                (0..count)
                    .map(|at| Ok(value_json(row.get(at)?)))
                    .collect::<Result<serde_json::Value, _>>()
            })
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{text}: {error}\n{}", query.sql));
        (columns.join(", "), rows)
    }

    /// Runs a query that must fail, and returns its error.
    pub fn failure(&self, text: &str) -> String {
        let Statement::Query(query) = self.bind(text).unwrap().statement else {
            panic!("{text} is no query");
        };
        let mut statement = self.connection.prepare(&query.sql).unwrap();
        let rows = statement.query_map([], |_| Ok(())).unwrap();
        rows.collect::<Result<Vec<()>, _>>().unwrap_err().to_string()
    }

    /// Runs a statement that changes rows, and returns the number of changed rows.
    pub fn change(&self, text: &str) -> usize {
        let plan = self.bind(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let Statement::Change(change) = plan.statement else {
            panic!("{text} changes nothing");
        };
        self.connection
            .execute(&change.sql, rusqlite::params_from_iter(&change.parameters))
            .unwrap_or_else(|error| panic!("{text}: {error}\n{}", change.sql))
    }

    #[must_use]
    pub fn with_parameters(mut self, parameters: &[(&str, Type, Value)]) -> Self {
        let parameter = |(name, of, value): &(&str, Type, Value)| {
            let parameter = Parameter { of: of.clone(), value: value.clone() };
            ((*name).to_owned(), parameter)
        };
        self.session.parameters = Parameters::Named(parameters.iter().map(parameter).collect());
        self
    }

    #[must_use]
    pub fn with_positional_parameters(mut self, parameters: &[(Type, Value)]) -> Self {
        let parameter =
            |(of, value): &(Type, Value)| Parameter { of: of.clone(), value: value.clone() };
        self.session.parameters =
            Parameters::Positional(parameters.iter().map(parameter).collect());
        self
    }
}

/// Parses a table name such as `dataset.table`.
pub fn table_name(name: &str) -> TableName {
    let (dataset, table) = name.split_once('.').unwrap();
    TableName::parse(dataset, table).unwrap()
}

fn value_json(value: Value) -> serde_json::Value {
    match value {
        Value::Null => json!(null),
        Value::Integer(value) => json!(value),
        Value::Real(value) if value.is_infinite() => json!(value.to_string()),
        Value::Real(value) => json!(value),
        Value::Text(value) => json!(value),
        Value::Blob(value) => json!({ "bytes": value }),
    }
}

/// Runs the query of each case, and checks the columns and the rows as JSON.
pub fn check(cases: &[(&str, &str, serde_json::Value)]) {
    let fixture = SqlFixture::new();
    let mut wrong = Vec::new();
    for (text, columns, rows) in cases {
        let got = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fixture.rows(text)));
        match got {
            Ok((found, values)) if found == *columns && json!(values) == *rows => {}
            Ok((found, values)) => wrong.push(format!("{text}\n  {found}\n  {}", json!(values))),
            Err(_) => wrong.push(format!("{text}: panicked")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
