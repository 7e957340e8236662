//! Binds the construction of arrays and structs, and access to the elements and members of arrays,
//! structs and JSON.

use sqlparser::ast::{
    AccessExpr, Array, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query,
    StructField, Subscript,
};

use super::bind_error::{BindError, BindResult, type_name};
use super::binder::{Binder, suggestion};
use super::coercion;
use super::expression::{Argument, Expression};
use super::functions;
use super::scope::output_sql;
use super::sqlite_literals::text_sql;
use super::types::{array_of, distinct, field, type_of};
use crate::types::{Field, Type};

/// Returns SQL that passes a value to `json_array` or a similar function.
pub(super) fn encode(value: &Expression) -> BindResult<String> {
    let sql = &value.sql;
    Ok(match &value.of {
        Some(Type::Boolean) => {
            format!("json(CASE {sql} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)")
        }
        Some(Type::Json | Type::Array(_) | Type::Struct(_)) => format!("json({sql})"),
        Some(Type::Bytes) => call("to_base64", value.clone())?.sql,
        Some(Type::Float) => format!("fw_float_element({sql})"),
        _ => sql.clone(),
    })
}

/// Returns an expression for a value of this type that is stored in JSON. `extracted` is SQL for
/// the value as extracted by SQLite, and `json` returns SQL for the same value as JSON.
fn decode(extracted: String, json: impl FnOnce() -> String, of: &Type) -> BindResult<Expression> {
    Ok(match of {
        Type::Json => Expression::new(json(), Type::Json),
        Type::Float => Expression::new(format!("fw_real({extracted})"), Type::Float),
        Type::Untyped => Expression { sql: "NULL".to_owned(), of: None, literal: None },
        Type::Bytes => call("from_base64", Expression::new(extracted, Type::String))?,
        other => Expression::new(extracted, other.clone()),
    })
}

fn call(name: &str, argument: Expression) -> BindResult<Expression> {
    match functions::scalar(name, &[Argument::Value(argument)]) {
        Some(called) => Ok(called?),
        None => Err(format!("Function not found: {name}").into()),
    }
}

/// Returns an expression for the element in a row of `json_each`. `alias` is the alias of
/// `json_each`.
pub(super) fn element(alias: &str, of: &Type) -> BindResult<Expression> {
    let json = || format!("({alias}.\"json\" -> {alias}.\"fullkey\")");
    decode(format!("{alias}.\"value\""), json, of)
}

/// Returns an expression for a field of a struct or a member of a JSON object.
pub(super) fn member(value: Expression, name: &str) -> BindResult<Expression> {
    match &value.of {
        Some(Type::Struct(fields)) => {
            let Some(field) = fields.iter().find(|field| field.has_name(name)) else {
                let hint = suggestion(name, fields.iter().map(|field| field.name.as_str()));
                return Err(format!(
                    "Field name {name} does not exist in {}{hint}",
                    family(&value)
                )
                .into());
            };
            let path = text_sql(&format!("$.\"{}\"", field.name));
            let extracted = format!("json_extract({}, {path})", value.sql);
            decode(extracted, || format!("({} -> {path})", value.sql), &field.of)
        }
        Some(Type::Json) => json_member(&value, name),
        Some(Type::Array(_)) => Err(format!(
            "Cannot access field {name} on a value with type {}: UNNEST the array, or select an element",
            family(&value)
        )
        .into()),
        of => Err(format!(
            "Cannot access field {name} on a value with type {}",
            type_name(of.as_ref())
        )
        .into()),
    }
}

