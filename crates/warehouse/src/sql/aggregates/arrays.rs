//! SQL functions that collect the values of a group in a JSON array, and functions on such arrays.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, Error, Result};
use serde_json::{Value, json};

use crate::float;
use crate::sql::expression::Expression;
use crate::types::Type;

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Name of SQLite's built-in aggregate that creates a JSON array of strings and numbers.
pub(super) const JSON_GROUP_ARRAY: &str = "json_group_array";

/// Maximum size of an array, in bytes: the maximum size of a value.
const MAX_ARRAY_BYTES: usize = 64 * 1024 * 1024;

/// Returns the name of the aggregate that creates a JSON array of values of this type.
pub(super) fn array_aggregate(of: &Type) -> &'static str {
    match of {
        Type::Boolean => "fw_gather_flags",
        Type::Bytes => "fw_gather_bytes",
        Type::Json | Type::Array(_) | Type::Struct(_) => "fw_gather_json",
        _ => JSON_GROUP_ARRAY,
    }
}

/// Returns SQL that passes a value to SQLite's JSON functions as an array element.
pub(super) fn element(x: &Expression) -> String {
    match &x.of {
        Some(Type::Boolean) => {
            format!("json(CASE WHEN {0} THEN 'true' WHEN NOT {0} THEN 'false' END)", x.sql)
        }
        Some(Type::Bytes) => format!("fw_base64({})", x.sql),
        Some(Type::Float) => format!("fw_float_element({})", x.sql),
        Some(Type::Json | Type::Array(_) | Type::Struct(_)) => format!("json({})", x.sql),
        _ => x.sql.clone(),
    }
}

