//! Tests of edits to JSON front matter, compared byte for byte.

use serde_json::json;

use crate::edits::{check, remove, set};

#[test]
fn changing_a_scalar_changes_one_line() {
    let cases = [
        (
            "{\n  \"a\": 1,\n  \"title\" : \"x\",\n  \"b\": 2\n}",
            set("title", json!("y")),
            "{\n  \"a\": 1,\n  \"title\" : \"y\",\n  \"b\": 2\n}",
        ),
        (
            "{\"a\":1,\"title\":\"x\"}",
            set("title", json!("a\"b\\\n")),
            "{\"a\":1,\"title\":\"a\\\"b\\\\\\n\"}",
        ),
        ("{ \"n\": 1.50 }", set("n", json!(1.5)), "{ \"n\": 1.50 }"),
        ("{ \"n\": 1e2 }", set("n", json!(100)), "{ \"n\": 1e2 }"),
        ("{ \"t\": \"\\u00fc\" }", set("t", json!("ü")), "{ \"t\": \"\\u00fc\" }"),
        ("{ \"n\": 1 }", set("n", json!(true)), "{ \"n\": true }"),
        ("{ \"n\": null }", set("n", json!("x")), "{ \"n\": \"x\" }"),
        (
            "{\n  \"seo\": {\n    \"t\": 1\n  }\n}",
            set("seo.t", json!(2)),
            "{\n  \"seo\": {\n    \"t\": 2\n  }\n}",
        ),
        ("{\n  \"n\": 1\n}", set("n", json!(["a", "b"])), "{\n  \"n\": [\"a\", \"b\"]\n}"),
        (
            "{\n\t\"n\": 1\n}",
            set("n", json!({"a": [{"b": 1}]})),
            "{\n\t\"n\": {\n\t\t\"a\": [\n\t\t\t{\n\t\t\t\t\"b\": 1\n\t\t\t}\n\t\t]\n\t}\n}",
        ),
        ("{\"n\":1}", set("n", json!({"a": ["b", "c"]})), "{\"n\":{\"a\":[\"b\",\"c\"]}}"),
    ];
    check("", &owned_cases(&cases));
}

#[test]
fn new_keys_are_appended_to_their_object() {
    let cases = [
        ("{}", set("a", json!(1)), "{\"a\": 1}"),
        ("{\"a\":1}", set("b", json!("x")), "{\"a\":1,\"b\":\"x\"}"),
        ("{\"a\": 1}", set("b", json!("x")), "{\"a\": 1, \"b\": \"x\"}"),
        ("{ \"a\": 1 }", set("b", json!("x")), "{ \"a\": 1, \"b\": \"x\" }"),
        ("{\n  \"a\": 1\n}", set("b", json!("x")), "{\n  \"a\": 1,\n  \"b\": \"x\"\n}"),
        ("{\n    \"a\" : 1 }", set("b", json!("x")), "{\n    \"a\" : 1,\n    \"b\" : \"x\" }"),
        (
            "{\n  \"a\": 1\n}",
            set("seo.t", json!(1)),
            "{\n  \"a\": 1,\n  \"seo\": {\n    \"t\": 1\n  }\n}",
        ),
        ("{\n  \"seo\": {}\n}", set("seo.t", json!(1)), "{\n  \"seo\": {\n    \"t\": 1\n  }\n}"),
        (
            "{\n  \"seo\": { \"t\": 1 }\n}",
            set("seo.u", json!(2)),
            "{\n  \"seo\": { \"t\": 1, \"u\": 2 }\n}",
        ),
        (
            "{\n  \"seo\": {\n    \"t\": 1\n  }\n}",
            set("seo.u", json!(2)),
            "{\n  \"seo\": {\n    \"t\": 1,\n    \"u\": 2\n  }\n}",
        ),
    ];
    check("", &owned_cases(&cases));
}

#[test]
fn removing_a_key_keeps_everything_else() {
    let cases = [
        (
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}",
            remove("b"),
            "{\n  \"a\": 1,\n  \"c\": 3\n}",
        ),
        ("{\n  \"a\": 1,\n\n  \"b\": 2\n}", remove("a"), "{\n\n  \"b\": 2\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", remove("b"), "{\n  \"a\": 1\n}"),
        ("{\n  \"a\": 1\n}", remove("a"), "{\n}"),
        ("{\"a\":1}", remove("a"), "{}"),
        ("{\"a\":1,\"b\":2}", remove("a"), "{\"b\":2}"),
        ("{\"a\":1,\"b\":2}", remove("b"), "{\"a\":1}"),
        ("{\"a\": 1, \"b\": 2, \"c\": 3}", remove("b"), "{\"a\": 1, \"c\": 3}"),
        ("{\"a\":1}", remove("z"), "{\"a\":1}"),
        ("{\"a\":1,\"seo\":{\"t\":1}}", remove("seo.t"), "{\"a\":1}"),
    ];
    check("", &owned_cases(&cases));
}

#[test]
fn list_edits_change_only_differing_items() {
    let cases = [
        ("{\"t\":[\"a\",\"b\"]}", set("t", json!(["a", "b", "c"])), "{\"t\":[\"a\",\"b\",\"c\"]}"),
        ("{\"t\":[\"a\"]}", set("t", json!(["a", "b", "c"])), "{\"t\":[\"a\",\"b\",\"c\"]}"),
        ("{\"t\": [\"a\", \"b\"]}", set("t", json!(["b"])), "{\"t\": [\"b\"]}"),
        ("{\"t\": []}", set("t", json!(["b"])), "{\"t\": [\"b\"]}"),
        (
            "{\n  \"t\": [\n    \"a\",\n    \"b\"\n  ]\n}",
            set("t", json!(["a", "b", "c"])),
            "{\n  \"t\": [\n    \"a\",\n    \"b\",\n    \"c\"\n  ]\n}",
        ),
        (
            "{\n  \"t\": [\n    \"a\",\n    \"b\"\n  ]\n}",
            set("t", json!(["c", "a", "b"])),
            "{\n  \"t\": [\n    \"c\",\n    \"a\",\n    \"b\"\n  ]\n}",
        ),
        (
            "{\n  \"t\": [\n    \"a\",\n    \"b\",\n    \"c\"\n  ]\n}",
            set("t", json!(["a"])),
            "{\n  \"t\": [\n    \"a\"\n  ]\n}",
        ),
        (
            "{\n  \"c\": [\n    { \"s\": 0, \"t\": \"a\" },\n    { \"s\": 1, \"t\": \"b\" }\n  ]\n}",
            set("c", json!([{"s": 0, "t": "a"}, {"s": 1, "t": "B"}])),
            "{\n  \"c\": [\n    { \"s\": 0, \"t\": \"a\" },\n    { \"s\": 1, \"t\": \"B\" }\n  ]\n}",
        ),
    ];
    check("", &owned_cases(&cases));
}

fn owned_cases(cases: &[crate::edits::Case]) -> Vec<crate::edits::Case> {
    cases.to_vec()
}
