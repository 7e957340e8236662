//! One binary for all integration tests: one file a capability.

mod chapters;
mod media;
