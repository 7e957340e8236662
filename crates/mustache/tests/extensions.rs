//! Tests of behaviour that extends the specification, or that the specification leaves open.

use mustache::{Partials, escape_into};
use serde_json::json;

use super::{case, check, parse, partials, print, print_with};

#[test]
fn lists_have_indexes_and_a_length() {
    const DATA: &str = r#"{
        "items": [{"title": "first"}, {"title": "second", "tags": ["x", "y"]}],
        "none": [], "named": {"length": "its own", "0": "zero"}, "plain": {}, "text": "four"
    }"#;
    check(&[
        case("an index", "{{items.0.title}} {{items.1.title}}", DATA, "first second"),
        case("an index at the end", "{{items.1.tags.1}}", DATA, "y"),
        case("past the end", "[{{items.2.title}}{{items.99999999999999999999.title}}]", DATA, "[]"),
        case(
            "a section of an index",
            "{{#items.1}}{{title}}{{/items.1}}{{^items.2}}!{{/items.2}}",
            DATA,
            "second!",
        ),
        case(
            "digits that are no index",
            "[{{items.00.title}}{{items.-1.title}}{{items.+1.title}}]",
            DATA,
            "[]",
        ),
        case(
            "a length",
            "{{items.length}} {{{items.1.tags.length}}} {{&none.length}}",
            DATA,
            "2 2 0",
        ),
        case(
            "a section of a length",
            "{{#items.length}}{{.}} of {{items.length}}{{/items.length}}",
            DATA,
            "2 of 2",
        ),
        case(
            "which is false when empty",
            "{{#none.length}}x{{/none.length}}{{^none.length}}y{{/none.length}}",
            DATA,
            "y",
        ),
        case("of a missing list", "[{{no.length}}]{{^no.length}}y{{/no.length}}", DATA, "[]y"),
        case("an object's own keys", "{{named.length}} {{named.0}}", DATA, "its own zero"),
        case("an object without them", "[{{plain.length}}{{plain.0}}]", DATA, "[]"),
        case("a text has a length, and no indexes", "[{{text.length}}{{text.0}}]", DATA, "[4]"),
        case(
            "a section of a text's length",
            "{{#text.length}}{{.}}{{/text.length}}{{#named.length.length}}{{.}}{{/named.length.length}}",
            DATA,
            "47",
        ),
        case(
            "an empty text's length is false",
            "{{#t.length}}x{{/t.length}}{{^t.length}}y{{/t.length}}",
            r#"{"t": ""}"#,
            "y",
        ),
        case(
            "a text is as long as JavaScript says",
            "{{a.length}} {{b.length}} {{c.length}}",
            r#"{"a": "日本", "b": "🚢", "c": "e\u0301"}"#,
            "2 2 2",
        ),
        case(
            "a text that is the context has none", "{{#tags}}[{{length}}]{{/tags}}",
            r#"{"tags": ["one", "two"]}"#, "[][]",
        ),
        case("the length of a length", "[{{items.length.length}}]", DATA, "[]"),
        case("of the context itself", "{{length}} {{0}}", r#"["a","b"]"#, "2 a"),
        case(
            "of a list in a list", "{{#.}}{{0}}/{{length}} {{/.}}", r#"[["a"],["b","c"]]"#,
            "a/1 b/2 ",
        ),
    ]);
}

#[test]
fn false_values_render_inverted_sections() {
    for value in
        [json!(false), json!(null), json!(0), json!(0.0), json!(-0.0), json!(""), json!([])]
    {
        let data = json!({ "v": value });
        assert_eq!(print("{{#v}}yes{{/v}}{{^v}}no{{/v}}", &data), "no", "{value}");
    }
    assert_eq!(print("{{#v}}yes{{/v}}{{^v}}no{{/v}}", &json!({})), "no");
}

#[test]
fn true_values_render_once_as_their_own_context() {
    for (value, prints) in [
        (json!(true), "true"),
        (json!(1), "1"),
        (json!(-0.5), "-0.5"),
        (json!("0"), "0"),
        (json!(" "), " "),
        (json!({}), "{}"),
        (json!([0]), "0"),
    ] {
        let data = json!({ "v": value });
        assert_eq!(print("{{#v}}{{.}}{{/v}}{{^v}}no{{/v}}", &data), prints);
    }
}

