//! Tests of edits to YAML front matter, compared byte for byte.

use serde_json::json;

use crate::edits::{check, remove, set};

#[test]
fn changing_a_scalar_keeps_its_style_and_comment() {
    let cases = [
        ("a: 1\ntitle: x # c\nb: 2\n", set("title", json!("new")), "a: 1\ntitle: new # c\nb: 2\n"),
        ("title:   'x'  # c\n", set("title", json!("it's")), "title:   'it''s'  # c\n"),
        (
            "title: \"x\" # c\n",
            set("title", json!("a\"b\\c\n\u{7f}")),
            "title: \"a\\\"b\\\\c\\n\\u007F\" # c\n",
        ),
        ("title : x\n\"b\" : 'y' # c\n", set("b", json!("z")), "title : x\n\"b\" : 'z' # c\n"),
        ("title: x, y\n", set("title", json!("y, [z]")), "title: y, [z]\n"),
        (
            "title: plain over\n  two lines # c\nb: 1\n",
            set("title", json!("new")),
            "title: new # c\nb: 1\n",
        ),
        (
            "title: 'quoted over\n\n  two lines' # c\nb: 1\n",
            set("title", json!("new")),
            "title: 'new' # c\nb: 1\n",
        ),
        (
            "d: 2026-11-20 # c\n",
            set("d", json!("2026-11-21T09:30:00Z")),
            "d: 2026-11-21T09:30:00Z # c\n",
        ),
        (
            "d: 2026-11-20T09:30:00+02:00\n",
            set("d", json!("2026-11-20T07:30:00Z")),
            "d: 2026-11-20T09:30:00+02:00\n",
        ),
        ("d: '2026-11-20'\n", set("d", json!("2026-11-21")), "d: '2026-11-21'\n"),
        ("n: 0x10\n", set("n", json!(16)), "n: 0x10\n"),
        ("t: 2024\n", set("t", json!("2024")), "t: 2024\n"),
        ("t: 2024\n", set("t", json!("2025")), "t: \"2025\"\n"),
        ("n: 1 # c\n", set("n", json!(2.5)), "n: 2.5 # c\n"),
        ("b: yes\n", set("b", json!(true)), "b: true\n"),
        ("b: # c\nd: 1\n", set("b", json!("x")), "b: x # c\nd: 1\n"),
        ("b:\n", set("b", json!("x")), "b: x\n"),
        ("b: ~ # c\n", set("b", json!("x")), "b: x # c\n"),
        ("m: !!str 5 # c\n", set("m", json!("6")), "m: \"6\" # c\n"),
        ("a: &x foo\nb: bar\n", set("b", json!("baz")), "a: &x foo\nb: baz\n"),
        ("title: x\n", set("title", json!("one\ntwo\n")), "title: |\n  one\n  two\n"),
        ("title: x\n", set("title", json!(["a", "b: c"])), "title:\n  - a\n  - \"b: c\"\n"),
        ("a: {b: 1}\ntitle: x\n", set("a", json!("new")), "a: new\ntitle: x\n"),
        ("a:\n  - x\n  - y\nb: 1\n", set("a", json!("z")), "a: z\nb: 1\n"),
    ];
    check("---\n", &cases);
}

#[test]
fn ambiguous_texts_are_quoted() {
    for text in [
        "yes", "No", "on", "OFF", "y", "n", "null", "~", "true", "1", "-1", "+1", "1.5", "1e3",
        "0x1F", "0o7", "1_000", "1:30", ".5", ".inf", "2026-11-20", "2026-11-20T09:30:00Z", "- a",
        "-", "? a", ": a", "a: b", "a:", "a #b", "# a", "&a", "*a", "!a", "| a", "> a", "%a", "@a",
        "`a`", "[a", "{a", "]a", "}a", ",a", "'a", "\"a", "", " a", "a ", "<<", "=", "---", "...",
        "a\tb", "a\nb\u{85}", "\u{feff}", "\u{2028}",
    ] {
        let cases = [("a: x\n", set("b", json!(text)))];
        for (before, change) in cases {
            let file = format!("---\n{before}---\n");
            let edited = front_matter::edit(&file, &[change]).unwrap();
            let value = edited.strip_prefix("---\na: x\nb: ").unwrap();
            assert!(value.starts_with(['"', '\'', '|']), "{text:?}: {value}");
        }
    }
    for text in [
        "a",
        "it's",
        "a, b",
        "a:b",
        "a#b",
        "http://x.org/a?b#c",
        "Yes, we do",
        "3rd place",
        "ü",
        "日本",
        "-dash".trim_start_matches('-'),
        "v1.2",
    ] {
        let edited = front_matter::edit("---\na: x\n---\n", &[set("b", json!(text))]).unwrap();
        assert_eq!(edited, format!("---\na: x\nb: {text}\n---\n"));
    }
}

