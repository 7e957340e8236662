//! Functions that search JSON, and functions that create it.

mod convert;
mod look;
mod path;

use super::declare::Function;

pub(super) fn functions() -> Vec<Function> {
    look::functions().into_iter().chain(convert::functions()).collect()
}
