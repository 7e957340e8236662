//! SQL functions that search or create JSON.

mod convert;
mod extract;
mod path;

use super::declare::Function;

pub(super) fn functions() -> Vec<Function> {
    extract::functions().into_iter().chain(convert::functions()).collect()
}