#[test]
fn multiline_texts_keep_their_style() {
    let cases = [
        (
            "t: |\n  one\n  two\n\nb: 1\n",
            set("t", json!("one\n\n  three\n")),
            "t: |\n  one\n\n    three\n\nb: 1\n",
        ),
        (
            "t: |- # c\n    one\n# d\nb: 1\n",
            set("t", json!("one\ntwo")),
            "t: |- # c\n    one\n    two\n# d\nb: 1\n",
        ),
        ("t: |\n  one\nb: 1\n", set("t", json!("two")), "t: |-\n  two\nb: 1\n"),
        ("t: |+\n  one\n\nb: 1\n", set("t", json!("two\n")), "t: |\n  two\nb: 1\n"),
        (
            "t: >-\n  one\n  two\n\nb: 1\n",
            set("t", json!("three four\nfive")),
            "t: >-\n  three four\n\n  five\n\nb: 1\n",
        ),
        ("t: >\n  one\nb: 1\n", set("t", json!(" odd\nfive\n")), "t: \" odd\\nfive\\n\"\nb: 1\n"),
        ("t: |\n  one\nb: 1\n", set("t", json!("")), "t: \"\"\nb: 1\n"),
        ("t: |\n  one\nb: 1\n", set("t", json!(5)), "t: 5\nb: 1\n"),
        ("t: |\nb: 1\n", set("t", json!("x\ny\n")), "t: |\n  x\n  y\nb: 1\n"),
        (
            "a:\n    b: |\n        one\n    c: 1\n",
            set("a.b", json!("x\ny\n")),
            "a:\n    b: |\n        x\n        y\n    c: 1\n",
        ),
    ];
    check("---\n", &cases);
}

#[test]
fn comments_never_become_part_of_a_text() {
    let cases = [
        ("t: x # c\n", set("t", json!("one\ntwo")), "t: \"one\\ntwo\" # c\n"),
        ("t: x\n  # far\nb: 1\n", set("t", json!("one\ntwo")), "t: \"one\\ntwo\"\n  # far\nb: 1\n"),
        (
            "t: x\n# near\nb: 1\n",
            set("t", json!("one\ntwo")),
            "t: |-\n  one\n  two\n# near\nb: 1\n",
        ),
        ("t: x\n\n  # far\n", set("b", json!("one\ntwo")), "t: x\nb: \"one\\ntwo\"\n\n  # far\n"),
        ("t: x # c\n", set("t", json!(["a", "b"])), "t: [a, b] # c\n"),
        (
            "t:\n- a\n  # far\n- b\n",
            set("t", json!(["a", {"k": "one\ntwo"}, "b"])),
            "t:\n- a\n- k: \"one\\ntwo\"\n  # far\n- b\n",
        ),
        ("t: |\n  one\n # far\nb: 1\n", set("t", json!("two\n")), "t: |\n  two\n # far\nb: 1\n"),
    ];
    check("---\n", &cases);
}

