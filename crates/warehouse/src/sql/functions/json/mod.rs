//! Functions of JSON: those that look into it, and those that make it.

mod convert;
mod look;
mod path;

use super::declare::Function;

pub(super) fn functions() -> Vec<Function> {
    look::functions().into_iter().chain(convert::functions()).collect()
}
