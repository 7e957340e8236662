//! Any content file is edited or refused, and an edit that was made is there: asked for again, it changes
//! nothing, and the body is as it was.
//!
//! See `template.rs` for how to run a target on the stable toolchain. An input is a file, keys with dots
//! between them, and JSON, with a zero byte between them.

#![no_main]

use front_matter::{Change, edit, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let mut parts = input.splitn(3, '\0');
    let text = parts.next().unwrap_or("");
    let keys: Vec<&str> = parts.next().unwrap_or("title").split('.').collect();
    let json = parts.next().unwrap_or("\"new\"");
    let changes = match serde_json::from_str::<serde_json::Value>(json) {
        Ok(value) => [Change::set(&keys, value)],
        Err(_) => [Change::remove(&keys)],
    };
    let Ok(edited) = edit(text, &changes) else {
        return;
    };
    let body = |text: &str| {
        let front = parse(text).expect("what was edited reads");
        text[front.body..].to_owned()
    };
    assert_eq!(body(text), body(&edited));
    assert_eq!(edit(&edited, &changes).expect("edited before"), edited);
});