#[test]
fn new_keys_are_appended_to_their_mapping() {
    let cases = [
        ("", set("b", json!(2)), "b: 2\n"),
        ("# only\n", set("b", json!(2)), "# only\nb: 2\n"),
        ("a: 1 # c\n# end\n", set("b", json!("t")), "a: 1 # c\nb: t\n# end\n"),
        ("a: |\n  x\n\n# end\n", set("b", json!(2)), "a: |\n  x\nb: 2\n\n# end\n"),
        ("a: |+\n  x\n\n", set("b", json!(2)), "a: |+\n  x\n\nb: 2\n"),
        (
            "seo:\n    x: 1 # c\n\nb: 1\n",
            set("seo.z", json!(2)),
            "seo:\n    x: 1 # c\n    z: 2\n\nb: 1\n",
        ),
        ("seo: {x: 1} # c\n", set("seo.z", json!("a, b")), "seo: {x: 1, z: \"a, b\"} # c\n"),
        ("seo: {}\n", set("seo.z", json!(2)), "seo: {z: 2}\n"),
        ("seo:\nb: 1\n", set("seo.z", json!(2)), "seo:\n  z: 2\nb: 1\n"),
        ("a: 1\n", set("seo.z", json!(2)), "a: 1\nseo:\n  z: 2\n"),
        (
            "a:\n    x: 1\nl:\n- x\n",
            set("p", json!({"c": [{"s": 0, "t": "a"}, {"s": 1}], "e": {}, "f": []})),
            "a:\n    x: 1\nl:\n- x\np:\n    c:\n    - s: 0\n      t: a\n    - s: 1\n    e: {}\n    f: []\n",
        ),
        ("{a: 1, b: 2} # c\n", set("d", json!(3)), "{a: 1, b: 2, d: 3} # c\n"),
        (
            "p:\n  - n: a\n    r: b # c\n  - n: d\n",
            set("p", json!([{"n": "a", "r": "b", "h": "e"}, {"n": "d"}])),
            "p:\n  - n: a\n    r: b # c\n    h: e\n  - n: d\n",
        ),
        ("a: 1\n", set("yes", json!(1)), "a: 1\n\"yes\": 1\n"),
    ];
    check("---\n", &cases);
}

#[test]
fn removing_a_key_keeps_everything_else() {
    let cases = [
        (
            "p:\n- a: 1 # c\n  # on b\n  b: 2\n",
            set("p", json!([{"b": 2}])),
            "p:\n-\n  # on b\n  b: 2\n",
        ),
        (
            "p:\n- a: 1 # c\n# on b\n  b: 2\n",
            set("p", json!([{"b": 2}])),
            "p:\n-\n# on b\n  b: 2\n",
        ),
        ("a:\n  b: 1\n\n  # of a\n# not of a\nc: 1\n", remove("a"), "# not of a\nc: 1\n"),
        ("a: 1\n# about b\nb: 2 # c\n\nd: 3\n", remove("b"), "a: 1\n# about b\n\nd: 3\n"),
        ("a: 1\n", remove("a"), ""),
        ("a: 1\n", remove("z.y"), "a: 1\n"),
        ("a:\n  - x\n  # in\n  - y # c\n# after\nb: 1\n", remove("a"), "# after\nb: 1\n"),
        ("a:\n- x\n- y\nb: 1\n", remove("a"), "b: 1\n"),
        ("a: |\n  x\n\n  y\n\nb: 1\n", remove("a"), "\nb: 1\n"),
        ("a: x\n  y\nb: 1\n", remove("a"), "b: 1\n"),
        ("a:\n# c\nb: 1\n", remove("a"), "# c\nb: 1\n"),
        ("seo:\n  t: 1\nb: 1\n", remove("seo.t"), "b: 1\n"),
        ("seo:\n  t: 1\n  u: 2\nb: 1\n", remove("seo.t"), "seo:\n  u: 2\nb: 1\n"),
        ("seo: {t: 1, u: [1, 2], v: 3}\n", remove("seo.u"), "seo: {t: 1, v: 3}\n"),
        ("{a: 1, b: 2}\n", remove("b"), "{a: 1}\n"),
        (
            "p:\n  - n: a # c\n    r: b # d\n  - n: e\n",
            set("p", json!([{"r": "b"}, {"n": "e"}])),
            "p:\n  - r: b # d\n  - n: e\n",
        ),
        (
            "p:\n  - n: a\n    r: b\n  - n: e\n",
            set("p", json!([{"n": "a"}, {"n": "e"}])),
            "p:\n  - n: a\n  - n: e\n",
        ),
    ];
    check("---\n", &cases);
}

