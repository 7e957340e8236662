//! Tests of edits to TOML front matter, compared byte for byte.

use serde_json::json;

use crate::edits::{check, remove, set};

#[test]
fn changing_a_scalar_keeps_its_style_and_comment() {
    check("+++\n", &[]);
    let cases = [
        (
            "a = 1\ntitle = \"x\" # c\nb = 2\n",
            set("title", json!("y")),
            "a = 1\ntitle = \"y\" # c\nb = 2\n",
        ),
        ("title  =   'x'  # c\n", set("title", json!("y\\z")), "title  =   'y\\z'  # c\n"),
        ("title = 'x'\n", set("title", json!("it's")), "title = \"it's\"\n"),
        (
            "title = \"x\"\n",
            set("title", json!("a\"b\\c\n\u{7f}")),
            "title = \"a\\\"b\\\\c\\n\\u007F\"\n",
        ),
        (
            "t = \"\"\"\none\ntwo\"\"\" # c\n",
            set("t", json!("one\n\"\"\"three\"")),
            "t = \"\"\"\none\n\"\"\\\"three\\\"\"\"\" # c\n",
        ),
        ("t = '''one\ntwo'''\n", set("t", json!("one\n'three")), "t = '''one\n'three'''\n"),
        ("t = '''one\ntwo'''\n", set("t", json!("one'''")), "t = \"one'''\"\n"),
        ("t = \"\"\"one\"\"\"\n", set("t", json!("a\n+++\nb")), "t = \"a\\n+++\\nb\"\n"),
        ("n = 1_000 # c\n", set("n", json!(2)), "n = 2 # c\n"),
        ("n = 1.5\n", set("n", json!(2.25)), "n = 2.25\n"),
        ("n = true\n", set("n", json!(false)), "n = false\n"),
        ("n = 0x10 # c\n", set("n", json!(16)), "n = 0x10 # c\n"),
        ("n = 60.0\n", set("n", json!(60)), "n = 60.0\n"),
        ("n = 1\n", set("n", json!("text")), "n = \"text\"\n"),
        ("n = \"text\"\n", set("n", json!(["a", "b"])), "n = [\"a\", \"b\"]\n"),
        (
            "d = 2026-11-20 # c\n",
            set("d", json!("2026-11-21T09:30:00Z")),
            "d = 2026-11-21T09:30:00Z # c\n",
        ),
        (
            "d = 2026-11-20T09:30:00+02:00\n",
            set("d", json!("2026-11-20T07:30:00.000Z")),
            "d = 2026-11-20T09:30:00+02:00\n",
        ),
        (
            "d = \"2026-11-20\"\n",
            set("d", json!("2026-11-21T09:30:00Z")),
            "d = \"2026-11-21T09:30:00Z\"\n",
        ),
        ("d = 2026-11-20\n", set("d", json!("later")), "d = \"later\"\n"),
        ("  a = 1\n\ttitle=\"x\"\n", set("title", json!("ü")), "  a = 1\n\ttitle=\"ü\"\n"),
        ("\"odd key\" = 1\n", set("odd key", json!(2)), "\"odd key\" = 2\n"),
    ];
    check("+++\n", &cases);
}

#[test]
fn values_are_found_in_every_table_notation() {
    let cases = [
        (
            "[podcast]\na = 1\n\n[podcast.license] # l\nidentifier = 'x' # c\n",
            set("podcast.license.identifier", json!("y")),
            "[podcast]\na = 1\n\n[podcast.license] # l\nidentifier = 'y' # c\n",
        ),
        (
            "seo.title = \"x\"\nseo.b = 1\n",
            set("seo.title", json!("y")),
            "seo.title = \"y\"\nseo.b = 1\n",
        ),
        (
            "seo = { title = \"x\", b = 1 } # c\n",
            set("seo.title", json!("y")),
            "seo = { title = \"y\", b = 1 } # c\n",
        ),
        (
            "seo = { a.title = \"x\", a.b = 1 }\n",
            set("seo.a.title", json!("y")),
            "seo = { a = { title = \"y\", b = 1 } }\n",
        ),
        (
            "[[people]]\nname = \"a\"\n# c\n[[people]]\nname = \"b\" # d\n",
            set("people", json!([{"name": "a"}, {"name": "c"}])),
            "[[people]]\nname = \"a\"\n# c\n[[people]]\nname = \"c\" # d\n",
        ),
        (
            "c = [\n  { s = 0, t = \"a\" }, # one\n  { s = 1, t = \"b\" }, # two\n  { s = 2, t = \"c\" },\n]\n",
            set("c", json!([{"s": 0, "t": "a"}, {"s": 1, "t": "B"}, {"s": 2, "t": "c"}])),
            "c = [\n  { s = 0, t = \"a\" }, # one\n  { s = 1, t = \"B\" }, # two\n  { s = 2, t = \"c\" },\n]\n",
        ),
    ];
    check("+++\n", &cases);
}