fn family(value: &Expression) -> String {
    let text = type_name(value.of.as_ref());
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn json_member(value: &Expression, name: &str) -> BindResult<Expression> {
    if name.contains(['"', '\\']) {
        return Err(
            "quotes and backslashes are not supported in a field name: use JSON_QUERY".into()
        );
    }
    let path = text_sql(&format!("$.\"{name}\""));
    Ok(Expression::new(format!("({} -> {path})", value.sql), Type::Json))
}

/// Maximum number of elements in a `json_array` call, because SQLite limits calls to 1,000
/// arguments.
const MAX_ELEMENTS: usize = 900;

/// Maximum number of fields in a STRUCT expression. SQLite limits calls to 1,000 arguments, and
/// each field needs two arguments.
const MAX_FIELDS: usize = 400;

/// The index of the first array element.
#[derive(Clone, Copy)]
enum IndexBase {
    FromZero,
    FromOne,
}

impl Binder<'_> {
    /// Binds an access such as `a.b[OFFSET(0)].c`.
    pub(super) fn access(&mut self, root: &Expr, chain: &[AccessExpr]) -> BindResult<Expression> {
        let mut names = Vec::new();
        let mut chain = chain.iter().peekable();
        // In `t.a[0]`, the names before the first bracket form a path.
        let mut value = match root {
            Expr::Identifier(first) => {
                names.push(first.clone());
                while let Some(AccessExpr::Dot(Expr::Identifier(name))) = chain.peek() {
                    names.push(name.clone());
                    chain.next();
                }
                self.path(&names)?
            }
            Expr::CompoundIdentifier(names) => self.path(names)?,
            other => self.expr(other)?,
        };
        for access in chain {
            value = match access {
                AccessExpr::Dot(Expr::Identifier(name)) => {
                    member(value, &name.value).map_err(|bind_error| bind_error.near(name))?
                }
                AccessExpr::Dot(other) => {
                    return Err(BindError::at("a field name is required after the dot", other));
                }
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    self.subscript(value, index)?
                }
                AccessExpr::Subscript(Subscript::Slice { .. }) => {
                    return Err("slices are not supported: use ARRAY(SELECT … FROM UNNEST(…) WITH OFFSET …)".into());
                }
            };
        }
        Ok(value)
    }

    fn subscript(&mut self, value: Expression, index: &Expr) -> BindResult<Expression> {
        match value.of.clone() {
            Some(Type::Array(of)) => self.array_element(&value, &of, index),
            Some(Type::Json) => {
                let at = self.expr(index)?;
                match (&at.of, &at.literal) {
                    (Some(Type::String), Some(name)) => json_member(&value, name),
                    (Some(Type::Integer), _) => {
                        let sql = format!("({} -> ('$[' || {} || ']'))", value.sql, at.sql);
                        Ok(Expression::new(sql, Type::Json))
                    }
                    _ => Err(BindError::at(
                        "an INT64 or a string literal is required between the brackets",
                        index,
                    )),
                }
            }
            of => Err(format!("a value of type {} has no elements", type_name(of.as_ref())).into()),
        }
    }

    fn array_element(
        &mut self,
        array: &Expression,
        of: &Type,
        index: &Expr,
    ) -> BindResult<Expression> {
        let (index, count, is_safe) = position(index)?;
        let at = self.typed(index, &Type::Integer)?.sql;
        let count = match count {
            IndexBase::FromZero => 0,
            IndexBase::FromOne => 1,
        };
        // If the index is out of range, `fw_place` returns NULL for the `SAFE_` variants, and
        // otherwise fails.
        let place = format!("fw_place({}, {at}, {count}, {})", array.sql, i64::from(is_safe));
        let extracted = format!("json_extract({}, {place})", array.sql);
        decode(extracted, || format!("({} -> {place})", array.sql), of)
    }

    /// Binds an array such as `[1, 2]`.
    pub(super) fn array(&mut self, array: &Array) -> BindResult<Expression> {
        let values = array
            .elem
            .iter()
            .map(|element| self.array_item(element))
            .collect::<BindResult<Vec<_>>>()?;
        let (values, of) = coercion::unify(values)?;
        array_value(&values, of)
    }

    /// Binds `CAST([…] AS ARRAY<T>)`, which the dialect substitutes for `ARRAY<T>[…]`.
    pub(super) fn typed_array(&mut self, array: &Array, of: &Type) -> BindResult<Expression> {
        let values = array
            .elem
            .iter()
            .map(|element| match (element, of) {
                (Expr::Tuple(values), Type::Struct(fields)) => self.typed_row(values, fields),
                _ => self.typed(element, of),
            })
            .collect::<BindResult<Vec<_>>>()?;
        array_value(&values, Some(of.clone()))
    }

    /// Binds values in parentheses to a struct with these fields.
    fn typed_row(&mut self, values: &[Expr], fields: &[Field]) -> BindResult<Expression> {
        if fields.len() != values.len() {
            return Err(wrong_count(fields.len(), values.len()));
        }
        let bound = values.iter().zip(fields).map(|(value, field)| {
            let bound = self.typed(value, &field.of)?;
            Ok((Some(field.name.clone()), bound))
        });
        struct_value(bound.collect::<BindResult<_>>()?)
    }

    /// Binds an element of an array. Values in parentheses form a struct with unnamed fields.
    fn array_item(&mut self, element: &Expr) -> BindResult<Expression> {
        match element {
            Expr::Tuple(values) => self.struct_literal(values, &[]),
            element => self.expr(element),
        }
    }

    /// Binds `STRUCT(1 AS a)` and `STRUCT<a INT64>(1)`.
    pub(super) fn struct_literal(
        &mut self,
        values: &[Expr],
        fields: &[StructField],
    ) -> BindResult<Expression> {
        if !fields.is_empty() && fields.len() != values.len() {
            return Err(wrong_count(fields.len(), values.len()));
        }
        let mut bound = Vec::with_capacity(values.len());
        for (at, value) in values.iter().enumerate() {
            let (expr, name) = match value {
                Expr::Named { expr, name } => (expr.as_ref(), Some(name.value.clone())),
                other => (other, implied_name(other)),
            };
            bound.push(match fields.get(at) {
                None => (name, self.expr(expr)?),
                Some(StructField { options: Some(_), .. }) => {
                    return Err("OPTIONS of fields are not supported here: remove them".into());
                }
                Some(StructField { field_name, field_type, options: None }) => {
                    let name = field_name.as_ref().map(|name| name.value.clone());
                    (name, self.typed(expr, &type_of(field_type)?)?)
                }
            });
        }
        struct_value(bound)
    }

    /// Binds `ARRAY(SELECT …)`.
    pub(super) fn array_of_query(&mut self, query: &Query) -> BindResult<Expression> {
        let rows = self.query(query)?;
        let [column] = rows.columns.as_slice() else {
            return Err("ARRAY(SELECT …) requires a query with one column: combine several columns with SELECT AS STRUCT".into());
        };
        let alias = self.new_alias();
        let value = Expression {
            sql: format!("{alias}.{}", output_sql(0)),
            of: column.of.clone(),
            literal: None,
        };
        let of = array_of(column.of.clone().unwrap_or(Type::Integer))?;
        let sql = format!(
            "(SELECT json_group_array({}) FROM ({}) AS {alias})",
            encode(&value)?,
            rows.sql
        );
        Ok(Expression::new(sql, of))
    }
}

