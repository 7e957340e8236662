use super::check_table;
use super::evaluator::Evaluator;

use warehouse::sql::Expression;
use warehouse::sql::functions::cast;
use warehouse::{Field, Type};

#[test]
fn numeric_functions_return_the_documented_values() {
    check_table(
        "ABS(-5) => 5
         ABS(-5.5) => 5.5
         ABS(-9223372036854775808) => ERROR: int64 overflow in ABS
         SIGN(-5) => -1
         SIGN(-0.0) => 0.0
         ROUND(2.5) => 3.0
         ROUND(-2.5) => -3.0
         ROUND(2.345, 2) => 2.35
         ROUND(1234, -2) => 1200.0
         ROUND(1.5, 400) => 1.5
         ROUND(1.5, -400) => 0.0
         TRUNC(-2.9) => -2.0
         TRUNC(2.349, 2) => 2.34
         CEIL(2.1) => 3.0
         CEILING(-2.1) => -2.0
         FLOOR(-2.1) => -3.0
         FLOOR(5) => 5.0
         MOD(25, 12) => 1
         MOD(-25, 12) => -1
         MOD(-9223372036854775808, -1) => 0
         MOD(1, 0) => ERROR: division by zero: MOD(1, 0)
         DIV(20, 3) => 6
         DIV(-20, 3) => -6
         DIV(-9223372036854775808, -1) => ERROR: int64 overflow in DIV
         SAFE.DIV(1, 0) => NULL
         POW(2, 3) => 8.0
         POWER(2.0, -1.0) => 0.5
         POW(-1.0, 0.5) => ERROR: Floating point error in function: POW
         POW(10.0, 400.0) => ERROR: Floating point error in function: POW
         SQRT(16) => 4.0
         SQRT(-1.0) => ERROR: Floating point error in function: SQRT
         SAFE.SQRT(-1.0) => NULL
         CBRT(27.0) => 3.0
         EXP(0) => 1.0
         EXP(1000) => ERROR: Floating point error in function: EXP
         LN(1) => 0.0
         LN(0) => ERROR: Floating point error in function: LN
         LOG(8, 2) => 3.0
         LOG(8, 1) => ERROR: Floating point error in function: LOG
         LOG10(1000) => 3.0
         SIN(0) => 0.0
         COS(0) => 1.0
         ACOS(2) => ERROR: Floating point error in function: ACOS
         ATAN2(0, 1) => 0.0
         GREATEST(3, 5, 1) => 5
         GREATEST(3, 5.5) => 5.5
         GREATEST('b', 'a') => b
         GREATEST(DATE '2026-01-01', '2026-02-01') => 2026-02-01
         GREATEST(1, NULL) => NULL
         LEAST(3, 5, 1) => 1
         LEAST('z') => z
         LEAST(TIMESTAMP '1970-01-02Z', TIMESTAMP '1970-01-01Z') => 1970-01-01 00:00:00+00
         SAFE_DIVIDE(1, 4) => 0.25
         SAFE_DIVIDE(1, 0) => NULL
         SAFE_DIVIDE(NULL, 1) => NULL
         SAFE_ADD(9223372036854775807, 1) => NULL
         SAFE_ADD(5, 4) => 9
         SAFE_SUBTRACT(5.5, 4) => 1.5
         SAFE_MULTIPLY(9223372036854775807, 2) => NULL
         SAFE_MULTIPLY(1e200, 1e200) => NULL
         SAFE_NEGATE(-9223372036854775808) => NULL
         SAFE_NEGATE(1.5) => -1.5
         IEEE_DIVIDE(1, 0) => inf
         IEEE_DIVIDE(0, 0) => NaN
         IS_INF(IEEE_DIVIDE(-1, 0)) => true
         IS_NAN(1) => false
         BIT_COUNT(-1) => 64
         BIT_COUNT(x'ff01') => 9
         RANGE_BUCKET(20, [0, 10, 20, 30]) => 3
         RANGE_BUCKET(-1, [0, 10]) => 0
         RANGE_BUCKET('b', ['a', 'c']) => 1
         RANGE_BUCKET(1.5, [0.5, 2.5]) => 1
         RANGE_BUCKET(1, [2, 1]) => ERROR: Elements in input array to RANGE_BUCKET must be in ascending order",
    );
    let evaluator = Evaluator::new();
    for _ in 0..100 {
        let random: f64 = evaluator.show("RAND()").parse().unwrap();
        assert!((0.0..1.0).contains(&random), "{random}");
    }
    assert_ne!(evaluator.show("RAND()"), evaluator.show("RAND()"));
    assert_ne!(evaluator.show("GENERATE_UUID()"), evaluator.show("GENERATE_UUID()"));
}

