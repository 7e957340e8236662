//! The Mustache specification's rules for the text around tags: comments, delimiters, standalone
//! lines, partials.

use super::{Case, case, check};

#[test]
fn comments_print_nothing() {
    check(&[
        case("print nothing", "a{{! b }}c", "{}", "ac"),
        case("may have lines", "a{{!\n b\n}}c\n", "{}", "ac\n"),
        case("may look like tags", "a{{!#b}}{{! {{c }}d", "{}", "ad"),
        case("may be empty", "a{{!}}b", "{}", "ab"),
        case("are no names", "[{{! b }}]", r#"{"! b":1,"b":2,"!b":3}"#, "[]"),
        case("keep spaces around", "a {{! b }} c", "{}", "a  c"),
        case("alone on several lines take them all", "a\n  {{!\n b\n  }}\nc\n", "{}", "a\nc\n"),
    ]);
}

#[test]
fn delimiters_can_be_changed() {
    check(&[
        case("change", "{{=<% %>=}}<%a%>{{a}}", r#"{"a":1}"#, "1{{a}}"),
        case(
            "can be one character", "{{=[ ]=}}[a][#b]x[/b][&a][{a}]", r#"{"a":"<","b":1}"#,
            "&lt;x<<",
        ),
        case("can be the same", "{{=| |=}}|a||a|", r#"{"a":1}"#, "11"),
        case(
            "can be special to expressions",
            "{{=(( ))=}}((a)){{=.* *.=}}((=.* *.=)).*a*.",
            r#"{"a":1}"#,
            "1{{=.* *.=}}1",
        ),
        case("change back", "{{=<% %>=}}<%={{ }}=%>{{a}}", r#"{"a":1}"#, "1"),
        case("can be set to what they are", "{{={{ }}=}}{{a}}", r#"{"a":1}"#, "1"),
        case("hold after a section", "{{#a}}{{=<% %>=}}<%/a%><%a%>", r#"{"a":1}"#, "1"),
        case("may have spaces around", "{{=  <%\t %>  =}}<%a%>", r#"{"a":1}"#, "1"),
        case("may be any characters", "{{=« »=}}«a»", r#"{"a":1}"#, "1"),
        case("keep spaces around the tag", "a {{=| |=}} b", "{}", "a  b"),
        Case {
            rule: "a partial starts with the usual ones",
            template: "{{=| |=}}|>p|",
            data: r#"{"a":1}"#,
            partials: &[("p", "{{a}}|a|")],
            prints: "1|a|",
        },
        Case {
            rule: "a partial's do not come back",
            template: "{{>p}} {{a}}|a|",
            data: r#"{"a":1}"#,
            partials: &[("p", "{{=| |=}}|a|")],
            prints: "1 1|a|",
        },
    ]);
}

/// A comment, a section tag, a partial or a change of delimiters removes its whole line if only
/// spaces and tabs are next to it.
#[test]
fn standalone_tags_remove_their_lines() {
    const ON: &str = r#"{"a":true}"#;
    check(&[
        case("a section's tags", "1\n{{#a}}\n2\n{{/a}}\n3\n", ON, "1\n2\n3\n"),
        case("an inverted section's", "1\n{{^b}}\n2\n{{/b}}\n3\n", ON, "1\n2\n3\n"),
        case("a comment", "1\n{{! c }}\n2", ON, "1\n2"),
        case("delimiters", "1\n{{=| |=}}\n2", ON, "1\n2"),
        case("a missing partial", "1\n{{>p}}\n2", ON, "1\n2"),
        case("indented", "1\n \t{{#a}}\n2\n\t {{/a}}\n3", ON, "1\n2\n3"),
        case("followed by spaces", "1\n{{#a}} \t\n2\n{{/a}}\t\n3", ON, "1\n2\n3"),
        case("ended by \\r\\n", "1\r\n{{#a}}\r\n2\r\n  {{/a}} \r\n3", ON, "1\r\n2\r\n3"),
        case("on the first line", "  {{#a}}\n1{{/a}}\n2", ON, "1\n2"),
        case("on the last line", "1{{#a}}\n2\n  {{/a}}", ON, "1\n2\n"),
        case("on the only line", "  {{! c }}  ", ON, ""),
        case("one after the other", "{{#a}}\n{{#a}}\n1\n{{/a}}\n{{/a}}\n", ON, "1\n"),
        case("empty lines stay", "\n{{#a}}\n\n{{/a}}\n\n", ON, "\n\n\n"),
        case("of a false section go too", "1\n{{#b}}\n2\n{{/b}}\n3", ON, "1\n3"),
        case("text before keeps the line", "1 {{! c }}\n2", ON, "1 \n2"),
        case("text after keeps the line", "{{! c }} 1\n2", ON, " 1\n2"),
        case(
            "two tags keep the line",
            "1\n{{#a}}{{/a}}\n2\n {{! c }} {{! d }}\n3",
            ON,
            "1\n\n2\n  \n3",
        ),
        case("a value keeps the line", "{{a}}{{! c }}\n1", ON, "true\n1"),
        case("a lone \\r ends no line", "1\r{{! c }}\r2", ON, "1\r\r2"),
        case("other spaces are text", "\u{a0}{{! c }}\n1", ON, "\u{a0}\n1"),
        case("a tag that ends a line of tags", "{{!\n}} {{#a}}\n1{{/a}}", ON, " \n1"),
    ]);
}

#[test]
fn partials() {
    let cases = [
        ("a name includes a template", "[{{>p}}]", &[("p", "text")][..], "[text]"),
        ("a missing one is nothing", "[{{>q}}]", &[("p", "text")], "[]"),
        ("it sees the context", "{{#o}}{{>p}}{{/o}}", &[("p", "{{in}}{{out}}")], "12"),
        ("it includes others", "{{>p}}", &[("p", "<{{>q}}>"), ("q", "{{out}}")], "<2>"),
        (
            "it ends when its data do",
            "{{#tree}}{{>p}}{{/tree}}",
            &[("p", "{{n}}({{#kids}}{{>p}}{{/kids}})")],
            "a(b()c(d()))",
        ),
        ("its name may be a path", "{{> a/b-c.d}}", &[("a/b-c.d", "x")], "x"),
        ("spaces in the tag go", "{{> p }}{{ >p}}", &[("p", "x")], "xx"),
        ("spaces around stay", " {{>p}} |", &[("p", "\tx\t")], " \tx\t |"),
        ("within a line it is not indented", " - {{>p}}\n", &[("p", "x\ny")], " - x\ny\n"),
        (
            "a value before it is no indentation",
            "  {{out}}  {{>p}}\n",
            &[("p", "x\ny")],
            "  2  x\ny\n",
        ),
        ("alone it takes its line", "1\n{{>p}}\n2", &[("p", "x")], "1\nx2"),
        ("alone it ends with \\r\\n", "1\r\n{{>p}}\r\n2", &[("p", "x\r\n")], "1\r\nx\r\n2"),
        ("its lines are indented", "1\n  {{>p}}\n2", &[("p", "x\ny\n")], "1\n  x\n  y\n2"),
        ("on the first line", "\t{{>p}}\n2", &[("p", "x\ny\n")], "\tx\n\ty\n2"),
        ("on the last line", "1\n  {{>p}}", &[("p", "x\ny")], "1\n  x\n  y"),
        ("lines of a value are not", "  {{>p}}\n", &[("p", "{{{lines}}}\n|\n")], "  a\nb\n  |\n"),
        (
            "a line that starts with a tag is",
            "  {{>p}}\n",
            &[("p", "{{out}}\n{{#o}}{{in}}{{/o}};\n{{! c }}x\n")],
            "  2\n  1;\n  x\n",
        ),
        (
            "a line that repeats is, each time",
            " {{>p}}\n",
            &[("p", "{{#l}}\n- {{.}}\n{{/l}}\n")],
            " - 1\n - 2\n",
        ),
        (
            "a repetition within a line is once",
            " {{>p}}\n",
            &[("p", "{{#l}}{{.}},{{/l}}\n")],
            " 1,2,\n",
        ),
        (
            "standalone lines leave no indentation",
            "  {{>p}}\n|",
            &[("p", "{{#o}}\nx\n{{/o}}\n")],
            "  x\n|",
        ),
        (
            "indentations add up",
            " {{>p}}\n",
            &[("p", "x\n {{>q}}\ny\n"), ("q", "1\n2\n")],
            " x\n  1\n  2\n y\n",
        ),
        (
            "not for one within a line",
            " {{>p}}\n",
            &[("p", "x {{>q}}\ny\n"), ("q", "1\n2")],
            " x 1\n2\n y\n",
        ),
        ("and go back", " {{>p}}\n{{>p}}\n", &[("p", "x\n")], " x\nx\n"),
        (
            "empty lines stay empty",
            "  {{>p}}\n",
            &[("p", "x\n\ny\r\n\r\nz\n")],
            "  x\n\n  y\r\n\r\n  z\n",
        ),
    ];
    const PARTIAL_DATA: &str = r#"{
        "out": 2, "in": 0, "o": {"in": 1}, "l": [1, 2], "lines": "a\nb",
        "tree": {"n": "a", "kids": [{"n": "b", "kids": []}, {"n": "c", "kids": [{"n": "d", "kids": []}]}]}
    }"#;
    check(&cases.map(|(rule, template, partials, prints)| Case {
        rule,
        template,
        data: PARTIAL_DATA,
        partials,
        prints,
    }));
}
