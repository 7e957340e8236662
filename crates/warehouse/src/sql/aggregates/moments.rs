//! Statistical and bitwise aggregates, which SQLite lacks, and `MAX_BY` and `MIN_BY`.

use std::cmp::Ordering;

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

use crate::float;

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

pub(super) fn register(connection: &Connection) -> Result<()> {
    for (name, work) in [
        ("fw_bit_and", (|a, b| a & b) as fn(i64, i64) -> i64),
        ("fw_bit_or", |a, b| a | b),
        ("fw_bit_xor", |a, b| a ^ b),
    ] {
        connection.create_aggregate_function(name, 1, FLAGS, Bits(work))?;
    }
    for (is_root, root) in [(false, "var"), (true, "stddev")] {
        for (is_sample, of) in [(false, "pop"), (true, "samp")] {
            let name = format!("fw_{root}_{of}");
            connection.create_aggregate_function(
                name.as_str(),
                1,
                FLAGS,
                Spread { is_root, is_sample },
            )?;
        }
    }
    for (name, what) in [
        ("fw_corr", Bivariate::Correlation),
        ("fw_covar_pop", Bivariate::Covariance { is_sample: false }),
        ("fw_covar_samp", Bivariate::Covariance { is_sample: true }),
    ] {
        connection.create_aggregate_function(name, 2, FLAGS, what)?;
    }
    connection.create_aggregate_function("fw_max_by", 2, FLAGS, ExtremeBy(Ordering::Greater))?;
    connection.create_aggregate_function("fw_min_by", 2, FLAGS, ExtremeBy(Ordering::Less))
}

/// Returns the name of the registered function for a standard deviation or variance.
pub(super) fn spread(name: &str) -> String {
    match name {
        "STDDEV" => "fw_stddev_samp".into(),
        "VARIANCE" => "fw_var_samp".into(),
        other => format!("fw_{}", other.to_ascii_lowercase()),
    }
}

fn number(context: &Context<'_>, at: usize) -> Option<f64> {
    float::read(context.get_raw(at))
}

/// An aggregate that combines integers with a bitwise operation.
struct Bits(fn(i64, i64) -> i64);

impl Aggregate<Option<i64>, Option<i64>> for Bits {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<i64>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, so_far: &mut Option<i64>) -> Result<()> {
        if let ValueRef::Integer(value) = context.get_raw(0) {
            *so_far = Some(so_far.map_or(value, |known| (self.0)(known, value)));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, so_far: Option<Option<i64>>) -> Result<Option<i64>> {
        Ok(so_far.flatten())
    }
}

/// The count and means of pairs of values, and the sums of squares and products of differences from
/// the means. Each pair updates these numbers (Welford's algorithm), so that large sums are never
/// subtracted from each other.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Moments {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        let from = (x - self.mean.0, y - self.mean.1);
        self.mean.0 += from.0 / self.count;
        self.mean.1 += from.1 / self.count;
        let now = (x - self.mean.0, y - self.mean.1);
        self.squares.0 += from.0 * now.0;
        self.squares.1 += from.1 * now.1;
        self.products += from.0 * now.1;
    }

    fn degrees(&self, is_sample: bool) -> Option<f64> {
        let degrees = if is_sample { self.count - 1.0 } else { self.count };
        (degrees > 0.0).then_some(degrees)
    }
}

/// An aggregate that computes a variance, or a standard deviation if `is_root` is true.
struct Spread {
    is_root: bool,
    is_sample: bool,
}

impl Aggregate<Moments, Option<Value>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> Result<()> {
        if let Some(x) = number(context, 0) {
            moments.add(x, x);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, moments: Option<Moments>) -> Result<Option<Value>> {
        let moments = moments.unwrap_or_default();
        let variance = moments.degrees(self.is_sample).map(|degrees| moments.squares.0 / degrees);
        Ok(variance.map(|variance| {
            float::to_stored(if self.is_root { variance.sqrt() } else { variance })
        }))
    }
}

/// An aggregate that computes the correlation or covariance of two columns.
enum Bivariate {
    Correlation,
    Covariance { is_sample: bool },
}

impl Aggregate<Moments, Option<Value>> for Bivariate {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> Result<()> {
        if let (Some(x), Some(y)) = (number(context, 0), number(context, 1)) {
            moments.add(x, y);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, moments: Option<Moments>) -> Result<Option<Value>> {
        let moments = moments.unwrap_or_default();
        let measure = match self {
            Self::Covariance { is_sample } => {
                moments.degrees(*is_sample).map(|degrees| moments.products / degrees)
            }
            Self::Correlation => {
                let spread = (moments.squares.0 * moments.squares.1).sqrt();
                (moments.count > 1.0).then(|| moments.products / spread)
            }
        };
        Ok(measure.map(float::to_stored))
    }
}

/// An aggregate that returns the first argument from the row with the greatest or least second
/// argument.
struct ExtremeBy(Ordering);

impl Aggregate<Option<(Value, Value)>, Option<Value>> for ExtremeBy {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<(Value, Value)>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, best: &mut Option<(Value, Value)>) -> Result<()> {
        let key: Value = context.get(1)?;
        let is_better = match best {
            _ if key == Value::Null => false,
            None => true,
            Some((_, known)) => compare(&key, known) == self.0,
        };
        if is_better {
            *best = Some((context.get(0)?, key));
        }
        Ok(())
    }

    fn finalize(
        &self,
        _: &mut Context<'_>,
        best: Option<Option<(Value, Value)>>,
    ) -> Result<Option<Value>> {
        Ok(best.flatten().map(|(value, _)| value))
    }
}

/// Compares two values of the same type.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
        (Value::Integer(a), Value::Real(b)) => (*a as f64).total_cmp(b),
        (Value::Real(a), Value::Integer(b)) => a.total_cmp(&(*b as f64)),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        // NaN is stored as text, and sorts before all numbers.
        (Value::Text(_), Value::Real(_)) => Ordering::Less,
        (Value::Real(_), Value::Text(_)) => Ordering::Greater,
        (Value::Blob(a), Value::Blob(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}
