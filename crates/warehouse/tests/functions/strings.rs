use super::check_table;
use super::evaluator::{Evaluator, text};

use warehouse::sql::functions::scalar;
use warehouse::sql::{Argument, Expression};
use warehouse::{Field, Type};

#[test]
fn characters_are_counted_and_converted() {
    check_table(
        "LENGTH('żółw') => 4
         LENGTH('a\\0b') => 3
         LENGTH(b'żółw') => 7
         CHAR_LENGTH('') => 0
         BYTE_LENGTH('żółw') => 7
         OCTET_LENGTH(b'ab') => 2
         LOWER('ŻÓŁW') => żółw
         UPPER('straße') => STRASSE
         UPPER(NULL) => NULL
         INITCAP('hello WORLD-everyone!') => Hello World-Everyone!
         INITCAP('apples1oranges', '1') => Apples1Oranges
         REVERSE('żab') => baż
         REVERSE(x'0102') => x'0201'
         TRANSLATE('This is a cookie', 'sco', 'zku') => Thiz iz a kuukie
         TRANSLATE('abc', 'ab', 'x') => xc
         TRANSLATE('abc', 'aa', 'xy') => ERROR: Duplicate character 'a' in TRANSLATE source characters
         ASCII('a') => 97
         ASCII('') => 0
         ASCII('ż') => ERROR: Invalid argument to ASCII: 'ż' is not ASCII
         UNICODE('ż') => 380
         UNICODE('') => 0
         CHR(380) => ż
         CHR(0) =>
         CHR(55296) => ERROR: Invalid codepoint 55296
         CHR(-1) => ERROR: Invalid codepoint -1
         CODE_POINTS_TO_STRING([65, 255, 513, 1024]) => AÿȁЀ
         CODE_POINTS_TO_STRING([65, NULL]) => NULL
         CODE_POINTS_TO_BYTES([65, 255]) => x'41ff'
         TO_CODE_POINTS('aż') => [97,380]
         TO_CODE_POINTS(x'ff00') => [255,0]
         NORMALIZE('e\u{301}') => é
         LENGTH(NORMALIZE('é', 'NFD')) => 2
         NORMALIZE('é', 'NFX') => ERROR: Invalid normalize mode NFX: use NFC, NFD, NFKC or NFKD
         NORMALIZE_AND_CASEFOLD('ÉA') => éa
         SOUNDEX('Ashcraft') => A261
         SOUNDEX('Robert') => R163
         SOUNDEX('Tymczak') => T522
         SOUNDEX('') =>",
    );
}

