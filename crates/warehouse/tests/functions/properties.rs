use super::evaluator::{Evaluator, int, null, text};

use std::sync::LazyLock;

use jiff::civil::Date;
use proptest::prelude::*;
use rusqlite::types::Value;
use warehouse::Type;
use warehouse::sql::functions::{names, scalar};
use warehouse::sql::{Argument, Expression, Part};

thread_local! {
    static EVALUATOR: Evaluator = Evaluator::new();
}

static SIGNATURES: LazyLock<Vec<&str>> =
    LazyLock::new(|| names().iter().map(|listed| listed.signature).collect());

fn call(name: &str, arguments: Vec<Argument>) -> Expression {
    scalar(name, &arguments).unwrap().unwrap()
}

fn show(expression: &Expression) -> String {
    EVALUATOR.with(|evaluator| evaluator.show_expression(expression))
}

fn date(days: i64) -> Expression {
    call("date_from_unix_date", vec![Argument::Value(int(days))])
}

fn timestamp(micros: i64) -> Expression {
    Expression::new(format!("({micros})"), Type::Timestamp)
}

const DAYS: std::ops::Range<i64> = -719_162..2_932_897;
const MICROS: std::ops::Range<i64> = -62_135_596_800_000_000..253_402_300_800_000_000;

fn parts() -> impl Strategy<Value = Part> {
    prop::sample::select(vec![
        Part::Microsecond,
        Part::Millisecond,
        Part::Second,
        Part::Minute,
        Part::Hour,
        Part::Day,
        Part::DayOfWeek,
        Part::DayOfYear,
        Part::Week,
        Part::WeekFrom(1),
        Part::WeekFrom(6),
        Part::IsoWeek,
        Part::Month,
        Part::Quarter,
        Part::Year,
        Part::IsoYear,
        Part::Date,
        Part::Time,
        Part::DateTime,
    ])
}

fn truncation_parts() -> impl Strategy<Value = Part> {
    prop::sample::select(vec![
        Part::Second,
        Part::Minute,
        Part::Hour,
        Part::Day,
        Part::Week,
        Part::WeekFrom(3),
        Part::IsoWeek,
        Part::Month,
        Part::Quarter,
        Part::Year,
        Part::IsoYear,
    ])
}

/// Generates strings. Some are valid arguments for specific functions.
fn texts() -> impl Strategy<Value = String> {
    let known = [
        "2026-11-21", "2026-11-21 07:05:00+01", "UTC", "Europe/Berlin", "+14", "$.a[0]",
        "{\"a\":[1]}", "%F %T", "%E3S", "1.2.3.4", "::1", "NFC", "(a)", "a*", "\\1", "aGk=",
        "http://a.b/c", "1e3", "true", "%5.2f", "%T", "%'d",
    ];
    prop_oneof![
        ".{0,12}",
        "[$%.\\[\\]a-zA-Z0-9*'\"\\\\(){}+-]{0,12}",
        "(\\$|%[a-zA-Z0-9*]{1,3}){0,4}",
        prop::sample::select(known.to_vec()).prop_map(str::to_owned),
    ]
}

/// Creates a string expression that is not a literal, so that its value cannot be checked before
/// the statement runs.
fn column(value: &str) -> Expression {
    Expression::new(text(value).sql, Type::String)
}