#[test]
fn list_edits_change_only_differing_items() {
    let cases = [
        (
            "t:\n- a # one\n- b # two\nz: 1\n",
            set("t", json!(["a", "b", "c"])),
            "t:\n- a # one\n- b # two\n- c\nz: 1\n",
        ),
        (
            "t:\n  - a # one\n\n  - b # two\n\nz: 1\n",
            set("t", json!(["a", "b", "c"])),
            "t:\n  - a # one\n\n  - b # two\n  - c\n\nz: 1\n",
        ),
        ("t:\n  -  a\n  -  'b'\n", set("t", json!(["a", "c"])), "t:\n  -  a\n  -  'c'\n"),
        ("t:\n  - a\n  - b\n", set("t", json!(["c", "a", "b"])), "t:\n  - c\n  - a\n  - b\n"),
        ("t:\n  - a # one\n  # on b\n  - b\n", set("t", json!(["b"])), "t:\n  # on b\n  - b\n"),
        ("t:\n- a\n- b\nz: 1\n", set("t", json!([])), "t: []\nz: 1\n"),
        ("t: [] # c\n", set("t", json!(["a"])), "t: [a] # c\n"),
        ("t: []\n", set("t", json!([{"a": 1}])), "t:\n  - a: 1\n"),
        (
            "t: [a, \"b\"] # c\n",
            set("t", json!(["a", "b", "c, d"])),
            "t: [a, \"b\", \"c, d\"] # c\n",
        ),
        (
            "t: [a, [b, c], {d: e}]\n",
            set("t", json!(["a", ["b", "x"], {"d": "f"}])),
            "t: [a, [b, x], {d: f}]\n",
        ),
        (
            "t: [\n  a, # one\n  b, # two\n]\n",
            set("t", json!(["a", "b", "c"])),
            "t: [\n  a, # one\n  b, # two\n  c,\n]\n",
        ),
        (
            "t: [\n  a, # one\n  b # two\n]\n",
            set("t", json!(["a", "b", "c"])),
            "t: [\n  a, # one\n  b, # two\n  c\n]\n",
        ),
        ("t: [\n  a,\n  b\n  ]\n", set("t", json!(["b"])), "t: [\n  b\n  ]\n"),
        (
            "c:\n- s: 0\n  t: a # one\n- s: 1\n  t: b # two\n- s: 2\n",
            set("c", json!([{"s": 0, "t": "a"}, {"s": 1, "t": "B"}, {"s": 2}])),
            "c:\n- s: 0\n  t: a # one\n- s: 1\n  t: B # two\n- s: 2\n",
        ),
        (
            "c:\n- s: 0\n- s: 1\n  t: b\nz: 1\n",
            set("c", json!([{"s": 0}, {"s": 1, "t": "b"}, {"s": 2, "t": "x"}])),
            "c:\n- s: 0\n- s: 1\n  t: b\n- s: 2\n  t: x\nz: 1\n",
        ),
        (
            "c:\n  -\n    s: 0\n  -\n    s: 1\n",
            set("c", json!([{"s": 0}, {"s": 2}])),
            "c:\n  -\n    s: 0\n  -\n    s: 2\n",
        ),
        (
            "w:\n  - - a\n    - b\n  - - c\n",
            set("w", json!([["a", "x"], ["c"]])),
            "w:\n  - - a\n    - x\n  - - c\n",
        ),
        (
            "w:\n  - - a\n    - b\n",
            set("w", json!([["a", "b", "c"]])),
            "w:\n  - - a\n    - b\n    - c\n",
        ),
        ("t:\n- [a]\n- b\n", set("t", json!([["a"], "c"])), "t:\n- [a]\n- c\n"),
        (
            "t:\n  - |\n    x\n    y\n  - b\n",
            set("t", json!(["x\nz\n", "b"])),
            "t:\n  - |\n    x\n    z\n  - b\n",
        ),
    ];
    check("---\n", &cases);
}