#[test]
fn strings_are_trimmed_and_padded() {
    check_table(
        "TRIM('  a b  ') => a b
         TRIM('***apple***', '*') => apple
         LTRIM('xyxapple', 'xy') => apple
         RTRIM('appleżż', 'ż') => apple
         SUBSTR('apple', 2) => pple
         SUBSTR('apple', 2, 2) => pp
         SUBSTR('apple', -2) => le
         SUBSTR('apple', -20, 2) => ap
         SUBSTR('apple', 0, 2) => ap
         SUBSTRING('żółw', 2, 2) => ół
         SUBSTR('apple', 2, -1) => ERROR: Third argument in SUBSTR() cannot be negative
         SUBSTR('apple', 9223372036854775807, 9223372036854775807) =>
         SUBSTR('apple', -9223372036854775808) => apple
         SUBSTR(x'010203', -2, 1) => x'02'
         LEFT('banana', 3) => ban
         LEFT('ż', -1) => ERROR: -1 is invalid: must be at least 0
         RIGHT('żółw', 2) => łw
         RIGHT(x'0102', 5) => x'0102'
         LPAD('abc', 5) =>   abc
         LPAD('abc', 8, 'def') => defdeabc
         LPAD('abc', 2) => ab
         RPAD('żab', 5, '-') => żab--
         RPAD('abc', 5, '') => ERROR: The padding pattern cannot be empty
         LPAD('abc', 999999999999) => ERROR: the result must be at most 16777216 bytes
         REPEAT('abc', 3) => abcabcabc
         REPEAT('abc', -1) => ERROR: -1 is invalid: must be at least 0
         REPEAT('abc', 9999999999) => ERROR: the result must be at most 16777216 bytes
         REPEAT('', 9223372036854775807) =>
         REPLACE('cherry pie', 'pie', 'cobbler') => cherry cobbler
         REPLACE('abc', '', 'x') => abc
         CONCAT('a', 'ż') => aż
         CONCAT('a', NULL) => NULL
         CONCAT(x'01', x'02') => x'0102'
         SPLIT('b c  d', ' ') => [\"b\",\"c\",\"\",\"d\"]
         SPLIT('a,b') => [\"a\",\"b\"]
         SPLIT('żó', '') => [\"ż\",\"ó\"]
         SPLIT('') => [\"\"]
         ARRAY_TO_STRING(['a', NULL, 'b'], '-') => a-b
         ARRAY_TO_STRING(['a', NULL, 'b'], '-', '?') => a-?-b
         ARRAY_TO_STRING(SPLIT(REPEAT(',', 100000)), REPEAT('x', 1000)) => ERROR: the result must be at most 16777216 bytes
         REPLACE(REPEAT('a', 100000), 'a', REPEAT('x', 1000)) => ERROR: the result must be at most 16777216 bytes",
    );
}

#[test]
fn strings_are_searched() {
    check_table(
        "STARTS_WITH('bar', 'b') => true
         ENDS_WITH('bar', 'b') => false
         STARTS_WITH(x'0102', x'01') => true
         CONTAINS_SUBSTR('the Blue house', 'BLUE') => true
         CONTAINS_SUBSTR(['x', 'The Ⅸ'], 'ix') => true
         CONTAINS_SUBSTR(DATE '2026-11-21', '11-2') => true
         STRPOS('żab@example', '@') => 4
         STRPOS('foo', 'x') => 0
         INSTR('banana', 'an') => 2
         INSTR('banana', 'an', 3) => 4
         INSTR('banana', 'an', 1, 2) => 4
         INSTR('banana', 'ann') => 0
         INSTR('helloooo', 'oo', 1, 3) => 7
         INSTR('banana', 'an', -1) => 4
         INSTR('banana', 'an', -1, 2) => 2
         INSTR('banana', 'an', 0) => ERROR: INSTR: position cannot be 0
         INSTR('banana', 'an', 1, 0) => ERROR: INSTR: occurrence must be at least 1
         EDIT_DISTANCE('abcdef', 'xbcyf') => 3
         EDIT_DISTANCE('abcdef', 'xbcyf', 2) => 2
         EDIT_DISTANCE(REPEAT('a', 10000), REPEAT('b', 10000)) => ERROR: EDIT_DISTANCE: the strings are too long",
    );
}

#[test]
fn strings_are_formatted() {
    check_table(
        "FORMAT('%d', 10) => 10
         FORMAT('|%10d|%-6d|%06d|%+d|% d|', 11, 11, -42, 5, 5) => |        11|11    |-00042|+5| 5|
         FORMAT('%\\'d', -123456789) => -123,456,789
         FORMAT('%x %X %o %#x %i %u', 255, 255, 8, 255, 7, 9) => ff FF 10 0xff 7 9
         FORMAT('%s is %s', 'a', 'b') => a is b
         FORMAT('|%5s|%-5s|%.2s|', 'abc', 'abc', 'abc') => |  abc|abc  |ab|
         FORMAT('%f %.2f %8.1f %.0f', 1.5, 2.0, 3.14159, 2.5) => 1.500000 2.00      3.1 2
         FORMAT('%\\'.2f', 1234567.891) => 1,234,567.89
         FORMAT('%e %E %g %g %g %G', 12345.678, 0.00001, 0.00001, 100000.0, 1000000.0, 1e-10) => 1.234568e+04 1.000000E-05 1e-05 100000 1e+06 1E-10
         FORMAT('%f', 3) => 3.000000
         FORMAT('%*d|%.*f', 5, 42, 1, 2.55) =>    42|2.5
         FORMAT('%t %t %t %t', 1, 1.0, TRUE, 'x') => 1 1.0 true x
         FORMAT('%T %T %T', 'it\\'s', 1.5, DATE '2026-11-21') => \"it's\" 1.5 DATE \"2026-11-21\"
         FORMAT('%t %T', TIMESTAMP '2026-11-21 07:05:00Z', TIMESTAMP '2026-11-21 07:05:00Z') => 2026-11-21 07:05:00+00 TIMESTAMP \"2026-11-21 07:05:00+00\"
         FORMAT('%t %T', ['a', NULL], ['a', NULL]) => [a, NULL] [\"a\", NULL]
         FORMAT('%t %T', b'a\\0', x'ff22') => a\\x00 b\"\\xff\\\"\"
         FORMAT('%t|%T', NULL, NULL) => NULL|NULL
         FORMAT('%d', NULL) => NULL
         FORMAT('%p', JSON '{\"a\": 1}') => {\"a\":1}
         FORMAT('100%%') => 100%
         FORMAT('%d') => ERROR: FORMAT: too few arguments for the pattern
         FORMAT('x', 1) => ERROR: FORMAT: too many arguments for the pattern
         FORMAT('%d', 'x') => ERROR: FORMAT: %d does not support a value of type STRING
         FORMAT('%y', 1) => ERROR: Invalid FORMAT specifier at \"y\"
         FORMAT('%9999999999d', 1) => ERROR: the width and precision of FORMAT must be at most 65536
         FORMAT('%d', -9223372036854775808) => -9223372036854775808
         FORMAT('%5.1f|%-7.2e|', CAST('inf' AS FLOAT64), -0.0) =>   inf|-0.00e+00|",
    );
}

#[test]
fn bytes_are_encoded_and_hashed() {
    check_table(
        "TO_HEX(x'00ffab') => 00ffab
         FROM_HEX('0AF') => x'00af'
         FROM_HEX('zz') => ERROR: Failed to decode invalid hexadecimal string
         TO_BASE64(b'hello?') => aGVsbG8/
         FROM_BASE64('aGVsbG8/') => x'68656c6c6f3f'
         SAFE.FROM_BASE64('*') => NULL
         TO_BASE32(b'abcde\\n') => MFRGGZDFBI======
         TO_BASE32(b'') =>
         FROM_BASE32('MFRGGZDFBI======') => x'61626364650a'
         FROM_BASE32('M') => ERROR: Failed to decode invalid base32 string
         SAFE_CONVERT_BYTES_TO_STRING(x'61ff') => a\u{fffd}
         TO_HEX(SHA1('abc')) => a9993e364706816aba3e25717850c26c9cd0d89d
         TO_HEX(SHA256('abc')) => ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
         TO_HEX(SHA256(b'')) => e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
         LENGTH(SHA512('abc')) => 64
         LENGTH(GENERATE_UUID()) => 36
         ERROR('no such show') => ERROR: no such show
         SAFE.ERROR('x') => NULL",
    );
}

#[test]
fn regular_expressions_match_and_extract() {
    check_table(
        "REGEXP_CONTAINS('foo@example.com', '@[a-z]+\\\\.com$') => true
         REGEXP_EXTRACT('foo@example.com', '^[a-z]+') => foo
         REGEXP_EXTRACT('foo@example.com', '@(.+)\\\\.') => example
         REGEXP_EXTRACT('foo', 'x') => NULL
         REGEXP_EXTRACT('Hello Helloo and Hellooo', 'H?ello+', 1, 3) => Hellooo
         REGEXP_EXTRACT('Hello Helloo and Hellooo', 'H?ello+', 3) => Helloo
         REGEXP_EXTRACT('Hello', 'l', 20) => NULL
         REGEXP_EXTRACT('Hello', 'l', 0) => ERROR: Position must be positive
         REGEXP_EXTRACT('ab', '(a)(b)') => ERROR: Regular expressions passed into extraction functions must not have more than 1 capturing group
         REGEXP_SUBSTR('żab', 'a.') => ab
         REGEXP_EXTRACT('żó', '', 1, 3) =>
         REGEXP_EXTRACT_ALL('`a` and `b`', '`(.)`') => [\"a\",\"b\"]
         REGEXP_EXTRACT_ALL('x', 'y') => []
         REGEXP_REPLACE('# Heading', '^# ([a-zA-Z0-9\\\\s]+$)', '<h1>\\\\1</h1>') => <h1>Heading</h1>
         REGEXP_REPLACE('abc', 'b', '[\\\\0\\\\\\\\]') => a[b\\]c
         REGEXP_REPLACE('abc', '', '-') => -a-b-c-
         REGEXP_REPLACE('abc', 'b', '\\\\1') => ERROR: Invalid REGEXP_REPLACE pattern: the expression has no group 1
         REGEXP_REPLACE('abc', 'b', '\\\\x') => ERROR: Invalid REGEXP_REPLACE pattern: a backslash must be followed by a digit or a backslash
         REGEXP_INSTR('żab@cd-@e', '@[^-]*') => 4
         REGEXP_INSTR('ab@cd-ef@gh', '@[^-]*', 1, 2) => 9
         REGEXP_INSTR('ab@cd', '@(.)', 1, 1, 1) => 5
         REGEXP_INSTR('ab@cd', 'x') => 0
         SAFE.REGEXP_EXTRACT('a', NULL) => NULL",
    );
    let shown = Evaluator::new().show("REGEXP_CONTAINS('abc', '(')");
    assert!(shown.starts_with("ERROR: Cannot parse regular expression"), "{shown}");
    let huge = Evaluator::new().show("REGEXP_CONTAINS('abc', '(((x{1000}){1000}){1000})')");
    assert!(huge.contains("size limit"), "{huge}");
}

#[test]
fn a_struct_is_formatted() {
    let of = Type::Struct(vec![Field::new("a", Type::Timestamp), Field::new("b", Type::Boolean)]);
    let value = Expression::new("'{\"a\":0,\"b\":true}'", of);
    let arguments = [text("%t"), value].map(Argument::Value);
    let call = scalar("format", &arguments).unwrap().unwrap();
    assert_eq!(Evaluator::new().show_expression(&call), "(1970-01-01 00:00:00+00, true)");
}

/// The lengths are close to the lengths at which the algorithm changes. The expected values come
/// from the reference implementation.
#[test]
fn fingerprints_match_the_reference_implementation() {
    check_table(
        "FARM_FINGERPRINT('1footrue') => -1541654101129638711\n FARM_FINGERPRINT(b'hello') => -5436999610281751320",
    );
    let evaluator = Evaluator::new();
    for (length, wanted) in [
        (0, "-7286425919675154353"),
        (1, "-5528939962900187677"),
        (3, "2640714258260161385"),
        (4, "1897425971756105985"),
        (7, "4341691227789030229"),
        (8, "-78300442537744119"),
        (16, "6080716761534418621"),
        (17, "-7052348088954416216"),
        (32, "934449955909727258"),
        (33, "-820024252881666549"),
        (64, "3646545258579766308"),
        (65, "-5333980492208700917"),
        (127, "8659390928490630228"),
        (128, "2056131915184924913"),
        (129, "-4535743814792301098"),
        (200, "3225094344678046759"),
        (256, "2708267301285234186"),
    ] {
        let text = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(10);
        let call = format!("FARM_FINGERPRINT('{}')", &text[..length]);
        assert_eq!(evaluator.show(&call), wanted, "{length}");
    }
}
