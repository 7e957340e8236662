use super::check_table;
use super::evaluator::Evaluator;

use warehouse::sql::functions::scalar;
use warehouse::sql::{Argument, Expression};
use warehouse::{Field, Type};

#[test]
fn json_values_are_found_by_path() {
    check_table(
        r#"JSON_VALUE('{"a":{"b c":["x",1.50]}}', '$.a["b c"][1]') => 1.50
         JSON_VALUE('{"a":{"b c":["x",1.50]}}', '$.a[\'b c\'][0]') => x
         JSON_VALUE('{"a":{"b c":["x",1.50]}}', '$.a."b c"[2]') => NULL
         JSON_VALUE('{"a":12345678901234567890123}', '$.a') => 12345678901234567890123
         JSON_VALUE('{"a":true}', '$.a') => true
         JSON_VALUE('{"a":null}', '$.a') => NULL
         JSON_VALUE('{"a":{}}', '$.a') => NULL
         JSON_VALUE('"ż\\u017c\\ud83d\\ude00"') => żż😀
         JSON_VALUE('not json', '$.a') => NULL
         JSON_VALUE('{"a":1}', 'a') => ERROR: Invalid JSONPath: "a"
         JSON_VALUE('{"a":1}', '$.') => ERROR: Invalid JSONPath: "$."
         JSON_VALUE('{"a":1}', '$[x]') => ERROR: Invalid JSONPath: "$[x]"
         JSON_VALUE(JSON '{"a":1}', '$.a') => 1
         JSON_QUERY('{"z":1, "a":{"y" : [1, 2.0]}}', '$') => {"z":1,"a":{"y":[1,2.0]}}
         JSON_QUERY('{"z":1, "a":{"y" : [1, 2.0]}}', '$.a') => {"y":[1,2.0]}
         JSON_QUERY('{"a":null}', '$.a') => NULL
         JSON_QUERY(JSON '{"a":null}', '$.a') => null
         JSON_QUERY(JSON '{"a":null}', '$.b') => NULL
         JSON_EXTRACT('{"a":"x"}', '$.a') => "x"
         JSON_EXTRACT_SCALAR('{"a":"x"}', '$.a') => x
         JSON_VALUE_ARRAY('["a", 1, null, true]') => ["a","1",null,"true"]
         JSON_VALUE_ARRAY('[[1]]') => NULL
         JSON_VALUE_ARRAY('{"a":1}', '$.a') => NULL
         JSON_EXTRACT_STRING_ARRAY('{"a":["b"]}', '$.a') => ["b"]
         JSON_QUERY_ARRAY('[{"a":1},"x"]') => ["{\"a\":1}","\"x\""]
         JSON_QUERY_ARRAY(JSON '[{"a":1},"x"]') => [{"a":1},"x"]
         JSON_EXTRACT_ARRAY('[1,2]', '$') => ["1","2"]
         JSON_TYPE(JSON '[]') => array
         JSON_TYPE(JSON '1') => number
         JSON_TYPE(JSON 'null') => null
         JSON_KEYS(JSON '{"b":{"x y":1,"c":[{"d":1}]},"a":2}') => ["a","b","b.\"x y\"","b.c"]
         JSON_KEYS(JSON '{"b":{"c":1},"a":2}', 1) => ["a","b"]
         JSON_KEYS(JSON '{}', 0) => ERROR: max_depth must be positive."#,
    );
}

#[test]
fn json_and_sql_values_are_converted() {
    check_table(
        r#"PARSE_JSON(' {"b": 1, "a": [ 1e2 , "x\\/y"], "b": 3} ') => {"b":1,"a":[1e2,"x/y"]}
         PARSE_JSON('{"a":}') => ERROR: Invalid JSON at byte 5: expected a value
         PARSE_JSON('[1,]') => ERROR: Invalid JSON at byte 3: expected a value
         PARSE_JSON('01') => ERROR: Invalid JSON at byte 1: expected the end
         PARSE_JSON('"\\ud800"') => ERROR: Invalid JSON at byte 7: expected a complete surrogate pair
         PARSE_JSON(REPEAT('[', 1000)) => ERROR: JSON nests deeper than 500 levels
         SAFE.PARSE_JSON(CONCAT('{', '')) => NULL
         TO_JSON(1) => 1
         TO_JSON('a"b') => "a\"b"
         TO_JSON(NULL) => null
         TO_JSON(9007199254740993) => 9007199254740993
         TO_JSON(9007199254740993, TRUE) => "9007199254740993"
         TO_JSON_STRING(9007199254740993) => "9007199254740993"
         TO_JSON_STRING(TRUE) => true
         TO_JSON_STRING(1.5) => 1.5
         TO_JSON_STRING(2.0) => 2
         TO_JSON_STRING(CAST('-inf' AS FLOAT64)) => "-Infinity"
         TO_JSON_STRING(x'00ff') => "AP8="
         TO_JSON_STRING(DATE '2026-11-21') => "2026-11-21"
         TO_JSON_STRING(TIMESTAMP '2026-11-21 07:05:00.25Z') => "2026-11-21T07:05:00.250Z"
         TO_JSON_STRING([TIMESTAMP '1970-01-01Z', NULL]) => ["1970-01-01T00:00:00Z",null]
         TO_CODE_POINTS(TO_JSON_STRING([1], TRUE)) => [91,10,32,32,49,10,93]
         TO_JSON_STRING(JSON '{"a": 1}') => {"a":1}
         JSON_ARRAY(1, 'a', NULL, [1, 2]) => [1,"a",null,[1,2]]
         JSON_ARRAY() => []
         JSON_OBJECT('a', 1, 'b', JSON '[1]', 'a', 2) => {"a":1,"b":[1]}
         JSON_OBJECT(['a', 'b'], [1, 2]) => {"a":1,"b":2}
         JSON_OBJECT('a') => ERROR: JSON_OBJECT requires a value for each key
         JSON_OBJECT(1, 2) => ERROR: A key of JSON_OBJECT must be a STRING that is not NULL
         STRING(JSON '"x"') => x
         STRING(JSON '1') => ERROR: The provided JSON input is not of type string: 1
         INT64(JSON '10.0') => 10
         INT64(JSON '10.5') => ERROR: The provided JSON input is not of type integer: 10.5
         FLOAT64(JSON '9.8') => 9.8
         FLOAT64(JSON '9223372036854775807') => ERROR: JSON number: 9223372036854775807 cannot be converted to FLOAT64 without loss of precision
         FLOAT64(JSON '9223372036854775807', 'round') => 9.223372036854776e18
         BOOL(JSON 'true') => true
         LAX_BOOL(JSON '"TRUE"') => true
         LAX_BOOL(JSON '0') => false
         LAX_INT64(JSON '"10"') => 10
         LAX_INT64(JSON '1.5') => 2
         LAX_INT64(JSON '[]') => NULL
         LAX_FLOAT64(JSON '"1e3"') => 1000.0
         LAX_STRING(JSON '1.50') => 1.50"#,
    );
}

#[test]
fn a_struct_converts_to_a_json_object() {
    let of = Type::Struct(vec![
        Field::new("b", Type::Timestamp),
        Field::new("a", Type::Array(Box::new(Type::Integer))),
    ]);
    let value = Expression::new("'{\"b\":0,\"a\":[1]}'", of);
    let call = scalar("to_json_string", &[Argument::Value(value)]).unwrap().unwrap();
    let shown = Evaluator::new().show_expression(&call);
    assert_eq!(shown, r#"{"b":"1970-01-01T00:00:00Z","a":[1]}"#);
}
