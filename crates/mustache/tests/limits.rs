//! Tests of limits: rendering stops with an error if a template needs too much work.

use mustache::{MAX_PARTIAL_DEPTH, MAX_SECTION_DEPTH, MAX_STEPS, Partials, Template};
use serde_json::json;

use super::{parse, partials, print, print_with};

fn nested(depth: usize) -> String {
    "{{#a}}".repeat(depth) + "x" + &"{{/a}}".repeat(depth)
}

#[test]
fn sections_nest_up_to_a_limit() {
    let data = json!({ "a": true });
    assert_eq!(print(&nested(MAX_SECTION_DEPTH), &data), "x");
    for depth in [MAX_SECTION_DEPTH + 1, 10_000, 1_000_000] {
        let error = Template::parse(nested(depth)).unwrap_err();
        assert_eq!(error.column(), MAX_SECTION_DEPTH * "{{#a}}".len() + 1);
        assert_eq!(
            error.message(),
            "section `a` is nested more than 256 deep; move its content to a partial"
        );
    }
}

#[test]
fn a_recursive_partial_is_an_error() {
    let included = partials(&[("a", "{{> b/c}}"), ("b/c", "1\n é {{> a}}")]);
    let error = print_with("\n{{> a}}", &[&json!({})], &included).unwrap_err();
    assert_eq!(error.partial(), Some("a"));
    assert_eq!(error.template(), Some("b/c"));
    assert_eq!((error.line(), error.column()), (2, 4));
    assert_eq!(
        error.to_string(),
        "partial `b/c`, line 2, column 4: partial `a` is nested 64 partials deep; \
         if it includes itself, put that tag in a section that becomes empty"
    );
}

#[test]
fn partials_nest_up_to_a_limit() {
    let chain = |length: usize| -> Partials {
        (0..length).map(|i| (i.to_string(), parse(&format!("{{{{> {}}}}}.", i + 1)))).collect()
    };
    let printed = print_with("{{> 0}}", &[&json!({})], &chain(MAX_PARTIAL_DEPTH));
    assert_eq!(printed.unwrap(), ".".repeat(MAX_PARTIAL_DEPTH));
    let error = print_with("{{> 0}}", &[&json!({})], &chain(MAX_PARTIAL_DEPTH + 1)).unwrap_err();
    assert_eq!(error.partial(), Some("64"));
}

#[test]
fn excessive_nested_iteration_is_an_error() {
    let data = json!({ "a": [1, 2, 3, 4, 5, 6, 7, 8] });
    let template = format!("\n{}", nested(100).replace('x', ""));
    let error = print_with(&template, &[&data], &Partials::new()).unwrap_err();
    assert_eq!((error.line(), error.partial(), error.template()), (2, None, None));
    assert!(
        error.message().starts_with(&format!(
            "rendering stopped after {} sections and partials",
            MAX_STEPS + 1
        )),
        "{error}"
    );
}

#[test]
fn excessive_output_is_an_error() {
    let text = "x".repeat(1024 * 1024);
    let data = json!({ "a": [1, 2, 3, 4, 5, 6, 7, 8] });
    let template = format!("{{{{#a}}}}{{{{#a}}}}{{{{#a}}}}{text}{{{{/a}}}}{{{{/a}}}}{{{{/a}}}}");
    let error = print_with(&template, &[&data], &Partials::new()).unwrap_err();
    assert!(error.message().contains("257 MiB of output"), "{error}");
}

#[test]
fn long_names_and_lines_are_supported() {
    let name = vec!["a"; 100_000].join(".");
    assert_eq!(print(&format!("[{{{{{name}}}}}]"), &json!({ "a": {} })), "[]");
    let line = "{{x}}".repeat(100_000);
    assert_eq!(print(&line, &json!({ "x": 1 })).len(), 100_000);
}
