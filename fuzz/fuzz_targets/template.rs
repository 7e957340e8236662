//! Reading and rendering any template with any data never panics.
//!
//! With the fuzzing front end, `cargo +nightly fuzz run template`. Without it, on the stable toolchain:
//!
//! ```text
//! cd fuzz
//! RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
//!   -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
//!   -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions" \
//!   cargo run --release --target x86_64-unknown-linux-gnu --bin template -- -max_total_time=60
//! ```
//!
//! An input is a template, a partial `p` and JSON data, with a zero byte between them.

#![no_main]

use mustache::{Partials, Template};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Ok(input) = std::str::from_utf8(input) else {
        return;
    };
    let mut parts = input.splitn(3, '\0');
    let source = parts.next().unwrap_or("");
    let partial = parts.next().unwrap_or("");
    let data = parts
        .next()
        .and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or_else(
            || serde_json::json!({ "a": "<", "b": false, "l": [1, { "a": 2 }], "o": { "a": [] } }),
        );

    let partials: Partials = Template::parse(partial)
        .ok()
        .map(|template| ("p", template))
        .into_iter()
        .collect();
    match Template::parse(source) {
        Ok(template) => {
            let _ = template.render(&[&data], &partials, &mut String::new());
        }
        Err(error) => {
            let _ = format!("{error:#}");
        }
    }
});
