//! The Mustache specification's rules for values: names, interpolation, sections.

use super::{case, check};

#[test]
fn names_print_their_values() {
    check(&[
        case("text without tags stays", "a { b } c }} d\n", "{}", "a { b } c }} d\n"),
        case("a name prints its value", "by {{author}}.", r#"{"author":"Ada"}"#, "by Ada."),
        case("a value is not a template", "{{a}}", r#"{"a":"{{b}}","b":1}"#, "{{b}}"),
        case(
            "a value is escaped", "{{a}}", r#"{"a":"<i> & \"q\""}"#,
            "&lt;i&gt; &amp; &quot;q&quot;",
        ),
        case("three braces print as is", "{{{a}}}", r#"{"a":"<i> & \"q\""}"#, "<i> & \"q\""),
        case("an ampersand prints as is", "{{&a}}", r#"{"a":"<i> & \"q\""}"#, "<i> & \"q\""),
        case("an integer", "{{n}} {{{n}}} {{&n}}", r#"{"n":-42}"#, "-42 -42 -42"),
        case("a fraction", "{{n}} {{{n}}} {{&n}}", r#"{"n":2.50}"#, "2.5 2.5 2.5"),
        case("null is nothing", "[{{n}}{{{n}}}{{&n}}]", r#"{"n":null}"#, "[]"),
        case("what is missing is nothing", "[{{n}}{{{n}}}{{&n}}]", "{}", "[]"),
        case("spaces around a tag stay", " {{a}} {{{a}}} {{&a}} ", r#"{"a":1}"#, " 1 1 1 "),
        case(
            "spaces in a tag go",
            "{{ a }}{{{ a }}}{{& a }}{{ & a}}{{\n a\t}}",
            r#"{"a":1}"#,
            "11111",
        ),
        case(
            "a value alone on its line keeps the line",
            " {{a}} \n {{{a}}}\n",
            r#"{"a":1}"#,
            " 1 \n 1\n",
        ),
        case("an empty value alone on its line too", "a\n{{b}}\nc", "{}", "a\n\nc"),
    ]);
}

#[test]
fn dotted_names_follow_keys() {
    check(&[
        case("a key in a key", "{{a.b.c}}", r#"{"a":{"b":{"c":"deep"}}}"#, "deep"),
        case("unescaped", "{{{a.b}}}{{&a.b}}", r#"{"a":{"b":"<"}}"#, "<<"),
        case("a chain that breaks", "[{{a.b.c}}]", r#"{"a":{}}"#, "[]"),
        case("a chain through a text", "[{{a.b}}]", r#"{"a":"text"}"#, "[]"),
        case("a chain through null", "[{{a.b}}]", r#"{"a":null}"#, "[]"),
        case(
            "only the first key looks outwards", "{{#a}}[{{b.c.d}}]{{/a}}",
            r#"{"a":{"b":{}},"c":{"d":1}}"#, "[]",
        ),
        case(
            "the nearest first key decides", "{{#a}}[{{b.c}}]{{/a}}",
            r#"{"a":{"b":{}},"b":{"c":1}}"#, "[]",
        ),
        case(
            "the first key looks outwards", "{{#a}}{{b.c}}{{/a}}", r#"{"a":{"x":1},"b":{"c":1}}"#,
            "1",
        ),
        case("a key with a dot is out of reach", "[{{a.b}}]", r#"{"a.b":1}"#, "[]"),
        case("and hides nothing", "{{a.b}}", r#"{"a.b":1,"a":{"b":2}}"#, "2"),
        case(
            "in sections", "{{#a.b}}yes{{/a.b}}{{^a.c}}no{{/a.c}}", r#"{"a":{"b":true}}"#, "yesno",
        ),
        case(
            "a section of a broken chain",
            "{{#a.b.c}}x{{/a.b.c}}{{^a.b.c}}y{{/a.b.c}}",
            r#"{"a":1}"#,
            "y",
        ),
    ]);
}

#[test]
fn a_dot_prints_the_context() {
    check(&[
        case("a text", "{{.}} {{{.}}} {{&.}}", r#""<""#, "&lt; < <"),
        case("a number", "{{.}}", "7.25", "7.25"),
        case("elements", "{{#l}}({{.}}){{/l}}", r#"{"l":["a",1,2.5,true]}"#, "(a)(1)(2.5)(true)"),
        case(
            "lists in lists", "{{#l}}[{{#.}}{{.}},{{/.}}]{{/l}}", r#"{"l":[[1,2],[3],[]]}"#,
            "[1,2,][3,][]",
        ),
        case("the outermost list", "{{#.}}{{n}};{{/.}}", r#"[{"n":1},{"n":2}]"#, "1;2;"),
        case("a condition", "{{#a}}{{.}} = {{a}}{{/a}}", r#"{"a":"x"}"#, "x = x"),
        case("inverted", "{{#l}}{{^.}}none{{/.}}{{/l}}", r#"{"l":[null,1,false]}"#, "nonenone"),
    ]);
}

#[test]
fn sections_render_true_values() {
    check(&[
        case("true renders", "a{{#b}}B{{/b}}c", r#"{"b":true}"#, "aBc"),
        case("false does not", "a{{#b}}B{{/b}}c", r#"{"b":false}"#, "ac"),
        case("null does not", "a{{#b}}B{{/b}}c", r#"{"b":null}"#, "ac"),
        case("what is missing does not", "a{{#b}}B{{/b}}c", "{}", "ac"),
        case("an object is the context", "{{#a}}{{b}}{{/a}}", r#"{"a":{"b":1},"b":2}"#, "1"),
        case("an empty object renders", "{{#a}}{{b}}{{/a}}", r#"{"a":{},"b":2}"#, "2"),
        case("names look outwards", "{{#a}}{{b}}{{c}}{{/a}}", r#"{"a":{"b":1},"c":2}"#, "12"),
        case(
            "null hides what is outside", "{{#a}}[{{b}}]{{/a}}", r#"{"a":{"b":null},"b":2}"#, "[]",
        ),
        case(
            "a list repeats", "{{#l}}{{n}},{{/l}}", r#"{"l":[{"n":1},{"n":2},{"n":3}]}"#, "1,2,3,",
        ),
        case("an empty list does not render", "[{{#l}}x{{/l}}]", r#"{"l":[]}"#, "[]"),
        case("false elements render", "{{#l}}x{{/l}}", r#"{"l":[false,null,0,""]}"#, "xxxx"),
        case(
            "twice in a row", "{{#a}}1{{/a}} {{b}} {{#a}}2{{/a}}", r#"{"a":true,"b":"-"}"#, "1 - 2",
        ),
        case("itself inside", "{{#a}}1{{#a}}2{{/a}}3{{/a}}4", r#"{"a":true}"#, "1234"),
        case("itself inside, false", "{{#a}}1{{#a}}2{{/a}}3{{/a}}4", r#"{"a":false}"#, "4"),
        case(
            "lists in lists of objects",
            "{{#a}}{{#b}}{{x}}{{y}} {{/b}}{{/a}}",
            r#"{"a":[{"x":1,"b":[{"y":1},{"y":2}]},{"x":2,"b":[{"y":3}]}]}"#,
            "11 12 23 ",
        ),
        case(
            "after a section the context is back", "{{#a}}{{n}}{{/a}}{{n}}",
            r#"{"a":{"n":1},"n":2}"#, "12",
        ),
        case("spaces in tags go", "{{# a }}x{{/ a }}{{ #a}}y{{\n/a }}", r#"{"a":true}"#, "xy"),
        case("tags within a line keep it", " {{#a}} x\t{{/a}} \n", r#"{"a":true}"#, "  x\t \n"),
    ]);
}

#[test]
fn inverted_sections_render_false_values() {
    check(&[
        case("false renders", "a{{^b}}B{{/b}}c", r#"{"b":false}"#, "aBc"),
        case("true does not", "a{{^b}}B{{/b}}c", r#"{"b":true}"#, "ac"),
        case("null renders", "{{^b}}B{{/b}}", r#"{"b":null}"#, "B"),
        case("what is missing renders", "{{^b}}B{{/b}}", "{}", "B"),
        case("an empty list renders", "{{^b}}B{{/b}}", r#"{"b":[]}"#, "B"),
        case("a list does not", "{{^b}}B{{/b}}", r#"{"b":[0]}"#, ""),
        case("an object does not", "{{^b}}B{{/b}}", r#"{"b":{}}"#, ""),
        case("itself inside", "{{^a}}1{{^a}}2{{/a}}3{{/a}}4", r#"{"a":false}"#, "1234"),
        case(
            "pushes no context", "{{#o}}{{^no}}{{x}}{{.}}{{/no}}{{/o}}", r#"{"o":"v","x":1}"#, "1v",
        ),
        case("spaces in tags go", "{{^ a }}x{{/ a }}", "{}", "x"),
        case(
            "in a section of a list", "{{#l}}{{^n}}-{{/n}}{{n}}{{/l}}",
            r#"{"l":[{"n":1},{},{"n":3}]}"#, "1-3",
        ),
    ]);
}