#[test]
fn new_keys_are_inserted_in_their_table() {
    let cases = [
        (
            "a = 1 # c\n\n[seo]\nx = 1\n",
            set("b", json!("t")),
            "a = 1 # c\nb = \"t\"\n\n[seo]\nx = 1\n",
        ),
        ("[seo]\nx = 1\n", set("b", json!(2)), "b = 2\n\n[seo]\nx = 1\n"),
        (
            "# top\n\n# about seo\n[seo]\nx = 1\n",
            set("b", json!(2)),
            "# top\n\nb = 2\n\n# about seo\n[seo]\nx = 1\n",
        ),
        ("", set("b", json!(2)), "b = 2\n"),
        ("# only\n", set("b", json!(2)), "# only\nb = 2\n"),
        ("t = \"\"\"\nx\n\"\"\" # c\n", set("b", json!(2)), "t = \"\"\"\nx\n\"\"\" # c\nb = 2\n"),
        (
            "[seo]\nx = 1 # c\n\n# about b\n[b]\n",
            set("seo.y", json!(2)),
            "[seo]\nx = 1 # c\ny = 2\n\n# about b\n[b]\n",
        ),
        ("[seo] # c\n", set("seo.y", json!(2)), "[seo] # c\ny = 2\n"),
        ("[seo]\n  x = 1\n", set("seo.y", json!(2)), "[seo]\n  x = 1\n  y = 2\n"),
        (
            "  seo.x = 1 # c\nb = 1\n",
            set("seo.y z", json!(2)),
            "  seo.x = 1 # c\n  seo.\"y z\" = 2\nb = 1\n",
        ),
        ("seo = { x = 1 } # c\n", set("seo.y", json!(2)), "seo = { x = 1, y = 2 } # c\n"),
        ("seo = {x=1}\n", set("seo.y", json!(2)), "seo = {x=1, y = 2}\n"),
        ("seo = {} # c\n", set("seo.y", json!(2)), "seo = { y = 2 } # c\n"),
        ("[p.license]\ni = 1\n", set("p.x", json!(2)), "[p]\nx = 2\n\n[p.license]\ni = 1\n"),
        ("a = 1\n", set("seo.title", json!("x")), "a = 1\n\n[seo]\ntitle = \"x\"\n"),
        (
            "[p]\na = 1\n\n[z]\n",
            set("p.license.i", json!("x")),
            "[p]\na = 1\n\n[p.license]\ni = \"x\"\n\n[z]\n",
        ),
        (
            "[p]\na = 1\n\n[p.q]\nb = 1\n\n[z]\n",
            set("p.license.i", json!("x")),
            "[p]\na = 1\n\n[p.q]\nb = 1\n\n[p.license]\ni = \"x\"\n\n[z]\n",
        ),
        ("p.a = 1\n", set("p.license.i", json!("x")), "p.a = 1\np.license = { i = \"x\" }\n"),
        (
            "a = 1\n",
            set("p", json!({"c": [{"s": 0}, {"s": 1}], "e": {}, "l": {"i": 1}})),
            "a = 1\n\n[p]\ne = {}\nc = [\n  { s = 0 },\n  { s = 1 },\n]\n\n[p.l]\ni = 1\n",
        ),
        (
            "[f.x]\ne = 1 # c\n\n[z]\n",
            set("f.y.e", json!(2)),
            "[f.x]\ne = 1 # c\n\n[f.y]\ne = 2\n\n[z]\n",
        ),
        ("a = 1\n", set("t", json!("say \"hi\"")), "a = 1\nt = 'say \"hi\"'\n"),
    ];
    check("+++\n", &cases);
}

#[test]
fn removing_a_key_keeps_everything_else() {
    let cases = [
        ("a = 1\n# about b\nb = 2 # c\n\nd = 3\n", remove("b"), "a = 1\n# about b\n\nd = 3\n"),
        ("a = 1\n", remove("a"), ""),
        ("a = 1\n", remove("z"), "a = 1\n"),
        ("a = 1\n", remove("a.b"), "a = 1\n"),
        ("a = [\n  1, # x\n  2,\n]\nb = 1\n", remove("a"), "b = 1\n"),
        ("a = 1\n\n[seo]\nt = 1\n\n[b]\n", remove("seo.t"), "a = 1\n\n[b]\n"),
        ("[seo]\nt = 1\n\n[b]\n", remove("seo"), "[b]\n"),
        (
            "a = 1\n\n[p]\nx = 1\n\n[z]\ny = 1\n\n[p.l]\ni = 1\n\n[[p.c]]\ns = 1\n\n[[p.c]]\ns = 2\n",
            remove("p"),
            "a = 1\n\n[z]\ny = 1\n",
        ),
        ("[p]\nx = 1\n\n[p.l]\ni = 1\n", remove("p.l.i"), "[p]\nx = 1\n"),
        ("seo.a = 1\nb = 1\nseo.c = 2\n", remove("seo"), "b = 1\n"),
        ("seo.a = 1\nseo.c = 2\n", remove("seo.a"), "seo.c = 2\n"),
        ("seo = { a = 1, b = 2, c = 3 }\n", remove("seo.b"), "seo = { a = 1, c = 3 }\n"),
        ("seo = { a = 1, b = 2 }\n", remove("seo.b"), "seo = { a = 1 }\n"),
        ("seo = { a = 1, b = 2 }\n", remove("seo.a"), "seo = { b = 2 }\n"),
        ("seo = { a = 1 }\nb = 1\n", remove("seo.a"), "b = 1\n"),
    ];
    check("+++\n", &cases);
}