/// Generates values of a type, including extreme values.
fn plain_values(of: Type) -> BoxedStrategy<Expression> {
    let made =
        |name: &'static str| move |micros| call(name, vec![Argument::Value(timestamp(micros))]);
    match of {
        Type::Integer => {
            prop_oneof![Just(i64::MIN), Just(i64::MAX), -40..40_i64, -40..40_i64, any::<i64>()]
                .prop_map(int)
                .boxed()
        }
        Type::Float => {
            prop_oneof![Just(0.0), Just(-0.0), Just(f64::MAX), -10.0..10.0, any::<f64>()]
                .prop_filter("finite", |value: &f64| value.is_finite())
                .prop_map(|value| Expression::new(format!("({value:?})"), Type::Float))
                .boxed()
        }
        Type::String => prop_oneof![
            texts().prop_map(|value| text(&value)),
            texts().prop_map(|value| column(&value)),
        ]
        .boxed(),
        Type::Bytes => prop::collection::vec(any::<u8>(), 0..17)
            .prop_map(|bytes| {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                Expression::new(format!("x'{digits}'"), Type::Bytes)
            })
            .boxed(),
        Type::Boolean => any::<bool>()
            .prop_map(|value| Expression::new(i64::from(value).to_string(), Type::Boolean))
            .boxed(),
        Type::Date => DAYS.prop_map(date).boxed(),
        Type::Timestamp => MICROS.prop_map(timestamp).boxed(),
        Type::DateTime => MICROS.prop_map(made("datetime")).boxed(),
        Type::Time => MICROS.prop_map(made("time")).boxed(),
        Type::Json => prop_oneof![
            texts().prop_map(|value| call("to_json", vec![Argument::Value(text(&value))])),
            prop::sample::select(vec![
                "{\"a\":[1,null,{\"b\":true}]}", "1.5", "12", "\"7\"", "false", "null"
            ])
            .prop_map(|value| call("parse_json", vec![Argument::Value(text(value))])),
        ]
        .boxed(),
        Type::Array(of) if *of == Type::String => {
            texts().prop_map(|value| call("split", vec![Argument::Value(column(&value))])).boxed()
        }
        of => prop::collection::vec(prop_oneof![-9..300_i64, any::<i64>()], 0..4)
            .prop_map(move |elements| {
                let elements: Vec<_> = elements.iter().map(ToString::to_string).collect();
                Expression::new(format!("'[{}]'", elements.join(",")), of.clone())
            })
            .boxed(),
    }
}

fn array_of(element: Type) -> Type {
    Type::Array(Box::new(element))
}

/// Generates values of any type.
fn values() -> BoxedStrategy<Expression> {
    let types = [
        Type::Integer,
        Type::Float,
        Type::String,
        Type::Bytes,
        Type::Boolean,
        Type::Date,
        Type::Timestamp,
        Type::DateTime,
        Type::Time,
        Type::Json,
        array_of(Type::Integer),
        array_of(Type::String),
    ];
    prop_oneof![
        1 => Just(null()),
        12 => prop::sample::select(types.to_vec()).prop_flat_map(plain_values),
    ]
    .boxed()
}

/// Generates arguments for a function with this signature.
fn arguments(signature: &str) -> BoxedStrategy<Vec<Argument>> {
    let (taken, _) = signature.split_once(" -> ").unwrap();
    let (_, list) = taken.split_once('(').unwrap();
    let words: Vec<_> =
        list.split([',', '[', ']', ')', ' ']).filter(|word| !word.is_empty()).collect();
    let least = list
        .split('[')
        .next()
        .unwrap()
        .split([',', ')', ' '])
        .filter(|word| !word.is_empty())
        .count();
    let each: Vec<_> = (0..words.len())
        .map(|at| match words[at] {
            "..." => argument(words[at - 1]),
            word => argument(word),
        })
        .collect();
    (each, least..=words.len())
        .prop_map(|(mut arguments, count)| {
            arguments.truncate(count);
            arguments
        })
        .boxed()
}

/// Generates an argument for a parameter. Some arguments have the wrong type.
fn argument(parameter: &str) -> BoxedStrategy<Argument> {
    let fitting = match parameter {
        "PART" => return parts().prop_map(Argument::Part).boxed(),
        "INTERVAL" => {
            let counts = prop_oneof![-40..40_i64, any::<i64>()];
            return (counts, parts())
                .prop_map(|(count, part)| Argument::Interval(int(count), part))
                .boxed();
        }
        "ANY" | "T" => values(),
        "ARRAY<T>" | "ARRAY<INT64>" => plain_values(array_of(Type::Integer)),
        "ARRAY<STRING>" => plain_values(array_of(Type::String)),
        plain => plain_values(Type::parse(plain).unwrap()),
    };
    prop_oneof![20 => fitting, 1 => values()].prop_map(Argument::Value).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn functions_never_panic(
        (signature, arguments) in prop::sample::select(SIGNATURES.clone())
            .prop_flat_map(|signature| (Just(signature), arguments(signature))),
        safe in any::<bool>(),
    ) {
        let name = signature.split('(').next().unwrap();
        let name = if safe { format!("safe.{name}") } else { name.to_owned() };
        if let Ok(expression) = scalar(&name, &arguments).unwrap() {
            let value = EVALUATOR.with(|evaluator| evaluator.value(&expression));
            match value {
                // rusqlite reports a panic as an error.
                Err(error) => prop_assert!(!error.to_lowercase().contains("panic"), "{name}: {error}"),
                Ok(value) => prop_assert!(has_storage_type(&value, &expression.of.unwrap()), "{name}: {value:?}"),
            }
        }
    }
}

