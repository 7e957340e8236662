//! Tests of lossless edits: rules that apply to all three formats, and changes to bodies.

use front_matter::{Change, Fault, compose, edit, edit_toml, parse, with_body};
use serde_json::{Value, json};

pub fn edit_with_body(
    text: &str,
    changes: &[Change],
    body: Option<&str>,
) -> Result<String, Vec<Fault>> {
    let text = edit(text, changes)?;
    match body {
        Some(body) => with_body(&text, body),
        None => Ok(text),
    }
}

pub fn set(path: &str, value: Value) -> Change {
    Change::set(&path.split('.').collect::<Vec<_>>(), value)
}

pub fn remove(path: &str) -> Change {
    Change::remove(&path.split('.').collect::<Vec<_>>())
}

/// Front matter before a change, the change, and the front matter after it.
pub type Case = (&'static str, Change, &'static str);

/// Checks the cases inside fences, with LF and with CRLF.
pub fn check(fence: &str, cases: &[Case]) {
    for (before, change, after) in cases {
        let changes = std::slice::from_ref(change);
        let file = |fields: &str| format!("{fence}{fields}{fence}\nBody\n");
        let crlf = |fields: &str| file(fields).replace('\n', "\r\n");
        let marked = |fields: &str| format!("\u{feff}{}", file(fields).trim_end());
        for file in [&file as &dyn Fn(&str) -> String, &crlf, &marked] {
            let edited = edit(&file(before), changes);
            let edited =
                edited.unwrap_or_else(|errors| panic!("{before}\n{change:?}\n{}", errors[0]));
            assert_eq!(edited, file(after), "{before}\n{change:?}");
            let again = edit(&edited, changes).unwrap();
            assert_eq!(again, edited, "a second time, {change:?}");
        }
    }
}

#[test]
fn a_file_without_front_matter_gets_toml() {
    for (before, after) in [
        ("Body\n", "+++\ntitle = \"x\"\n+++\nBody\n"),
        ("", "+++\ntitle = \"x\"\n+++\n"),
        ("\u{feff}a\r\nb", "\u{feff}+++\r\ntitle = \"x\"\r\n+++\r\na\r\nb"),
    ] {
        assert_eq!(edit(before, &[set("title", json!("x"))]).unwrap(), after);
        assert_eq!(edit(before, &[remove("title")]).unwrap(), before);
        assert_eq!(edit(before, &[set("title", json!(null))]).unwrap(), before);
    }
}

#[test]
fn replacing_a_body_keeps_the_surrounding_blank_lines() {
    for (before, body, after) in [
        ("+++\na = 1\n+++\n\nOld\n", "New", "+++\na = 1\n+++\n\nNew\n"),
        ("+++\na = 1\n+++\nOld", "New\n\n", "+++\na = 1\n+++\nNew"),
        (
            "---\na: 1\n---\n\n\nOld\n\n",
            "\n\n    New\n\nline\n",
            "---\na: 1\n---\n\n\n    New\n\nline\n\n",
        ),
        (
            "+++\r\na = 1\r\n+++\r\n\r\nOld\r\n",
            "New\nline",
            "+++\r\na = 1\r\n+++\r\n\r\nNew\r\nline\r\n",
        ),
        ("+++\na = 1\n+++\nOld\n", "", "+++\na = 1\n+++\n"),
        ("+++\na = 1\n+++\n\nOld\n", "\n", "+++\na = 1\n+++\n\n"),
        ("+++\na = 1\n+++", "New", "+++\na = 1\n+++\n\nNew\n"),
        ("+++\na = 1\n+++\n", "New", "+++\na = 1\n+++\n\nNew\n"),
        ("+++\na = 1\n+++\n\n", "New", "+++\na = 1\n+++\n\nNew\n"),
        ("{\"a\": 1}\nOld\n", "New", "{\"a\": 1}\nNew\n"),
        ("{\"a\": 1}Old\n", "New", "{\"a\": 1}New\n"),
        ("{\"a\": 1}", "New", "{\"a\": 1}\n\nNew\n"),
        ("Old\n", "New", "New\n"),
        ("Old\n", "+++\na\n", "+++\n+++\n+++\na\n"),
        ("Old\n", "---\n", "+++\n+++\n---\n"),
        (
            "+++\na = 1\n+++\none\r\ntwo\nthree\r\nfour\r\n",
            "one\ntwo\nnew\nfour",
            "+++\na = 1\n+++\none\r\ntwo\nnew\nfour\r\n",
        ),
        ("+++\na = 1\n+++\n\none\r\ntwo\n", "one\ntwo", "+++\na = 1\n+++\n\none\r\ntwo\n"),
    ] {
        let edited = edit_with_body(before, &[], Some(body)).unwrap();
        assert_eq!(edited, after, "{before:?} {body:?}");
        assert_eq!(edit_with_body(&edited, &[], Some(body)).unwrap(), after);
    }
}