pub(super) fn register(connection: &Connection) -> Result<()> {
    for (name, write) in [
        ("fw_gather_flags", flag as fn(ValueRef<'_>) -> Result<String>),
        ("fw_gather_bytes", bytes),
        ("fw_gather_json", json_text),
    ] {
        connection.create_aggregate_function(name, 1, FLAGS, ArrayAggregate(write))?;
    }
    connection.create_scalar_function("fw_base64", 1, FLAGS, |context| {
        Ok(context.get::<Option<Vec<u8>>>(0)?.map(|bytes| STANDARD.encode(bytes)))
    })?;
    connection.create_scalar_function("fw_elements", 3, FLAGS, elements)?;
    connection.create_scalar_function("fw_join_elements", 3, FLAGS, join)?;
    connection.create_scalar_function("fw_quantiles", 2, FLAGS, quantiles)?;
    connection.create_scalar_function("fw_top_count", 2, FLAGS, top_count)?;
    connection.create_scalar_function("fw_top_sum", 2, FLAGS, top_sum)?;
    connection.create_scalar_function("fw_percentile_cont", 3, FLAGS, percentile_cont)?;
    connection.create_scalar_function("fw_percentile_disc", 3, FLAGS, percentile_disc)
}

/// Maximum total size of the arrays that are being collected in this process, in bytes: 1 GiB. A
/// single statement can collect a thousand arrays.
const MAX_TOTAL_BYTES: usize = 1024 * 1024 * 1024;
/// The current total size of the arrays that are being collected, in bytes.
static TOTAL_BYTES: AtomicUsize = AtomicUsize::new(0);

/// An array that is being collected. Its size is included in [`TOTAL_BYTES`].
#[derive(Default)]
struct GrowingArray {
    array: String,
    counted: usize,
}

impl GrowingArray {
    fn push(&mut self, element: &str) -> Result<()> {
        self.array.push(if self.array.is_empty() { '[' } else { ',' });
        self.array.push_str(element);
        let more = self.array.capacity() - self.counted;
        self.counted += more;
        let all = TOTAL_BYTES.fetch_add(more, Relaxed) + more;
        match (self.array.len() > MAX_ARRAY_BYTES, all > MAX_TOTAL_BYTES) {
            (true, _) => Err(user_error("an array exceeds 64 MiB")),
            (_, true) => Err(user_error("the arrays exceed 1 GiB: aggregate fewer rows at a time")),
            (false, false) => Ok(()),
        }
    }
}

impl Drop for GrowingArray {
    fn drop(&mut self) {
        TOTAL_BYTES.fetch_sub(self.counted, Relaxed);
    }
}

/// An aggregate that collects the values of a group in a JSON array. The function converts each
/// value to JSON.
struct ArrayAggregate(fn(ValueRef<'_>) -> Result<String>);

impl Aggregate<GrowingArray, String> for ArrayAggregate {
    fn init(&self, _: &mut Context<'_>) -> Result<GrowingArray> {
        Ok(GrowingArray::default())
    }

    fn step(&self, context: &mut Context<'_>, gathered: &mut GrowingArray) -> Result<()> {
        gathered.push(&(self.0)(context.get_raw(0))?)
    }

    fn finalize(&self, _: &mut Context<'_>, gathered: Option<GrowingArray>) -> Result<String> {
        let mut array = gathered.map_or_else(String::new, |mut all| std::mem::take(&mut all.array));
        array.push_str(if array.is_empty() { "[]" } else { "]" });
        Ok(array)
    }
}

fn flag(value: ValueRef<'_>) -> Result<String> {
    Ok(match value {
        ValueRef::Integer(flag) => (flag != 0).to_string(),
        _ => "null".into(),
    })
}

fn bytes(value: ValueRef<'_>) -> Result<String> {
    Ok(match value {
        ValueRef::Blob(bytes) => format!("\"{}\"", STANDARD.encode(bytes)),
        _ => "null".into(),
    })
}

fn json_text(value: ValueRef<'_>) -> Result<String> {
    Ok(match value {
        ValueRef::Text(text) => std::str::from_utf8(text)
            .map_err(|error| Error::UserFunctionError(error.into()))?
            .to_owned(),
        _ => "null".into(),
    })
}

fn user_error(message: &str) -> Error {
    Error::UserFunctionError(message.into())
}

/// Parses the array in the first argument.
fn array(context: &Context<'_>) -> Result<Vec<Value>> {
    match context.get_raw(0) {
        ValueRef::Text(text) => {
            serde_json::from_slice(text).map_err(|_| user_error("an array is damaged"))
        }
        _ => Ok(Vec::new()),
    }
}

fn limit(context: &Context<'_>, at: usize) -> Result<usize> {
    Ok(usize::try_from(context.get::<i64>(at)?).unwrap_or(0))
}

/// Returns the array as JSON, or `None` (NULL) if the array is empty.
fn to_json_or_null(elements: &[Value]) -> Result<Option<String>> {
    match elements {
        [] => Ok(None),
        _ => serde_json::to_string(elements)
            .map(Some)
            .map_err(|error| Error::UserFunctionError(error.into())),
    }
}

fn elements(context: &Context<'_>) -> Result<Option<String>> {
    let mut all = array(context)?;
    if context.get::<i64>(1)? == 0 {
        all.retain(|element| !element.is_null());
    }
    all.truncate(limit(context, 2)?);
    to_json_or_null(&all)
}

fn join(context: &Context<'_>) -> Result<Option<String>> {
    let all = array(context)?;
    let texts: Vec<&str> = all.iter().filter_map(Value::as_str).take(limit(context, 2)?).collect();
    Ok((!texts.is_empty())
        .then(|| context.get::<String>(1))
        .transpose()?
        .map(|separator| texts.join(&separator)))
}

fn quantiles(context: &Context<'_>) -> Result<Option<String>> {
    let mut all = array(context)?;
    all.retain(|element| !element.is_null());
    let count = limit(context, 1)?;
    if all.is_empty() {
        return Ok(None);
    }
    let last = all.len() - 1;
    let chosen: Vec<Value> =
        (0..=count).map(|at| all[(at * last + count / 2) / count].clone()).collect();
    to_json_or_null(&chosen)
}

fn top_count(context: &Context<'_>) -> Result<Option<String>> {
    let mut counts: HashMap<String, (Value, i64)> = HashMap::new();
    for element in array(context)? {
        counts.entry(element.to_string()).or_insert((element, 0)).1 += 1;
    }
    let mut top: Vec<_> = counts.into_iter().collect();
    top.sort_by(|(a, (_, m)), (b, (_, n))| n.cmp(m).then_with(|| a.cmp(b)));
    top.truncate(limit(context, 1)?);
    let top: Vec<Value> = top
        .into_iter()
        .map(|(_, (value, count))| json!({ "value": value, "count": count }))
        .collect();
    to_json_or_null(&top)
}

fn top_sum(context: &Context<'_>) -> Result<Option<String>> {
    let mut sums: HashMap<String, (Value, Sum)> = HashMap::new();
    for pair in array(context)? {
        let sum = &mut sums.entry(pair[0].to_string()).or_insert((pair[0].clone(), Sum::Nothing)).1;
        *sum = sum.plus(&pair[1])?;
    }
    let mut top: Vec<_> = sums.into_iter().collect();
    top.sort_by(|(a, (_, x)), (b, (_, y))| y.size().total_cmp(&x.size()).then_with(|| a.cmp(b)));
    top.truncate(limit(context, 1)?);
    let top: Vec<Value> = top
        .into_iter()
        .map(|(_, (value, sum))| json!({ "value": value, "sum": sum.json() }))
        .collect();
    to_json_or_null(&top)
}

/// A sum of integers or floats.
#[derive(Debug, Clone, Copy)]
enum Sum {
    Nothing,
    Whole(i64),
    Float(f64),
}

impl Sum {
    fn plus(self, more: &Value) -> Result<Self> {
        Ok(match (self, more.as_i64(), number(more)) {
            (Self::Nothing, Some(whole), _) => Self::Whole(whole),
            (Self::Whole(sum), Some(whole), _) => Self::Whole(
                sum.checked_add(whole)
                    .ok_or_else(|| user_error("int64 overflow in APPROX_TOP_SUM"))?,
            ),
            (Self::Nothing, None, Some(float)) => Self::Float(float),
            (Self::Whole(sum), None, Some(float)) => Self::Float(sum as f64 + float),
            (Self::Float(sum), _, Some(float)) => Self::Float(sum + float),
            (sum, _, None) => sum,
        })
    }

    fn size(self) -> f64 {
        match self {
            Self::Nothing => f64::NEG_INFINITY,
            Self::Whole(sum) => sum as f64,
            Self::Float(sum) => sum,
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Whole(sum) => sum.into(),
            Self::Float(sum) => float::text(sum).map_or_else(|| sum.into(), Value::from),
        }
    }
}

/// Returns the sorted elements of the array in the first argument. NULLs come first, or are removed
/// if the third argument is 0.
fn sorted(context: &Context<'_>) -> Result<Vec<Value>> {
    let mut all = array(context)?;
    if context.get::<i64>(2)? == 0 {
        all.retain(|element| !element.is_null());
    }
    all.sort_by(compare);
    Ok(all)
}

/// Returns the value as a number. NaN and infinities are stored as text in JSON.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str().and_then(float::word))
}

/// Compares values of one type. NaN comes before all numbers.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::String(text), Value::String(other))
            if float::word(text).or(float::word(other)).is_none() =>
        {
            text.cmp(other)
        }
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => {
                let (a, b) = (number(a).unwrap_or(0.0), number(b).unwrap_or(0.0));
                let by_number = a.partial_cmp(&b);
                by_number.unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
            }
        },
    }
}