#[test]
fn numbers_print_in_decimal() {
    for (json, prints) in [
        ("60.0", "60"),
        ("-60.0", "-60"),
        ("1.50", "1.5"),
        ("0.1", "0.1"),
        ("-0.0", "0"),
        ("0", "0"),
        ("1e3", "1000"),
        ("1e21", "1000000000000000000000"),
        ("1.5e-7", "0.00000015"),
        ("9007199254740993", "9007199254740993"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
    ] {
        let value = serde_json::from_str(json).unwrap();
        assert_eq!(print("{{.}}", &value), prints, "{json}");
        assert_eq!(print("{{{.}}}", &value), prints, "{json}");
    }
}

#[test]
fn lists_and_objects_print_as_json() {
    let data = json!({ "v": [1, "a/b", { "c": null }] });
    assert_eq!(print("{{{v}}}", &data), r#"[1,"a/b",{"c":null}]"#);
    assert_eq!(print("{{v}}", &data), "[1,&quot;a&#x2F;b&quot;,{&quot;c&quot;:null}]");
}

#[test]
fn booleans_print_as_words() {
    assert_eq!(print("{{a}} {{b}}", &json!({ "a": true, "b": false })), "true false");
}

#[test]
fn eight_characters_are_escaped() {
    let data = json!({ "v": "&<>\"'/`=" });
    let escaped = "&amp;&lt;&gt;&quot;&#39;&#x2F;&#x60;&#x3D;";
    assert_eq!(print("{{v}}", &data), escaped);
    assert_eq!(print("{{{v}}}{{&v}}", &data), "&<>\"'/`=&<>\"'/`=");

    let mut out = String::from("<kept>");
    escape_into("é<ü&\u{1f399}", &mut out);
    assert_eq!(out, "<kept>é&lt;ü&amp;\u{1f399}");
}

#[test]
fn characters_are_escaped_at_every_position() {
    let clean = "x".repeat(100);
    for character in ["&", "<", ">", "\"", "'", "/", "`", "="] {
        let mut reference = String::new();
        escape_into(character, &mut reference);
        for at in 0..=clean.len() {
            let (before, after) = clean.split_at(at);
            let mut out = String::new();
            escape_into(&[before, character, after].concat(), &mut out);
            assert_eq!(out, [before, &reference, after].concat());
        }
    }
}

#[test]
fn the_context_is_a_stack_without_copies() {
    let site = json!({ "title": "Site", "base": "/", "theme": { "color": "red" } });
    let page = json!({ "title": "Page", "theme": { "font": "serif" } });
    let printed = print_with(
        "{{title}} {{&base}} {{theme.font}} [{{theme.color}}] {{#.}}{{title}}{{/.}}",
        &[&site, &page],
        &Partials::new(),
    );
    assert_eq!(printed.unwrap(), "Page / serif [] Page");
    let printed = print_with("[{{.}}{{a}}{{#.}}x{{/.}}]", &[], &Partials::new());
    assert_eq!(printed.unwrap(), "[]");
}

#[test]
fn output_is_appended() {
    let mut out = String::from("before ");
    let template = parse("{{a}}");
    for _ in 0..2 {
        template.render(&[&json!({ "a": "<" })], &Partials::new(), &mut out).unwrap();
    }
    assert_eq!(out, "before &lt;&lt;");
}

#[test]
fn a_key_can_be_renamed() {
    let source =
        "{{_old.x}} {{#items}}{{_old.x}}{{a._old}}{{_older}}{{/items}}{{^_old}}!{{/_old}}{{>_old}}";
    let data = json!({
        "_new": { "x": 1 },
        "items": [{ "_new": { "x": 2 }, "a": { "_new": 3 }, "_older": 4 }],
    });
    let mut included = partials(&[("_old", " partial {{_old.x}}")]);
    included.rename_key("_old", "_new");
    let mut template = parse(source);
    template.rename_key("_old", "_new");

    let mut out = String::new();
    template.render(&[&data], &included, &mut out).unwrap();
    assert_eq!(out, "1 234 partial 1");

    template.rename_key("_new", "_old");
    out.clear();
    template.render(&[&data], &included, &mut out).unwrap();
    assert_eq!(out, " 4! partial 1");
}

#[test]
fn a_key_can_be_renamed_to_an_index() {
    let mut template = parse("{{l.first}}");
    template.rename_key("first", "0");
    let mut out = String::new();
    let data = json!({ "l": ["a"] });
    template.render(&[&data], &Partials::new(), &mut out).unwrap();
    assert_eq!(out, "a");
}

#[test]
fn partial_names_have_positions() {
    let template = parse("{{> a/b}}\né {{>c}}\n{{#x}}\n  {{> c }}{{/x}}{{=| |=}}|>d|");
    let names: Vec<_> =
        template.partial_names().map(|tag| (tag.name, tag.line, tag.column)).collect();
    assert_eq!(names, [("a/b", 1, 1), ("c", 2, 3), ("c", 4, 3), ("d", 4, 26)]);
    assert_eq!(parse("{{x}}").partial_names().count(), 0);
}

#[test]
fn partials_are_a_sorted_map() {
    let mut set = partials(&[("b", "1"), ("a", "2")]);
    assert_eq!(set.insert("b", parse("3")).unwrap().source(), "1");
    let sources: Vec<_> = set.iter().map(|(name, t)| (name, t.source())).collect();
    assert_eq!(sources, [("a", "2"), ("b", "3")]);
    assert!(set.get("c").is_none());
}
