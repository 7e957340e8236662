use super::check_table;
use super::evaluator::{Evaluator, null, text};

use rusqlite::types::Value;
use warehouse::Type;
use warehouse::sql::functions::{names, scalar};
use warehouse::sql::{Argument, Expression};

#[test]
fn an_invalid_call_reports_the_supported_signatures() {
    check_table(
        "UPPER(5) => ERROR: No matching signature for function UPPER for argument types: INT64. Supported: UPPER(STRING)
         UPPER() => ERROR: No matching signature for function UPPER for no arguments. Supported: UPPER(STRING)
         ABS('x') => ERROR: No matching signature for function ABS for argument types: STRING. Supported: ABS(INT64); ABS(FLOAT64)
         STARTS_WITH('a', 5) => ERROR: No matching signature for function STARTS_WITH for argument types: STRING, INT64. Supported: STARTS_WITH(STRING, STRING); STARTS_WITH(BYTES, BYTES)
         DATE_DIFF('2026-13-01', DATE '2026-01-01', DAY) => ERROR: Could not cast literal \"2026-13-01\" to type DATE: Invalid date: '2026-13-01'
         upper('x') => X
         net.host('a') => a
         Safe.Ln(0) => NULL
         NO_SUCH('x') => ERROR: no function NO_SUCH",
    );
    assert_eq!(scalar("no_such", &[]), None);
    assert_eq!(scalar("safe.no_such", &[]), None);
    let many = vec![Argument::Value(text("x")); 200];
    assert!(scalar("concat", &many).unwrap().is_err());
}

#[test]
fn a_column_is_not_coerced_like_a_literal() {
    let column = Argument::Value(Expression::new("c", Type::String));
    assert!(scalar("unix_date", std::slice::from_ref(&column)).unwrap().is_err());
    assert!(scalar("unix_date", &[Argument::Value(text("2026-01-01"))]).unwrap().is_ok());
    assert!(scalar("unix_date", &[Argument::Value(null())]).unwrap().is_ok());
}

#[test]
fn result_types_follow_argument_types() {
    let evaluator = Evaluator::new();
    let of = |name: &str, arguments: &[&Expression]| {
        let arguments: Vec<_> =
            arguments.iter().map(|value| Argument::Value((*value).clone())).collect();
        scalar(name, &arguments).unwrap().unwrap().of.unwrap()
    };
    let (int, float) = (Expression::new("1", Type::Integer), Expression::new("1.5", Type::Float));
    let date = Expression::new("'2026-01-01'", Type::Date);
    assert_eq!(of("greatest", &[&int, &float]), Type::Float);
    assert_eq!(of("greatest", &[&text("2026-02-01"), &date]), Type::Date);
    assert_eq!(of("greatest", &[&null(), &date]), Type::Date);
    assert_eq!(of("greatest", &[&null()]), Type::Integer);
    let dates = Expression::new("'[]'", Type::Array(Box::new(Type::Date)));
    assert_eq!(of("array_first", &[&dates]), Type::Date);
    assert_eq!(of("array_reverse", &[&dates]), Type::Array(Box::new(Type::Date)));
    assert_eq!(evaluator.show("GREATEST(1, 0.5)"), "1.0");
}

#[test]
fn documentation_lists_each_function_once() {
    let listed = names();
    let mut signatures: Vec<_> = listed.iter().map(|listed| listed.signature).collect();
    signatures.sort_unstable();
    let count = signatures.len();
    signatures.dedup();
    assert_eq!(signatures.len(), count);
    assert!(count > 250, "{count}");
    assert!(listed.iter().all(|listed| listed.signature.starts_with(listed.name)));
    let groups: Vec<_> = listed.chunk_by(|one, other| one.group == other.group).collect();
    assert_eq!(groups.len(), 8);
}

#[test]
fn damaged_stored_values_are_errors() {
    let evaluator = Evaluator::new();
    for (sql, wanted) in [
        ("fw_upper_string_string(5)", "a value of type STRING is stored as Integer"),
        ("fw_upper_string_string(CAST(x'ff' AS TEXT))", "a STRING is not valid UTF-8"),
        ("fw_array_reverse_array_t_array_t('x')", "Invalid JSON at byte 0: expected a value"),
        ("fw_array_reverse_array_t_array_t('{}')", "an ARRAY is damaged"),
        ("fw_cast_date_string('soon')", "Invalid date: 'soon'"),
        (
            "fw_cast_timestamp_string(9223372036854775807)",
            "the result must be between the years 1 and 9999",
        ),
        ("fw_cast_integer_string('x')", "no such function"),
        ("fw_cast_int64_string('x')", "a stored value of type INT64 is damaged"),
        ("fw_date_trunc_date_part_date('2026-01-01', 'AEON')", "unknown date part AEON"),
        ("fw_date_trunc_date_part_date('2026-01-01')", "a value of type STRING is stored as Null"),
        ("fw_to_json_any_bool_json(1, 'nonsense')", "Invalid JSON"),
    ] {
        let error = evaluator.evaluate_sqlite(&format!("SELECT {sql}")).unwrap_err();
        assert!(error.to_string().contains(wanted), "{sql}: {error}");
    }
    let safe = evaluator.evaluate_sqlite("SELECT fw_safe_upper_string_string(5)").unwrap();
    assert_eq!(safe, Value::Null);
}
