//! Properties of any template with any data.

use mustache::{Partials, Template, escape_into};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Generates text from fragments of templates, so that tags, broken tags and standalone lines are
/// common.
pub(super) fn template_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "{{", "}}", "{{{", "}}}", "{", "}", "#", "^", "/", "!", ">", "=", "&", ".", "a", "b", "l", "p", "q",
            " ", "\t", "\n", "\r\n", "\r", "|", "<%", "%>", "length", "0", "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}",
            "{{#l}}", "{{/l}}", "{{>p}}", "{{> q}}", "{{.}}", "{{=| |=}}", "|={{ }}=|", "é",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

pub(super) fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ablpq]|length", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn unescape(text: &str) -> String {
    // `&amp;` must be last, because the `&` that replaces it could form another reference.
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x2F;", "/"),
        ("&#x60;", "`"),
        ("&#x3D;", "="),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn any_template_and_data_render_without_a_panic(
        source in template_like(),
        partial in template_like(),
        context in prop::collection::vec(json_value(), 0..3),
    ) {
        let partials: Partials = [("p", &partial), ("q", &source)]
            .into_iter()
            .filter_map(|(name, source)| Some((name, Template::parse(source.as_str()).ok()?)))
            .collect();
        match Template::parse(source.as_str()) {
            Ok(template) => {
                let context: Vec<&Value> = context.iter().collect();
                let _ = template.render(&context, &partials, &mut String::new());
            }
            Err(error) => {
                let line = source.lines().nth(error.line() - 1).unwrap();
                prop_assert_eq!(line, error.source_line());
                prop_assert!(error.column() <= line.chars().count() + 1);
                let _ = format!("{error:#}");
            }
        }
    }

    #[test]
    fn arbitrary_text_does_not_panic(source in any::<String>()) {
        if let Ok(template) = Template::parse(source) {
            let _ = template.render(&[&json!({})], &Partials::new(), &mut String::new());
        }
    }

    #[test]
    fn text_without_tags_is_unchanged(source in "([^{]|\\{[^{]){0,200}", tail in "\\{?") {
        let source = source + &tail;
        let mut out = String::new();
        Template::parse(source.as_str())
            .unwrap()
            .render(&[], &Partials::new(), &mut out)
            .unwrap();
        prop_assert_eq!(out, source);
    }

    #[test]
    fn text_without_tags_is_indented_line_by_line(source in "[ a\n\r]{0,40}") {
        let partials: Partials = [("p", Template::parse(source.as_str()).unwrap())].into_iter().collect();
        let mut out = String::new();
        Template::parse("  {{>p}}\n").unwrap().render(&[], &partials, &mut out).unwrap();
        let expected: String = source
            .split_inclusive('\n')
            .map(|line| match line {
                "\n" | "\r\n" => line.to_owned(),
                _ => format!("  {line}"),
            })
            .collect();
        prop_assert_eq!(out, expected);
    }

    #[test]
    fn escaping_can_be_undone(text in any::<String>(), dense in "[&<>\"'/`=;a#x0-9]{0,60}") {
        for text in [text, dense] {
            let mut escaped = String::new();
            escape_into(&text, &mut escaped);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'', '/', '`', '=']));
            prop_assert_eq!(unescape(&escaped), text);
        }
    }

    #[test]
    fn escaped_and_unescaped_output_agree(value in json_value()) {
        let print = |template: &str| {
            let mut out = String::new();
            Template::parse(template).unwrap().render(&[&value], &Partials::new(), &mut out).unwrap();
            out
        };
        prop_assert_eq!(unescape(&print("{{.}}")), print("{{{.}}}"));
        prop_assert_eq!(print("{{&.}}"), print("{{{.}}}"));
    }

    #[test]
    fn exactly_one_of_a_section_and_its_inversion_renders(value in json_value()) {
        let data = json!({ "v": value });
        let mut out = String::new();
        Template::parse("{{#v}}+{{/v}}{{^v}}-{{/v}}")
            .unwrap()
            .render(&[&data], &Partials::new(), &mut out)
            .unwrap();
        let times = data["v"].as_array().map_or(1, Vec::len);
        prop_assert!(out == "-" || out == "+".repeat(times), "{}", out);
    }
}
