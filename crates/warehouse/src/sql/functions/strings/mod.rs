//! SQL functions for strings. This file implements simple functions, and each submodule covers one
//! topic.

mod format;
mod letters;
mod readable;
mod search;
mod substrings;

use super::declare::{Function, call, native};
use super::scalar_call::{ScalarCall, Text};

pub(super) fn functions() -> Vec<Function> {
    let mut functions = vec![
        call("LENGTH(STRING) -> INT64", length),
        native("LENGTH(BYTES) -> INT64", "octet_length($1)"),
        call("CHAR_LENGTH(STRING) -> INT64", length),
        call("CHARACTER_LENGTH(STRING) -> INT64", length),
        native("BYTE_LENGTH(STRING) -> INT64", "octet_length($1)"),
        native("BYTE_LENGTH(BYTES) -> INT64", "octet_length($1)"),
        native("OCTET_LENGTH(STRING) -> INT64", "octet_length($1)"),
        native("OCTET_LENGTH(BYTES) -> INT64", "octet_length($1)"),
        call("CONCAT(STRING[, ...]) -> STRING", |c| {
            let mut text = Text::default();
            (0..c.len()).try_for_each(|at| text.push(c.text(at)?))?;
            Ok(text.finish())
        }),
        call("CONCAT(BYTES[, ...]) -> BYTES", |c| {
            let pieces: Vec<_> = (0..c.len()).map(|at| c.bytes(at)).collect::<Result<_, _>>()?;
            super::scalar_call::check_size(
                pieces.iter().try_fold(0_usize, |sum, piece| sum.checked_add(piece.len())),
            )?;
            Ok(pieces.concat())
        }),
        call("GENERATE_UUID() -> STRING", |_| {
            let mut bytes = [0; 16];
            getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
            let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
            Ok(id.to_string())
        })
        .non_deterministic(),
        call("ERROR(STRING) -> STRING", |c| -> Result<String, String> {
            Err(c.text(0)?.to_owned())
        }),
    ];
    functions.extend(letters::functions());
    functions.extend(substrings::functions());
    functions.extend(search::functions());
    functions.extend(format::functions());
    functions
}

fn length(call: &ScalarCall) -> Result<i64, String> {
    count(call.text(0)?.chars().count())
}

/// Converts a count to an INT64.
fn count(count: usize) -> Result<i64, String> {
    i64::try_from(count).map_err(|error| error.to_string())
}
