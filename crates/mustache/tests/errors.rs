//! Tests of error messages for authors of templates.

use mustache::Template;

/// Invalid templates, each with the expected line, column and message of its error.
const ERRORS: &[(&str, usize, usize, &str)] = &[
    (
        "<ul>\n  {{<parent}}\n{{/parent}}",
        2,
        3,
        "`{{<parent}}` extends a parent template, which is not supported; include the parent as a partial: `{{>name}}`",
    ),
    (
        "{{ < parent }}",
        1,
        1,
        "`{{ < parent }}` extends a parent template, which is not supported; include the parent as a partial: `{{>name}}`",
    ),
    (
        "a {{$block}}b{{/block}}",
        1,
        3,
        "`{{$block}}` is a block of template inheritance, which is not supported; write its content here, or move it to a partial: `{{>name}}`",
    ),
    (
        "\n{{> *name}}",
        2,
        1,
        "`{{> *name}}` has a dynamic name, which is not supported; write each partial by name in a separate section",
    ),
    (
        "{{=<% %>=}}<%>*name%>",
        1,
        12,
        "`<%>*name%>` has a dynamic name, which is not supported; write each partial by name in a separate section",
    ),
    (
        "<ul>\n{{#a}}\n    {{#items}}\n{{/a}}",
        4,
        1,
        "`{{/a}}` cannot close section `items`, which was opened at line 3 column 5; put `{{/items}}` before it",
    ),
    (
        "<ul>\n\n    {{#items}}\n</ul>",
        3,
        5,
        "section `items` opened at line 3 column 5 is never closed; add `{{/items}}` where it ends",
    ),
    (
        "{{=<% %>=}}\n<%^a.b%>",
        2,
        1,
        "section `a.b` opened at line 2 column 1 is never closed; add `<%/a.b%>` where it ends",
    ),
    (
        "a {{/b}}",
        1,
        3,
        "`{{/b}}` closes no open section; remove it, or open the section before it with `{{#b}}`",
    ),
    (
        "{{#b}}{{/b}}{{/b}}",
        1,
        13,
        "`{{/b}}` closes no open section; remove it, or open the section before it with `{{#b}}`",
    ),
    ("ünï {{{x}} y", 1, 5, "`{{{x}}` lacks a `}`; end it with `}}}`"),
    ("{{=<% %>=}}<%{x%>", 1, 12, "`<%{x%>` lacks a `}`; end it with `}%>`"),
    ("{{{x} }}", 1, 1, "`{{{x} }}` lacks a `}`; end it with `}}}`"),
    ("a\r\n{{}}", 2, 1, "`{{}}` is an empty tag; write a name in it, or remove it"),
    ("{{# }}", 1, 1, "`{{# }}` is an empty tag; write a name in it, or remove it"),
    ("{{{ }}}", 1, 1, "`{{{ }}}` is an empty tag; write a name in it, or remove it"),
    ("{{/}}", 1, 1, "`{{/}}` is an empty tag; write a name in it, or remove it"),
    ("{{>\n}}", 1, 1, "`{{>…` is an empty tag; write a name in it, or remove it"),
    ("a {{ b", 1, 3, "`{{ b` is never closed; end the tag with `}}`"),
    ("{{! b\nc", 1, 1, "`{{! b` is never closed; end the tag with `}}`"),
    ("{{", 1, 1, "`{{` is never closed; end the tag with `}}`"),
    ("{{=| |=}}|a", 1, 10, "`|a` is never closed; end the tag with `|`"),
    (
        "{{=<% %>}} x",
        1,
        1,
        "`{{=<% %>}} x` is never closed; write two delimiters without `=`, with a space between them, as in `{{=<% %>=}}`",
    ),
    (
        "{{=<%%>=}}",
        1,
        1,
        "`{{=<%%>=}}` does not set delimiters; write two delimiters without `=`, with a space between them, as in `{{=<% %>=}}`",
    ),
    (
        "{{=a b c=}}",
        1,
        1,
        "`{{=a b c=}}` does not set delimiters; write two delimiters without `=`, with a space between them, as in `{{=<% %>=}}`",
    ),
    (
        "{{== ==}}",
        1,
        1,
        "`{{== ==}}` does not set delimiters; write two delimiters without `=`, with a space between them, as in `{{=<% %>=}}`",
    ),
    (
        "{{#each items}}{{/each}}",
        1,
        1,
        "`{{#each items}}` has a space in its name; write a single name, because Mustache has no helpers or arguments",
    ),
    (
        "{{> a b }}",
        1,
        1,
        "`{{> a b }}` has a space in its name; write a single name, because Mustache has no helpers or arguments",
    ),
    (
        "{{title} by {{author}}",
        1,
        1,
        "`{{title} by {{author}}` contains another tag; close the first tag before it",
    ),
    (
        "{{{{raw}}}}",
        1,
        1,
        "`{{{{raw}}}` has a brace in its name; remove the brace, or write three braces on each side to print the value unescaped",
    ),
    (
        "{{a..b}}",
        1,
        1,
        "`{{a..b}}` has an empty key in its name; write `.` alone for the context itself, or `a.b` for a nested key",
    ),
    (
        "{{#.a}}",
        1,
        1,
        "`{{#.a}}` has an empty key in its name; write `.` alone for the context itself, or `a.b` for a nested key",
    ),
];

#[test]
fn each_error_has_a_position_and_a_remedy() {
    for &(source, line, column, message) in ERRORS {
        let error = Template::parse(source).expect_err(source);
        assert_eq!(
            (error.line(), error.column(), error.message()),
            (line, column, message),
            "{source:?}"
        );
        assert_eq!(error.source_line(), source.lines().nth(line - 1).unwrap(), "{source:?}");
        assert_eq!(error.to_string(), format!("line {line}, column {column}: {message}"));
    }
}

#[test]
fn the_alternate_format_points_at_the_tag() {
    let error = Template::parse("\t<p>\n\t é {{}} x").unwrap_err();
    assert_eq!(
        format!("{error:#}"),
        "line 2, column 5: `{{}}` is an empty tag; write a name in it, or remove it\n\
         \x20 \t é {{}} x\n\
         \x20 \t   ^"
    );
}

#[test]
fn a_long_tag_is_truncated_in_the_message() {
    let error = Template::parse(format!("{{{{{}", "é".repeat(10_000))).unwrap_err();
    assert_eq!(
        error.message(),
        format!("`{{{{{}…` is never closed; end the tag with `}}}}`", "é".repeat(58))
    );
}
