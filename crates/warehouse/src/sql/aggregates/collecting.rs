//! Translates aggregates that first collect the values of a group in a JSON array.

use super::{
    Aggregate, AggregateCall, Nulls, arrays, distinct, is_orderable, no_matching_signature,
    one_argument, type_or_int64,
};
use crate::sql::expression::Expression;
use crate::sql::nan;
use crate::types::{Field, Type};

/// Returns an aggregate that collects the values of a group in a JSON array and passes the array to
/// `function`.
fn collecting_aggregate(
    call: &AggregateCall<'_>,
    x: &Expression,
    order: &str,
    function: &str,
    more: &str,
    of: Type,
) -> Aggregate {
    let array_aggregate = arrays::array_aggregate(&type_or_int64(x));
    let argument = match &x.of {
        Some(Type::Float) => &arrays::element(x),
        _ => &x.sql,
    };
    let space = if order.is_empty() { "" } else { " " };
    Aggregate {
        before: format!("{function}("),
        call: format!("{array_aggregate}({}{argument}{space}{order})", distinct(call)),
        grouped: None,
        after: format!("{more})"),
        of,
        can_be_windowed: array_aggregate == arrays::JSON_GROUP_ARRAY && order.is_empty(),
    }
}

fn limit(call: &AggregateCall<'_>) -> i64 {
    call.limit.map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}

pub(super) fn string_agg(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let is_text = |x: &Expression| matches!(x.of, None | Some(Type::String));
    let (x, separator) = match call.arguments {
        [x] if is_text(x) => (x, "','"),
        [x, separator] if is_text(x) && is_text(separator) && separator.literal.is_some() => {
            (x, separator.sql.as_str())
        }
        [_, separator] if is_text(separator) => {
            return Err("the delimiter of STRING_AGG must be a string literal".into());
        }
        _ => return Err(no_matching_signature(call, &format!("{name}(STRING [, STRING])"))),
    };
    let more = format!(", {separator}, {}", limit(call));
    Ok(collecting_aggregate(call, x, call.order, "fw_join_elements", &more, Type::String))
}

pub(super) fn array_agg(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = one_argument(call, name)?;
    if matches!(x.of, Some(Type::Array(_))) {
        return Err("ARRAY_AGG cannot create an array of arrays".into());
    }
    let keeps = i32::from(call.nulls != Some(Nulls::Ignored));
    let more = format!(", {keeps}, {}", limit(call));
    let of = Type::Array(Box::new(type_or_int64(x)));
    Ok(collecting_aggregate(call, x, call.order, "fw_elements", &more, of))
}

/// Returns the argument at index `at`, which must be an integer literal from 1 to 100,000.
fn number<'a>(call: &AggregateCall<'a>, at: usize, name: &str) -> Result<&'a str, String> {
    call.arguments
        .get(at)
        .map(|x| x.sql.as_str())
        .filter(|sql| sql.parse::<u32>().is_ok_and(|number| (1..=100_000).contains(&number)))
        .ok_or_else(|| format!("{name} requires an integer literal from 1 to 100000"))
}

pub(super) fn quantiles(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let (Some(x), 2) = (call.arguments.first(), call.arguments.len()) else {
        return Err(no_matching_signature(call, &format!("{name}(value, number)")));
    };
    if !is_orderable(&type_or_int64(x)) {
        return Err(no_matching_signature(
            call,
            &format!("{name}(value of an orderable type, number)"),
        ));
    }
    let more = format!(", {}", number(call, 1, name)?);
    let rank = nan::rank(x, false).map_or_else(String::new, |rank| format!("{rank}, "));
    let order = format!("ORDER BY {rank}{}", x.sql);
    let of = Type::Array(Box::new(type_or_int64(x)));
    Ok(collecting_aggregate(call, x, &order, "fw_quantiles", &more, of))
}

fn count_struct(x: &Expression, of: &str, count: Type) -> Type {
    let fields = vec![Field::new("value", type_or_int64(x)), Field::new(of, count)];
    Type::Array(Box::new(Type::Struct(fields)))
}

pub(super) fn top_count(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let (Some(x), 2) = (call.arguments.first(), call.arguments.len()) else {
        return Err(no_matching_signature(call, &format!("{name}(value, number)")));
    };
    let more = format!(", {}", number(call, 1, name)?);
    let of = count_struct(x, "count", Type::Integer);
    Ok(collecting_aggregate(call, x, "", "fw_top_count", &more, of))
}

pub(super) fn top_sum(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let supported = format!("{name}(value, INT64, number), {name}(value, FLOAT64, number)");
    let [x, weight, _] = call.arguments else {
        return Err(no_matching_signature(call, &supported));
    };
    if !matches!(weight.of, Some(Type::Integer | Type::Float)) {
        return Err(no_matching_signature(call, &supported));
    }
    let more = format!(", {}", number(call, 2, name)?);
    Ok(Aggregate {
        before: "fw_top_sum(".into(),
        call: format!(
            "json_group_array(json_array({}, {}))",
            arrays::element(x),
            arrays::element(weight)
        ),
        grouped: None,
        after: format!("{more})"),
        of: count_struct(x, "sum", type_or_int64(weight)),
        can_be_windowed: true,
    })
}

pub(super) fn percentile(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let [x, at] = call.arguments else {
        return Err(no_matching_signature(call, &format!("{name}(value, FLOAT64) OVER (…)")));
    };
    let is_share = at.sql.parse::<f64>().is_ok_and(|share| (0.0..=1.0).contains(&share));
    if !is_share {
        return Err(format!("{name} requires a numeric literal from 0 to 1"));
    }
    let is_number = matches!(x.of, None | Some(Type::Integer | Type::Float));
    let (function, of) = match name {
        "PERCENTILE_CONT" if !is_number => {
            return Err(no_matching_signature(call, "PERCENTILE_CONT(FLOAT64, FLOAT64) OVER (…)"));
        }
        "PERCENTILE_CONT" => ("fw_percentile_cont", Type::Float),
        _ if !is_orderable(&type_or_int64(x)) || x.of == Some(Type::Bytes) => {
            return Err(no_matching_signature(
                call,
                "PERCENTILE_DISC(value of an orderable type, FLOAT64) OVER (…)",
            ));
        }
        _ => ("fw_percentile_disc", type_or_int64(x)),
    };
    let keeps = i32::from(call.nulls == Some(Nulls::Respected));
    let more = format!(", {}, {keeps}", at.sql);
    let mut made = collecting_aggregate(call, x, "", function, &more, of);
    if made.of == Type::Float {
        made.before.insert_str(0, "fw_real(");
        made.after.push(')');
    }
    Ok(made)
}