#[test]
fn array_functions_return_the_documented_values() {
    check_table(
        "ARRAY_LENGTH([1, 2, NULL]) => 3
         ARRAY_LENGTH([]) => 0
         ARRAY_LENGTH(NULL) => NULL
         ARRAY_CONCAT([1, 2], [3]) => [1,2,3]
         ARRAY_CONCAT(['a']) => [\"a\"]
         ARRAY_CONCAT([1], ['a']) => ERROR: No matching signature for function ARRAY_CONCAT for argument types: ARRAY<INT64>, ARRAY<STRING>. Supported: ARRAY_CONCAT(ARRAY<T>[, ...])
         ARRAY_REVERSE([1, 2, 3]) => [3,2,1]
         ARRAY_FIRST(['a', 'b']) => a
         ARRAY_LAST([TRUE, FALSE]) => false
         ARRAY_LAST([1.5, 2.0]) => 2.0
         ARRAY_FIRST([TIMESTAMP '1970-01-02Z']) => 1970-01-02 00:00:00+00
         ARRAY_FIRST([]) => ERROR: an empty array has no first or last element
         SAFE.ARRAY_FIRST([]) => NULL
         ARRAY_INCLUDES([1.5, 2.0], 2) => true
         ARRAY_INCLUDES(['a'], 'b') => false
         ARRAY_IS_DISTINCT([1, 2, 1]) => false
         ARRAY_IS_DISTINCT(['1', '2']) => true
         ARRAY_SLICE(['a', 'b', 'c', 'd'], 1, 2) => [\"b\",\"c\"]
         ARRAY_SLICE(['a', 'b', 'c', 'd'], -3, -1) => [\"b\",\"c\",\"d\"]
         ARRAY_SLICE(['a', 'b'], 1, 0) => []
         ARRAY_SLICE(['a', 'b'], 0, 9) => [\"a\",\"b\"]
         ARRAY_SLICE(['a', 'b'], -9223372036854775808, 9223372036854775807) => [\"a\",\"b\"]
         GENERATE_ARRAY(1, 5) => [1,2,3,4,5]
         GENERATE_ARRAY(0, 10, 3) => [0,3,6,9]
         GENERATE_ARRAY(10, 0, -5) => [10,5,0]
         GENERATE_ARRAY(4, 1) => []
         GENERATE_ARRAY(0, 1, 0.25) => [0.0,0.25,0.5,0.75,1.0]
         GENERATE_ARRAY(1, 5, 0) => ERROR: Sequence step cannot be 0.
         GENERATE_ARRAY(-9223372036854775808, 9223372036854775807) => ERROR: the array must have at most 1048576 elements
         GENERATE_ARRAY(-9223372036854775808, 9223372036854775807, 9223372036854775807) => [-9223372036854775808,-1,9223372036854775806]
         GENERATE_ARRAY(9223372036854775806, 9223372036854775807) => [9223372036854775806,9223372036854775807]
         GENERATE_ARRAY(0, 1, 0.0000000001) => ERROR: the array must have at most 1048576 elements",
    );
}

#[test]
fn net_functions_parse_addresses() {
    check_table(
        "NET.HOST('http://user:secret@Example.com:8080/path?q#f') => Example.com
         NET.HOST('//a.b/c') => a.b
         NET.HOST('https://[::1]:80/x') => [::1]
         NET.HOST('  www.Example.Co.UK  ') => www.Example.Co.UK
         NET.HOST('mailto:?to=&subject=') => mailto
         NET.HOST('http://例子.卷筒纸.中国/?x=http://b') => 例子.卷筒纸.中国
         NET.HOST('') => NULL
         NET.IP_FROM_STRING('48.49.50.51') => x'30313233'
         NET.IP_FROM_STRING('::1') => x'00000000000000000000000000000001'
         NET.IP_FROM_STRING('1.2.3') => ERROR: Invalid IP address: 1.2.3
         NET.SAFE_IP_FROM_STRING('1.2.3') => NULL
         SAFE.NET.IP_FROM_STRING(CONCAT('1', '')) => NULL
         NET.IP_TO_STRING(x'30313233') => 48.49.50.51
         NET.IP_TO_STRING(x'01') => ERROR: an IP address must have 4 or 16 bytes, not 1
         NET.IP_TO_STRING(NET.IP_TRUNC(NET.IP_FROM_STRING('192.168.255.255'), 20)) => 192.168.240.0
         NET.IP_TRUNC(x'ffffffff', 33) => ERROR: the prefix length must be between 0 and 32
         NET.IP_NET_MASK(4, 12) => x'fff00000'
         NET.IP_NET_MASK(4, 0) => x'00000000'
         NET.IPV4_TO_INT64(x'ffffffff') => 4294967295
         NET.IPV4_FROM_INT64(-1) => x'ffffffff'
         NET.IPV4_FROM_INT64(1) => x'00000001'
         NET.IPV4_FROM_INT64(4294967296) => ERROR: 4294967296 is not a valid IPv4 address",
    );
}

#[test]
fn values_are_cast_between_types() {
    check_table(
        "CAST(1.0 AS STRING) => 1
         CAST(0.1 AS STRING) => 0.1
         CAST(-0.0 AS STRING) => 0
         CAST(1e20 AS STRING) => 1e+20
         CAST(1.5e-7 AS STRING) => 1.5e-07
         CAST(123456789012.5 AS STRING) => 123456789012.5
         CAST(0.30000000000000004 AS STRING) => 0.30000000000000004
         CAST(CAST('inf' AS FLOAT64) AS STRING) => inf
         CAST(CAST('-Infinity' AS FLOAT64) AS STRING) => -inf
         CAST(CAST(' +INF ' AS FLOAT64) AS STRING) => inf
         IS_INF(CAST('iNfInItY' AS FLOAT64)) => true
         CAST('infinit' AS FLOAT64) => ERROR: Bad double value: infinit
         CAST('nan' AS FLOAT64) => NaN
         CAST('-NaN' AS FLOAT64) => NaN
         SAFE_CAST(' NAN ' AS FLOAT64) => NaN
         CAST(CAST('nan' AS FLOAT64) AS STRING) => nan
         CAST('-inf' AS FLOAT64) => -inf
         CAST('+Infinity' AS FLOAT64) => inf
         CAST(CAST('nan' AS FLOAT64) AS INT64) => ERROR: Illegal conversion of non-finite or out of range floating point number to an integer: nan
         IS_NAN(CAST('nan' AS FLOAT64)) => true
         SQRT(CAST('nan' AS FLOAT64)) => NaN
         ROUND(CAST('nan' AS FLOAT64), 2) => NaN
         POW(CAST('nan' AS FLOAT64), 2.0) => NaN
         GREATEST(1.5, CAST('nan' AS FLOAT64)) => NaN
         FORMAT('%f', CAST('nan' AS FLOAT64)) => nan
         FORMAT('%T', CAST('nan' AS FLOAT64)) => CAST(\"nan\" AS FLOAT64)
         TO_JSON_STRING(CAST('-inf' AS FLOAT64)) => \"-Infinity\"
         IEEE_DIVIDE(0.0, 0.0) => NaN
         CAST(2.5 AS INT64) => 3
         CAST(-2.5 AS INT64) => -3
         CAST(9223372036854775807.0 AS INT64) => ERROR: Illegal conversion of non-finite or out of range floating point number to an integer: 9.223372036854776e+18
         SAFE_CAST(1e300 AS INT64) => NULL
         CAST(5 AS FLOAT64) => 5.0
         CAST(5 AS BOOL) => true
         CAST(5 AS STRING) => 5
         CAST(TRUE AS STRING) => true
         CAST(TRUE AS INT64) => 1
         CAST(1.5 AS BOOL) => ERROR: Invalid cast from FLOAT64 to BOOL
         CAST(5 AS DATE) => ERROR: Invalid cast from INT64 to DATE
         CAST('0x1F' AS INT64) => 31
         CAST(' -9223372036854775808 ' AS INT64) => -9223372036854775808
         CAST('1.5' AS INT64) => ERROR: Bad int64 value: 1.5
         CAST('--5' AS INT64) => ERROR: Bad int64 value: --5
         SAFE_CAST('x' AS INT64) => NULL
         CAST('1e3' AS FLOAT64) => 1000.0
         CAST('x' AS FLOAT64) => ERROR: Bad double value: x
         CAST('TRUE' AS BOOL) => true
         CAST('1' AS BOOL) => ERROR: Bad bool value: 1
         CAST('ż' AS BYTES) => x'c5bc'
         CAST(x'c5bc' AS STRING) => ż
         CAST(x'ff' AS STRING) => ERROR: Invalid cast of bytes to UTF8 string
         CAST('2026-1-5' AS DATE) => 2026-01-05
         CAST('2026-02-30' AS DATE) => ERROR: Invalid date: '2026-02-30'
         CAST('0000-01-01' AS DATE) => ERROR: Invalid date: '0000-01-01'
         CAST('7:5:9.10' AS TIME) => 07:05:09.1
         CAST('2026-11-21 7:05' AS DATETIME) => 2026-11-21T07:05:00
         CAST('2026-11-21 7:05+01' AS DATETIME) => ERROR: a DATETIME cannot have a time zone
         CAST('2026-11-21 07:05:00-08:00' AS TIMESTAMP) => 2026-11-21 15:05:00+00
         SAFE_CAST('0001-01-01 00:00:00+01' AS TIMESTAMP) => NULL
         CAST(TIMESTAMP '2026-11-21 07:05:00.5Z' AS STRING) => 2026-11-21 07:05:00.500+00
         CAST(TIMESTAMP '2026-11-21 07:05:00Z' AS DATE) => 2026-11-21
         CAST(TIMESTAMP '2026-11-21 07:05:00Z' AS TIME) => 07:05:00
         CAST(TIMESTAMP '2026-11-21 07:05:00Z' AS DATETIME) => 2026-11-21T07:05:00
         CAST(DATE '2026-11-21' AS TIMESTAMP) => 2026-11-21 00:00:00+00
         CAST(DATE '2026-11-21' AS DATETIME) => 2026-11-21T00:00:00
         CAST(DATE '2026-11-21' AS STRING) => 2026-11-21
         CAST(DATETIME '2026-11-21 07:05:00' AS STRING) => 2026-11-21 07:05:00
         CAST(DATETIME '2026-11-21 07:05:00' AS TIMESTAMP) => 2026-11-21 07:05:00+00
         CAST(TIME '07:05:00.25' AS STRING) => 07:05:00.250
         CAST(NULL AS INT64) => NULL",
    );
}

#[test]
fn nested_values_are_cast_recursively() {
    let evaluator = Evaluator::new();
    let from = Type::Struct(vec![
        Field::new("x", Type::Integer),
        Field::new("y", Type::Array(Box::new(Type::String))),
    ]);
    let to = Type::Struct(vec![
        Field::new("a", Type::String),
        Field::new("b", Type::Array(Box::new(Type::Date))),
    ]);
    let value = Expression::new(r#"'{"x":5,"y":["2026-1-5","no"]}'"#, from);
    let strict = cast(&value, &to, false).unwrap();
    assert_eq!(evaluator.show_expression(&strict), "ERROR: Invalid date: 'no'");
    let safe = cast(&value, &to, true).unwrap();
    assert_eq!(evaluator.show_expression(&safe), r#"{"a":"5","b":["2026-01-05",null]}"#);
    let shorter = Type::Struct(vec![Field::new("a", Type::String)]);
    assert!(cast(&value, &shorter, false).is_err());
}