#[test]
fn list_edits_change_only_differing_items() {
    let cases = [
        (
            "t = [\"a\", 'b'] # c\n",
            set("t", json!(["a", "b", "c"])),
            "t = [\"a\", 'b', \"c\"] # c\n",
        ),
        ("t = [\"a\", 'b',]\n", set("t", json!(["a", "b", "c"])), "t = [\"a\", 'b', \"c\",]\n"),
        ("t = [\"a\",'b']\n", set("t", json!(["a", "c", "b"])), "t = [\"a\",\"c\",'b']\n"),
        ("t = ['a', 'b']\n", set("t", json!(["c", "a", "b"])), "t = [\"c\", 'a', 'b']\n"),
        ("t = ['a', 'b']\n", set("t", json!(["a", "c"])), "t = ['a', 'c']\n"),
        ("t = ['a', 'b', 'c']\n", set("t", json!(["b"])), "t = ['b']\n"),
        ("t = ['a']\n", set("t", json!([])), "t = []\n"),
        ("t = []\n", set("t", json!(["a"])), "t = [\"a\"]\n"),
        (
            "t = [\n  \"a\", # one\n  \"b\", # two\n  # end\n]\n",
            set("t", json!(["a", "b", "c"])),
            "t = [\n  \"a\", # one\n  \"b\", # two\n  \"c\",\n  # end\n]\n",
        ),
        (
            "t = [\n  \"a\", # one\n  \"b\" # two\n]\n",
            set("t", json!(["a", "b", "c"])),
            "t = [\n  \"a\", # one\n  \"b\", # two\n  \"c\"\n]\n",
        ),
        (
            "t = [\n  \"a\",\n  \"b\"]\n",
            set("t", json!(["a", "b", "c"])),
            "t = [\n  \"a\",\n  \"b\",\n  \"c\"]\n",
        ),
        (
            "t = [\n  # first\n  \"a\", # one\n  \"b\",\n]\n",
            set("t", json!(["b"])),
            "t = [\n  # first\n  \"b\",\n]\n",
        ),
        ("t = [\n  \"a\",\n  \"b\"\n]\n", set("t", json!(["a"])), "t = [\n  \"a\"\n]\n"),
        (
            "[[p]]\nn = 1\n\n[[p]]\nn = 2\n\n[z]\n",
            set("p", json!([{"n": 1}, {"n": 2}, {"n": 3, "z": {"x": 1}}])),
            "[[p]]\nn = 1\n\n[[p]]\nn = 2\n\n[[p]]\nn = 3\nz = { x = 1 }\n\n[z]\n",
        ),
        (
            "[[p]]\nn = 1\n[[p]]\nn = 2\n",
            set("p", json!([{"n": 1}, {"n": 2}, {"n": 3}])),
            "[[p]]\nn = 1\n[[p]]\nn = 2\n[[p]]\nn = 3\n",
        ),
        ("[[p]]\nn = 1 # c\n\n[[p]]\nn = 2\n", set("p", json!([{"n": 1}])), "[[p]]\nn = 1 # c\n"),
        ("[[p]]\nn = 1\n\n[[p]]\nn = 2 # c\n", set("p", json!([{"n": 2}])), "[[p]]\nn = 2 # c\n"),
        ("a = 1\n\n[[p]]\nn = 1\n", set("p", json!([])), "a = 1\np = []\n"),
        ("[[p]]\nn = 1\n", set("p", json!([{"n": 1, "m": 2}])), "[[p]]\nn = 1\nm = 2\n"),
        (
            "[[p]]\nn = 1\n\n[p.l]\nx = 1\n\n[[p]]\nn = 2\n",
            set("p", json!([{"n": 1, "l": {"x": 1, "y": 2}}, {"n": 2}])),
            "[[p]]\nn = 1\n\n[p.l]\nx = 1\ny = 2\n\n[[p]]\nn = 2\n",
        ),
    ];
    check("+++\n", &cases);
}
