//! Evaluates literals, arrays, casts and function calls in SQL text, without the binder.

use rusqlite::Connection;
use rusqlite::types::Value;
use warehouse::Type;
use warehouse::sql::functions::{cast, register, scalar};
use warehouse::sql::{Argument, Expression, Part};

pub struct Evaluator {
    connection: Connection,
}

impl Evaluator {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        Self { connection }
    }

    /// Returns the result of a call as text, or `ERROR: …`.
    pub fn show(&self, call: &str) -> String {
        let mut reader = Reader { rest: call };
        let expression = match reader.expression() {
            Ok(expression) => expression,
            Err(error) => return format!("ERROR: {error}"),
        };
        assert_eq!(reader.rest.trim(), "", "in {call}");
        self.show_expression(&expression)
    }

    pub fn show_expression(&self, expression: &Expression) -> String {
        let value = match self.value(expression) {
            Ok(value) => value,
            Err(error) => return format!("ERROR: {error}"),
        };
        match (value, &expression.of) {
            (Value::Integer(_), Some(Type::Timestamp)) => {
                let shown = cast(expression, &Type::String, false).unwrap();
                self.show_expression(&shown)
            }
            (Value::Integer(value), Some(Type::Boolean)) => (value != 0).to_string(),
            (Value::Null, _) => "NULL".to_owned(),
            (Value::Integer(value), Some(Type::Integer)) => value.to_string(),
            (Value::Real(value), Some(Type::Float)) => format!("{value:?}"),
            (Value::Text(text), _) => text,
            (Value::Blob(bytes), Some(Type::Bytes)) => {
                let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("x'{}'", digits.concat())
            }
            (value, of) => panic!("{value:?} is kept for {of:?}"),
        }
    }

    pub fn value(&self, expression: &Expression) -> Result<Value, String> {
        let sql = format!("SELECT {}", expression.sql);
        self.connection.query_row(&sql, [], |row| row.get(0)).map_err(|error| error.to_string())
    }

    /// Evaluates an expression in SQLite's SQL.
    pub fn evaluate_sqlite(&self, sql: &str) -> Result<Value, rusqlite::Error> {
        self.connection.query_row(sql, [], |row| row.get(0))
    }
}

/// Creates a string literal.
pub fn text(text: &str) -> Expression {
    let quoted = if text.contains('\0') {
        format!("CAST(x'{}' AS TEXT)", text.bytes().map(|b| format!("{b:02x}")).collect::<String>())
    } else {
        format!("'{}'", text.replace('\'', "''"))
    };
    Expression { literal: Some(text.to_owned()), ..Expression::new(quoted, Type::String) }
}

pub fn int(value: i64) -> Expression {
    // SQLite has no literal for the smallest integer.
    let sql = match value {
        i64::MIN => "(-9223372036854775807 - 1)".to_owned(),
        value => format!("({value})"),
    };
    Expression::new(sql, Type::Integer)
}

pub fn null() -> Expression {
    Expression { sql: "NULL".to_owned(), of: None, literal: None }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn expression(&mut self) -> Result<Expression, String> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next().unwrap() {
            '\'' => Ok(text(&self.string())),
            '[' => self.array(),
            '-' | '0'..='9' => Ok(self.number()),
            _ => self.named_expression(),
        }
    }

    fn string(&mut self) -> String {
        let mut value = String::new();
        let mut characters = self.rest[1..].char_indices();
        loop {
            match characters.next().unwrap() {
                (_, '\\') => value.push(match characters.next().unwrap().1 {
                    'n' => '\n',
                    't' => '\t',
                    '0' => '\0',
                    other => other,
                }),
                (at, '\'') => {
                    self.rest = &self.rest[at + 2..];
                    return value;
                }
                (_, character) => value.push(character),
            }
        }
    }

    fn number(&mut self) -> Expression {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        match digits.parse() {
            Ok(value) => int(value),
            Err(_) => {
                assert!(digits.contains(['.', 'e']), "{digits}");
                Expression::new(format!("({digits})"), Type::Float)
            }
        }
    }

    fn array(&mut self) -> Result<Expression, String> {
        self.take_if_next("[");
        let mut elements = Vec::new();
        while !self.take_if_next("]") {
            elements.push(self.expression()?);
            self.take_if_next(",");
        }
        let of = elements.iter().find_map(|element| element.of.clone()).unwrap_or(Type::Integer);
        let kept = elements.iter().map(|element| match &element.of {
            Some(Type::Boolean) => format!("json(iif({}, 'true', 'false'))", element.sql),
            Some(Type::Json) => format!("json({})", element.sql),
            _ => element.sql.clone(),
        });
        let kept: Vec<_> = kept.collect();
        Ok(Expression::new(format!("json_array({})", kept.join(", ")), Type::Array(Box::new(of))))
    }

    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn take_if_next(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start();
        let is_next = rest.starts_with(word);
        self.rest = rest.strip_prefix(word).unwrap_or(rest);
        is_next
    }

    fn named_expression(&mut self) -> Result<Expression, String> {
        let word = self.word();
        assert!(!word.is_empty(), "at {:?}", self.rest);
        match word {
            "NULL" => return Ok(null()),
            "TRUE" | "FALSE" => {
                return Ok(Expression::new(i64::from(word == "TRUE").to_string(), Type::Boolean));
            }
            "b" => {
                let sql = format!("CAST({} AS BLOB)", text(&self.string()).sql);
                return Ok(Expression::new(sql, Type::Bytes));
            }
            "x" => {
                let sql = format!("x'{}'", self.string());
                return Ok(Expression::new(sql, Type::Bytes));
            }
            "CAST" | "SAFE_CAST" => {
                self.take_if_next("(");
                let from = self.expression()?;
                assert!(self.take_if_next("AS"), "at {:?}", self.rest);
                let to = Type::parse(self.word()).unwrap();
                assert!(self.take_if_next(")"));
                return cast(&from, &to, word == "SAFE_CAST");
            }
            "JSON" if self.rest.trim_start().starts_with('\'') => {
                self.rest = self.rest.trim_start();
                let value = self.string();
                return scalar("PARSE_JSON", &[Argument::Value(text(&value))]).unwrap();
            }
            _ => {}
        }
        let typed = Type::parse(word).filter(|_| self.rest.trim_start().starts_with('\''));
        if let Some(of) = typed {
            self.rest = self.rest.trim_start();
            let literal = text(&self.string());
            return cast(&literal, &of, false).map(|cast| Expression::new(cast.sql, of));
        }
        assert!(self.take_if_next("("), "{word} at {:?}", self.rest);
        let mut arguments = Vec::new();
        while !self.take_if_next(")") {
            arguments.push(self.argument()?);
            self.take_if_next(",");
        }
        scalar(word, &arguments).unwrap_or_else(|| Err(format!("no function {word}")))
    }

    fn argument(&mut self) -> Result<Argument, String> {
        if self.take_if_next("INTERVAL ") {
            let count = self.expression()?;
            return Ok(Argument::Interval(count, Part::parse(self.word()).unwrap()));
        }
        let rest = self.rest.trim_start();
        let end = rest.find([',', ')']).unwrap_or(rest.len());
        let named_week = rest.starts_with("WEEK(").then_some(end + 1);
        for end in [named_week, Some(end)].into_iter().flatten() {
            if let Some(part) = rest.get(..end).and_then(Part::parse) {
                self.rest = &rest[end..];
                return Ok(Argument::Part(part));
            }
        }
        self.expression().map(Argument::Value)
    }
}