fn has_storage_type(value: &Value, of: &Type) -> bool {
    let is_nan = *of == Type::Float && *value == Value::Text("NaN".to_owned());
    is_nan
        || matches!(
            (value, of.affinity()),
            (Value::Null, _)
                | (Value::Integer(_), "INTEGER")
                | (Value::Real(_), "ANY")
                | (Value::Text(_), "TEXT")
                | (Value::Blob(_), "BLOB")
        )
}

proptest! {
    #[test]
    fn adding_the_difference_gives_the_other_date(from in DAYS, to in DAYS) {
        let difference = call("date_diff", vec![
            Argument::Value(date(to)), Argument::Value(date(from)), Argument::Part(Part::Day),
        ]);
        prop_assert_eq!(show(&difference), (to - from).to_string());
        let moved = call("date_add", vec![Argument::Value(date(from)), Argument::Interval(difference, Part::Day)]);
        prop_assert_eq!(show(&moved), show(&date(to)));
    }

    #[test]
    fn truncation_is_idempotent(micros in 0..MICROS.end, part in truncation_parts(), zone in prop::sample::select(vec![
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "+05:45",
    ])) {
        let truncate = |value| call("timestamp_trunc", vec![
            Argument::Value(value), Argument::Part(part), Argument::Value(text(zone)),
        ]);
        let once = truncate(timestamp(micros));
        let value = EVALUATOR.with(|evaluator| evaluator.value(&once)).unwrap();
        let Value::Integer(begin) = value else { panic!("{value:?}") };
        prop_assert!(begin <= micros);
        prop_assert_eq!(show(&truncate(timestamp(begin))), show(&once));
    }

    #[test]
    fn formatted_timestamps_parse_to_the_same_value(micros in MICROS, format in prop::sample::select(vec![
        "%E4Y-%m-%d %H:%M:%E*S", "%s.%E6S", "%a %b %e %E4Y %I:%M:%E*S %p", "%E4Y %j %T.%E6S",
        "%G-W%V-%u %k:%M:%E*S", "%E4Y %U %w %H:%M:%E*S", "%E4Y %W %A %R:%E*S", "%FT%H:%M:%E*S%Ez",
    ])) {
        prop_assume!(!format.starts_with("%s") && !format.contains("%T.%E6S"));
        let formatted = call("format_timestamp", vec![
            Argument::Value(text(format)), Argument::Value(timestamp(micros)),
        ]);
        // %F writes fewer digits for a year before 1000. The parser accepts this form.
        let parsed = call("parse_timestamp", vec![Argument::Value(text(format)), Argument::Value(formatted)]);
        prop_assert_eq!(show(&parsed), show(&timestamp(micros)));
    }

    #[test]
    fn a_timestamp_cast_to_a_string_casts_back(micros in MICROS) {
        let shown = text(&show(&timestamp(micros)));
        let back = call("timestamp", vec![Argument::Value(shown)]);
        prop_assert_eq!(EVALUATOR.with(|evaluator| evaluator.value(&back)), Ok(Value::Integer(micros)));
    }

    #[test]
    fn day_numbers_match_the_calendar(days in DAYS) {
        let expected = Date::constant(1970, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
        prop_assert_eq!(show(&date(days)), expected.to_string());
    }

    #[test]
    fn json_parsing_matches_serde_json(source in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,24}") {
        let parsed = call("safe.parse_json", vec![Argument::Value(Expression::new(text(&source).sql, Type::String))]);
        let expected = serde_json::from_str::<serde_json::Value>(&source);
        match (show(&parsed).as_str(), expected) {
            ("NULL", Err(_)) => {}
            // serde_json rejects numbers outside the range of floats.
            (_, Err(error)) if error.to_string().contains("out of range") => {}
            (read, Ok(expected)) => prop_assert_eq!(serde_json::from_str::<serde_json::Value>(read).unwrap(), expected),
            (read, Err(error)) => prop_assert!(false, "{read}: {error}"),
        }
    }

    #[test]
    fn a_json_path_is_parsed_or_rejected(path in "[$.\\[\\]'\"a-c0-9\\\\é ]{0,12}") {
        let argument = Argument::Value(Expression::new(text(&path).sql, Type::String));
        let found = call("json_query", vec![Argument::Value(text("{\"a\":[{\"b\":1}]}")), argument]);
        let shown = show(&found);
        prop_assert!(path.starts_with('$') || shown.starts_with("ERROR: Invalid JSONPath"), "{shown}");
    }
}