#[test]
fn a_path_through_a_scalar_is_an_error_naming_it() {
    let text = "---\na: 1\nseo: text\n---\n";
    let errors = edit(text, &[set("seo.title", json!("x"))]).unwrap_err();
    assert_eq!(errors[0].message, "`seo` is text, so it cannot contain other fields");
    assert!(text[errors[0].at..].starts_with("seo: text"));
}

#[test]
fn shared_values_are_rejected_and_others_edited() {
    let text =
        "---\nbase: &b\n  k: v\nn: &n old\nm: *n\nuse: *b\ntitle: x\n? odd\n: key\n---\nBody\n";
    for change in [set("n", json!("new")), set("base.k", json!("w")), remove("base"), remove("odd")]
    {
        let errors = edit(text, &[change]).unwrap_err();
        assert!(errors[0].message.contains("without changing something else"), "{}", errors[0]);
        assert!(errors[0].at < text.len() && !errors[0].help.is_empty());
    }
    for (change, from, to) in [
        (set("title", json!("z")), "title: x", "title: z"),
        (set("m", json!("new")), "m: *n", "m: new"),
        (remove("use"), "use: *b\n", ""),
        (set("use.k", json!("w")), "use: *b", "use:\n  k: w"),
    ] {
        assert_eq!(edit(text, &[change]).unwrap(), text.replace(from, to));
    }
}

#[test]
fn whole_toml_files_are_edited_the_same_way() {
    let edit = |text: &str, change: Change| edit_toml(text, &[change]).unwrap();
    for (before, change, after) in [
        ("base_url = \"x\" # c", set("theme", json!("t")), "base_url = \"x\" # c\ntheme = \"t\""),
        (
            "# mine\n\n[feed]\nlimit = 3\n",
            set("base_url", json!("x")),
            "# mine\n\nbase_url = \"x\"\n\n[feed]\nlimit = 3\n",
        ),
        ("a = 1\r\n", set("feed.limit", json!(3)), "a = 1\r\n\r\n[feed]\r\nlimit = 3\r\n"),
        ("", set("feed.limit", json!(3)), "[feed]\nlimit = 3\n"),
        ("a = 1", set("feed.limit", json!(3)), "a = 1\n\n[feed]\nlimit = 3"),
        (
            "[[realtime]]\napp_id = \"a\"\n\n[[realtime.webhooks]]\nid = \"1\"\nenabled = true # c\n\n[[realtime.webhooks]]\nid = \"2\"\n",
            set(
                "realtime",
                json!([{"app_id": "a", "webhooks": [{"id": "1", "enabled": false}, {"id": "2"}]}]),
            ),
            "[[realtime]]\napp_id = \"a\"\n\n[[realtime.webhooks]]\nid = \"1\"\nenabled = false # c\n\n[[realtime.webhooks]]\nid = \"2\"\n",
        ),
    ] {
        assert_eq!(edit(before, change), after);
    }
}

#[test]
fn composed_files_list_values_before_tables() {
    let text = compose(
        &[
            ("id", json!("abc")),
            (
                "podcast",
                json!({
                    "season": 2,
                    "license": {"identifier": "cc-by-4.0"},
                    "chapters": [{"startTime": 0, "title": "Intro"}, {"startTime": 61.5, "title": "Say \"hi\""}],
                }),
            ),
            ("title", json!("Tom's \"T\" \\")),
            ("image", json!(null)),
            ("tags", json!(["a", "b"])),
            ("summary", json!("one\ntwo\n")),
            ("odd key", json!("+++\nx")),
        ],
        "\n\nText\n",
    );
    insta::assert_snapshot!(text);
    let front = parse(&text).unwrap();
    assert_eq!(&text[front.body..], "\nText\n");
}