fn percentile_cont(context: &Context<'_>) -> Result<Option<Sql>> {
    let all = sorted(context)?;
    let Some(last) = all.len().checked_sub(1) else {
        return Ok(None);
    };
    let place = context.get::<f64>(1)? * last as f64;
    let (low, high) = (&all[place.floor() as usize], &all[place.ceil() as usize]);
    let value = match (number(low), number(high)) {
        (Some(low), Some(high)) if place.fract() > 0.0 => Some(low + (high - low) * place.fract()),
        (low, high) => low.or(high),
    };
    Ok(value.map(float::to_stored))
}

fn percentile_disc(context: &Context<'_>) -> Result<Sql> {
    let all = sorted(context)?;
    let rank = (context.get::<f64>(1)? * all.len() as f64).ceil() as usize;
    Ok(match all.get(rank.max(1) - 1) {
        None | Some(Value::Null) => Sql::Null,
        Some(Value::Bool(flag)) => Sql::Integer(i64::from(*flag)),
        Some(Value::String(text)) => Sql::Text(text.clone()),
        Some(other) => match (other.as_i64(), other.as_f64()) {
            (Some(whole), _) => Sql::Integer(whole),
            (None, Some(float)) => Sql::Real(float),
            (None, None) => Sql::Text(other.to_string()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_size_of_arrays_is_limited() {
        // This array uses up the whole limit.
        let large = GrowingArray { array: String::new(), counted: MAX_TOTAL_BYTES };
        TOTAL_BYTES.fetch_add(MAX_TOTAL_BYTES, Relaxed);
        let refused = GrowingArray::default().push("1").unwrap_err();
        assert!(refused.to_string().contains("1 GiB"), "{refused}");
        drop(large);
        GrowingArray::default().push("1").unwrap();
    }
}