/// Returns an expression that combines named values into a struct.
pub(super) fn struct_value(values: Vec<(Option<String>, Expression)>) -> BindResult<Expression> {
    let mut fields = Vec::with_capacity(values.len());
    let mut members = Vec::with_capacity(values.len());
    for (at, (name, value)) in values.into_iter().enumerate() {
        let of = match &value.of {
            _ if coercion::is_empty(&value) => Type::Array(Box::new(Type::Untyped)),
            Some(of) => of.clone(),
            None => Type::Untyped,
        };
        let field = field(name, at, of)?;
        let written = encode(&value)?;
        members.push(format!("{}, {written}", text_sql(&field.name)));
        fields.push(field);
    }
    let of = distinct(fields)?;
    if members.len() > MAX_FIELDS {
        return Err(format!("a STRUCT expression can have at most {MAX_FIELDS} fields").into());
    }
    let sql = format!("json_object({})", members.join(", "));
    Ok(Expression::new(sql, of))
}

/// Returns the implicit name of an expression without an alias: the name of its column or field.
pub(super) fn implied_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name) => Some(name.value.clone()).filter(|name| !name.starts_with('@')),
        Expr::CompoundIdentifier(path) => path.last().map(|name| name.value.clone()),
        Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last() {
            Some(AccessExpr::Dot(Expr::Identifier(name))) => Some(name.value.clone()),
            _ => None,
        },
        Expr::Nested(inner) => implied_name(inner),
        _ => None,
    }
}

fn wrong_count(fields: usize, values: usize) -> BindError {
    format!("the STRUCT has {fields} fields, but {values} values are given").into()
}

fn array_value(values: &[Expression], of: Option<Type>) -> BindResult<Expression> {
    let of = array_of(of.unwrap_or(Type::Integer))?;
    if values.is_empty() {
        return Ok(Expression::new("'[]'", of));
    }
    let written = values.iter().map(encode).collect::<BindResult<Vec<_>>>()?;
    let mut parts =
        written.chunks(MAX_ELEMENTS).map(|part| format!("json_array({})", part.join(", ")));
    let first = parts.next().unwrap_or_default();
    let rest: Vec<String> = parts.map(|part| format!(", {part}")).collect();
    let sql = match rest.as_slice() {
        [] => first,
        rest => format!("fw_flat({first}{})", rest.concat()),
    };
    Ok(Expression::new(sql, of))
}

/// Parses the index in brackets: `OFFSET(0)`, `SAFE_ORDINAL(1)`, or an index counted from 0.
fn position(index: &Expr) -> BindResult<(&Expr, IndexBase, bool)> {
    let Expr::Function(Function { name, args: FunctionArguments::List(arguments), .. }) = index
    else {
        return Ok((index, IndexBase::FromZero, false));
    };
    let (count, is_safe) = match name.to_string().to_ascii_uppercase().as_str() {
        "OFFSET" => (IndexBase::FromZero, false),
        "SAFE_OFFSET" => (IndexBase::FromZero, true),
        "ORDINAL" => (IndexBase::FromOne, false),
        "SAFE_ORDINAL" => (IndexBase::FromOne, true),
        _ => return Ok((index, IndexBase::FromZero, false)),
    };
    match arguments.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(index))] if arguments.clauses.is_empty() => {
            Ok((index, count, is_safe))
        }
        _ => Err(BindError::at(format!("{name} requires one INT64"), index)),
    }
}

/// Returns the fields that become columns if an array of this element type is read as rows.
pub(super) fn fields_of(of: &Type) -> &[Field] {
    match of {
        Type::Struct(fields) => fields,
        _ => &[],
    }
}
